package dev.shardkit.spi.type

import dev.shardkit.spi.array.FillValue
import dev.shardkit.spi.json.Json
import io.kotest.core.spec.style.StringSpec
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.property.Arb
import io.kotest.property.arbitrary.Codepoint
import io.kotest.property.arbitrary.az
import io.kotest.property.arbitrary.byte
import io.kotest.property.arbitrary.byteArray
import io.kotest.property.arbitrary.constant
import io.kotest.property.arbitrary.double
import io.kotest.property.arbitrary.filter
import io.kotest.property.arbitrary.float
import io.kotest.property.arbitrary.int
import io.kotest.property.arbitrary.string
import io.kotest.property.checkAll

private fun digits(text: String): Int =
    text.substringBefore('e').filter { it.isDigit() }.trimStart('0').trimEnd('0').length

class FillValueSpec :
    StringSpec({
        val sized =
            CoreTypes.all().filter { it.elementSize().isPresent && it != CoreTypes.BOOL } +
                listOf(8L, 24L, 128L).map { CoreTypes.rawBits(it) } +
                listOf(1L, 5L).map { CoreTypes.rawBytes(it) }

        for (type in sized) {
            "any bits of ${type.name()} come back from their JSON form" {
                checkAll(2_000, Arb.byteArray(Arb.constant(type.elementSize().asInt), Arb.byte())) { bits ->
                    val value = FillValue.of(bits)
                    type.parseFill(type.formatFill(value)) shouldBe value
                }
            }
        }

        "strings and byte strings come back from their JSON form" {
            checkAll(Arb.string(0..20, Codepoint.az())) { text ->
                val value = FillValue.of(text.toByteArray())
                CoreTypes.STRING.parseFill(CoreTypes.STRING.formatFill(value)) shouldBe value
            }
            checkAll(Arb.byteArray(Arb.int(0..20), Arb.byte())) { bytes ->
                CoreTypes.BYTES.parseFill(CoreTypes.BYTES.formatFill(FillValue.of(bytes))) shouldBe FillValue.of(bytes)
            }
        }

        "the text of a float is no longer than Java's, and reads back" {
            checkAll(5_000, Arb.float()) { x ->
                if (x.isFinite()) {
                    val text =
                        CoreTypes.FLOAT32.formatFill(CoreTypes.FLOAT32.parseFill(Json.Num(x.toString()))).toString()
                    text.toDouble().toFloat() shouldBe x
                    digits(text) shouldBeLessThanOrEqual digits(x.toString().replace('E', 'e'))
                }
            }
            checkAll(5_000, Arb.double()) { x ->
                if (x.isFinite()) {
                    val text =
                        CoreTypes.FLOAT64.formatFill(CoreTypes.FLOAT64.parseFill(Json.Num(x.toString()))).toString()
                    text.toDouble() shouldBe x
                    digits(text) shouldBeLessThanOrEqual digits(x.toString().replace('E', 'e'))
                }
            }
        }

        "rounding to binary16 goes to the nearest, ties to even" {
            val values = (0 until 0x7c00).map { Float16.toFloat(it.toShort()).toDouble() } + 65536.0
            checkAll(5_000, Arb.double(0.0, 65536.0).filter { it.isFinite() }, Arb.int(-26..0)) { x, scale ->
                val v = Math.scalb(Math.abs(x), scale)
                val below = values.binarySearch(v).let { if (it >= 0) it else -it - 2 }
                val above = minOf(below + 1, 0x7c00)
                val toBelow = v - values[below]
                val toAbove = values[above] - v
                val nearest = if (toBelow < toAbove) below else if (toAbove < toBelow) above else below + (below and 1)
                Float16.ofDouble(v).toInt() shouldBe nearest
                Float16.ofDouble(-v).toInt() and 0xffff shouldBe (nearest or 0x8000)
            }
        }
    })
