package dev.shardkit.json

import dev.shardkit.spi.codec.Limits
import dev.shardkit.spi.json.Json
import io.kotest.core.spec.style.StringSpec
import io.kotest.matchers.shouldBe
import io.kotest.property.Arb
import io.kotest.property.arbitrary.arbitrary
import io.kotest.property.checkAll
import kotlin.random.Random

class JsonRoundTripSpec :
    StringSpec({
        "what is printed reads back lexeme-equal" {
            checkAll(2000, trees) { tree ->
                JsonReader.read(JsonPrinter.print(tree), Limits.defaults()) shouldBe tree
            }
        }

        "compact text reads back lexeme-equal" {
            checkAll(1000, trees) { tree ->
                JsonReader.read(tree.toString(), Limits.defaults()) shouldBe tree
            }
        }
    })

private val trees: Arb<Json> = arbitrary { rs -> rs.random.tree(0) }

private fun Random.tree(depth: Int): Json =
    when (if (depth < 5) nextInt(7) else nextInt(5)) {
        0 -> Json.Null()
        1 -> Json.Bool(nextBoolean())
        2,
        3 -> Json.Num(number())
        4 -> Json.Str(text())
        5 -> Json.Arr(List(nextInt(5)) { tree(depth + 1) })
        else -> Json.Obj(List(nextInt(5)) { name() to tree(depth + 1) }.toMap())
    }

private fun Random.number(): String {
    val whole = if (nextInt(4) == 0) "0" else "${nextInt(1, 10)}${digits(nextInt(25))}"
    val fraction = if (nextBoolean()) "." + digits(nextInt(1, 20)) else ""
    val exponent = if (nextInt(3) == 0) listOf("e", "E", "e+", "E-").random(this) + digits(nextInt(1, 5)) else ""
    return (if (nextBoolean()) "-" else "") + whole + fraction + exponent
}

private fun Random.digits(count: Int): String = List(count) { nextInt(10) }.joinToString("")

/** Names with half a surrogate pair in them are refused. */
private fun Random.name(): String = text().filterNot { it.isSurrogate() } + listOf("", "\ud83d\ude00").random(this)

/** Any UTF-16 code units, halves of pairs among them, and often those that need an escape. */
private fun Random.text(): String =
    String(
        CharArray(nextInt(8)) {
            when (nextInt(5)) {
                0 -> Char(nextInt(0x20))
                1 -> "\"\\/~\u007f\u2028\ufeff".random(this)
                2 -> Char(nextInt(0xd800, 0xe000))
                3 -> Char(nextInt(0x10000))
                else -> Char(nextInt(0x20, 0x7f))
            }
        }
    )
