package dev.shardkit.codec

import dev.shardkit.codec.support.Numbers
import dev.shardkit.spi.array.ChunkType
import dev.shardkit.spi.array.DataType
import dev.shardkit.spi.array.DenseChunk
import dev.shardkit.spi.array.Elements
import dev.shardkit.spi.array.FloatingFormat
import dev.shardkit.spi.array.WholeFormat
import dev.shardkit.spi.codec.ArrayToArrayCodec
import dev.shardkit.spi.codec.WritePolicy
import dev.shardkit.spi.plan.Scratch
import dev.shardkit.spi.type.CoreTypes
import dev.shardkit.type.ExtensionTypes
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.StringSpec
import io.kotest.matchers.shouldBe
import io.kotest.property.RandomSource
import io.kotest.property.arbitrary.arbitrary
import io.kotest.property.checkAll
import java.math.BigDecimal
import java.math.BigInteger
import java.math.RoundingMode
import kotlin.random.Random

private val numbers: List<DataType> =
    (CoreTypes.all() + ExtensionTypes.plain()).filter {
        // float8_e8m0fnu has no zero, which most of these arrays have as fill value.
        it.number().isPresent && it.elementSize().asInt == it.carrier().wordSize() && it.name() != "float8_e8m0fnu"
    }

private val modes =
    mapOf(
        "nearest-even" to RoundingMode.HALF_EVEN,
        "towards-zero" to RoundingMode.DOWN,
        "towards-positive" to RoundingMode.CEILING,
        "towards-negative" to RoundingMode.FLOOR,
        "nearest-away" to RoundingMode.HALF_UP,
    )

private suspend fun tried(times: Int, test: (Random) -> Unit) {
    checkAll(times, arbitrary { rs: RandomSource -> rs.random.nextLong() }) { seed -> test(Random(seed)) }
}

private fun words(chunk: DenseChunk) = (chunk.elements() as Elements.Fixed).bytes()

/** A legal stored word of the type: any bits, or those of a number that is small or at an end. */
private fun Random.word(type: DataType): Long {
    val format = type.number().get()
    if (format is WholeFormat) {
        return when (nextInt(4)) {
            0 -> format.value(nextLong())
            1 -> format.value(nextLong(-9, 10))
            2 -> format.value(format.min() + nextInt(2))
            else -> format.value(format.max() shr nextInt(format.bits()))
        }
    }
    format as FloatingFormat
    val small = format.round(nextInt(-1000, 1000) / 4.0)
    return if (nextBoolean() && !small.isInfinite()) format.bitsOf(small) else format.cut(nextLong())
}

/** The number that a word is; null for NaN and infinities. */
private fun exact(type: DataType, word: Long): BigDecimal? =
    when (val format = type.number().get()) {
        is WholeFormat -> BigDecimal(BigInteger(format.text(format.value(word))))
        is FloatingFormat -> format.value(word).let { if (it.isFinite()) BigDecimal(it) else null }
    }

/** Rounds to the bits that the format has, by decimal arithmetic alone. */
private fun round(value: BigDecimal, format: FloatingFormat, mode: RoundingMode): BigDecimal {
    if (value.signum() == 0) return BigDecimal.ZERO
    val two = BigDecimal(2)
    fun power(n: Int) = if (n >= 0) two.pow(n) else BigDecimal.ONE.divide(two.pow(-n))
    var exponent = maxOf(1 - format.bias(), Math.getExponent(value.toDouble()) - 1)
    while (value.abs() >= power(exponent + 1)) exponent++
    val quantum = power(exponent - format.fractionBits())
    return value.divide(quantum).setScale(0, mode).multiply(quantum)
}

/** What the specification says of a number; null where it is an error. */
private fun expected(value: BigDecimal, to: DataType, mode: RoundingMode, range: String?): Any? {
    when (val format = to.number().get()) {
        is WholeFormat -> {
            val rounded = value.setScale(0, mode).toBigInteger()
            val min = BigInteger(format.text(format.min()))
            val max = BigInteger(format.text(format.max()))
            return when {
                rounded in min..max -> BigDecimal(rounded)
                range == "clamp" -> BigDecimal(if (rounded < min) min else max)
                range == "wrap" -> {
                    val modulus = BigInteger.ONE.shiftLeft(format.bits())
                    val low = rounded.mod(modulus)
                    BigDecimal(if (low > max) low - modulus else low)
                }
                else -> null
            }
        }
        is FloatingFormat -> {
            val rounded = round(value, format, mode)
            return when {
                rounded.abs() <= BigDecimal(format.max()) -> rounded
                range == "clamp" && format.hasInfinity() -> rounded.signum() * Double.POSITIVE_INFINITY
                range == "clamp" -> BigDecimal(format.max() * rounded.signum())
                else -> null
            }
        }
    }
}

class NumberCodecsSpec :
    StringSpec({
        "cast_value is what exact arithmetic says, of any type to any other" {
            tried(6000) { random ->
                val from = numbers.random(random)
                val to = numbers.random(random)
                val (word, mode) = modes.entries.random(random)
                val range = listOf(null, "clamp", if (to.number().get() is WholeFormat) "wrap" else null).random(random)
                val members =
                    listOfNotNull("data_type", to.name(), "rounding", word, range?.let { "out_of_range" }, range)
                val codec = Numbered.make("cast_value", *members.toTypedArray()) as ArrayToArrayCodec
                val type = ChunkType.of(from, from.defaultFill(), longArrayOf(1))
                val chunk = DenseChunk.filled(type)
                val stored = random.word(from)
                Numbers.setWord(words(chunk), from.carrier().wordSize(), 0, stored)
                val value = exact(from, stored)
                val stage = codec.bind(type)
                val found =
                    try {
                        Numbers.word(words(stage.encode(chunk)), to.carrier().wordSize(), 0)
                    } catch (e: IllegalArgumentException) {
                        null
                    }
                withClue("$value (${from.name()}) to ${to.name()}, $word, $range") {
                    if (value == null) {
                        val special = (from.number().get() as FloatingFormat).value(stored)
                        val format = to.number().get()
                        val has =
                            format is FloatingFormat && if (special.isNaN()) format.hasNan() else format.hasInfinity()
                        // as text, in which all NaN are one
                        found?.let { (format as FloatingFormat).value(it).toString() } shouldBe
                            if (has) special.toString() else null
                    } else {
                        when (val wanted = expected(value, to, mode, range)) {
                            null -> found shouldBe null
                            is Double -> (to.number().get() as FloatingFormat).value(found!!) shouldBe wanted
                            else -> exact(to, found!!)!!.compareTo(wanted as BigDecimal) shouldBe 0
                        }
                    }
                }
            }
        }

        "bits that are packed are those of a text of noughts and ones, lowest first" {
            tried(1500) { random ->
                val type = numbers.random(random)
                val n = random.nextInt(1, 40)
                val bits = type.number().get().bits()
                val first = random.nextInt(bits)
                val last = random.nextInt(first, bits)
                val chunkType = ChunkType.of(type, type.defaultFill(), longArrayOf(n.toLong()))
                val chunk = DenseChunk.filled(chunkType)
                val stored = List(n) { random.word(type) }
                stored.forEachIndexed { i, w -> Numbers.setWord(words(chunk), type.carrier().wordSize(), i, w) }
                val codec = Codecs.bind(chunkType, Numbered.make("packbits", "first_bit", first, "last_bit", last))
                val keep = WritePolicy.defaults().withEmptyChunks(WritePolicy.EmptyChunks.KEEP)
                val encoded = Scratch().use { codec.encode(chunk.feed(), keep, it).orElseThrow().toArray() }
                val text =
                    stored.joinToString("") { w -> (first..last).joinToString("") { (w ushr it and 1).toString() } }
                val packed = text.chunked(8).map { it.reversed().toInt(2).toByte() }
                encoded.toList() shouldBe packed
                val decoded = words(Codecs.decode(codec, encoded, chunkType.box()))
                val signed = (type.number().get() as? WholeFormat)?.isSigned == true
                stored.forEachIndexed { i, w ->
                    val kept = (w ushr first) and (-1L ushr (63 - (last - first)))
                    val sign = signed && kept ushr (last - first) and 1L == 1L
                    val all = (if (sign) kept or (-1L shl last - first) else kept) shl first
                    val size = type.carrier().wordSize()
                    Numbers.word(decoded, size, i) shouldBe (all and (-1L ushr (64 - 8 * size)))
                }
            }
        }

        "what bitround keeps is the nearest of so many bits" {
            tried(3000) { random ->
                val type = numbers.random(random)
                val keep = random.nextInt(1, 12)
                val chunkType = ChunkType.of(type, type.defaultFill(), longArrayOf(1))
                val chunk = DenseChunk.filled(chunkType)
                val stored = random.word(type)
                val size = type.carrier().wordSize()
                Numbers.setWord(words(chunk), size, 0, stored)
                val stage = (Numbered.make("bitround", "keepbits", keep) as ArrayToArrayCodec).bind(chunkType)
                val found = Numbers.word(words(stage.encode(chunk)), size, 0)
                val value = exact(type, stored)
                withClue("$value (${type.name()}), $keep bits") {
                    val format = type.number().get()
                    if (value == null) {
                        exact(type, found) shouldBe null
                    } else if (format is FloatingFormat) {
                        val coarse =
                            FloatingFormat(
                                format.exponentBits(),
                                minOf(keep, format.fractionBits()),
                                format.bias(),
                                format.specials(),
                            )
                        val wanted = round(value, coarse, RoundingMode.HALF_EVEN)
                        val result = exact(type, found)
                        if (result != null && wanted.abs() <= BigDecimal(format.max()))
                            result.compareTo(wanted) shouldBe 0
                    } else {
                        val lost = value.abs().toBigInteger().bitLength() - keep
                        val result = exact(type, found)!!
                        ((result - value).abs().toBigInteger().bitLength() <= maxOf(0, lost)) shouldBe true
                        val lowest = result.toBigInteger().abs().lowestSetBit
                        (lowest < 0 || lowest >= lost) shouldBe true
                    }
                }
            }
        }
    })
