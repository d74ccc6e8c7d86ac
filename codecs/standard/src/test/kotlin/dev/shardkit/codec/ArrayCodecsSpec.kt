package dev.shardkit.codec

import dev.shardkit.spi.array.Box
import dev.shardkit.spi.array.ChunkType
import dev.shardkit.spi.array.DataType
import dev.shardkit.spi.array.DenseChunk
import dev.shardkit.spi.array.Elements
import dev.shardkit.spi.array.Shapes
import dev.shardkit.spi.codec.ChunkCodec
import dev.shardkit.spi.codec.Codec
import dev.shardkit.spi.codec.WritePolicy
import dev.shardkit.spi.error.CorruptDataException
import dev.shardkit.spi.json.Json
import dev.shardkit.spi.plan.Bytes
import dev.shardkit.spi.plan.Scratch
import dev.shardkit.spi.type.CoreTypes
import io.kotest.core.spec.style.StringSpec
import io.kotest.matchers.shouldBe
import io.kotest.property.RandomSource
import io.kotest.property.arbitrary.arbitrary
import io.kotest.property.checkAll
import kotlin.random.Random

private val keep = WritePolicy.defaults().withEmptyChunks(WritePolicy.EmptyChunks.KEEP)

private val sized =
    CoreTypes.all().filter { it.elementSize().isPresent && it != CoreTypes.BOOL } +
        listOf(8L, 16L, 24L, 64L).map { CoreTypes.rawBits(it) }

/** What [test] tries is decided by a seed, which a failure names. */
private suspend fun tried(times: Int, test: (Random) -> Unit) {
    checkAll(times, arbitrary { rs: RandomSource -> rs.random.nextLong() }) { seed -> test(Random(seed)) }
}

private fun Random.shape(): LongArray = LongArray(nextInt(4)) { nextLong(1, 6) }

private fun Random.part(shape: LongArray): Box {
    val origin = LongArray(shape.size) { nextLong(shape[it] + 1) }
    return Box.of(origin, LongArray(shape.size) { nextLong(shape[it] - origin[it] + 1) })
}

private fun Random.transposes(rank: Int): List<Codec> =
    List(nextInt(3)) { Codecs.transpose(*(0L until rank).shuffled(this).toLongArray()) }

private fun encode(codec: ChunkCodec, chunk: DenseChunk): ByteArray =
    Scratch().use { codec.encode(chunk.feed(), keep, it).orElseThrow().toArray() }

private fun dense(type: DataType, shape: LongArray, bytes: ByteArray) = Codecs.chunk(Codecs.type(type, *shape), bytes)

/** The elements of [box] in C order, cut out one by one. */
private fun cut(bytes: ByteArray, size: Int, shape: LongArray, box: Box): List<Byte> =
    if (box.isEmpty) emptyList()
    else
        (0 until box.count()).flatMap {
            val at = Shapes.ravel(box.at(it), shape).toInt() * size
            bytes.slice(at until at + size)
        }

private fun values(chunk: DenseChunk): List<List<Byte>> =
    (chunk.elements() as Elements.Variable).values().map { it.toList() }

private fun vlen(type: ChunkType, vararg before: Codec): ChunkCodec {
    val name = if (type.dataType() == CoreTypes.STRING) "vlen-utf8" else "vlen-bytes"
    return Codecs.bind(type, *before, Codecs.make(name, Json.`object`()))
}

class ArrayCodecsSpec :
    StringSpec({
        "bytes in either order, behind any transposes, give back any part" {
            tried(1_500) { random ->
                val type = sized.random(random)
                val shape = random.shape()
                val size = type.elementSize().asInt
                val bytes = random.nextBytes(Shapes.count(shape).toInt() * size)
                val chunk = dense(type, shape, bytes)
                val codec =
                    Codecs.bind(
                        Codecs.type(type, *shape),
                        *random.transposes(shape.size).toTypedArray(),
                        Codecs.bytes(if (random.nextBoolean()) "big" else "little"),
                    )
                val encoded = encode(codec, chunk)
                encoded.size.toLong() shouldBe codec.encodedSize().asLong
                val part = random.part(shape)
                Codecs.content(Codecs.decode(codec, encoded, part)).toList() shouldBe cut(bytes, size, shape, part)
            }
        }

        "both byte orders are each other's reverse, word by word" {
            tried(500) { random ->
                val type = sized.random(random)
                val word = type.carrier().wordSize()
                val bytes = random.nextBytes(5 * type.elementSize().asInt)
                val chunk = dense(type, longArrayOf(5), bytes)
                val big = encode(Codecs.bind(Codecs.type(type, 5), Codecs.bytes("big")), chunk)
                encode(Codecs.bind(Codecs.type(type, 5), Codecs.bytes("little")), chunk).toList() shouldBe
                    bytes.toList()
                big.toList().chunked(word).flatMap { it.reversed() } shouldBe bytes.toList()
            }
        }

        "values of varying size, behind any transposes, give back any part" {
            tried(1_000) { random ->
                val shape = random.shape()
                val values = Array(Shapes.count(shape).toInt()) { random.nextBytes(random.nextInt(4)) }
                val type = Codecs.type(CoreTypes.BYTES, *shape)
                val codec = vlen(type, *random.transposes(shape.size).toTypedArray())
                val encoded = encode(codec, DenseChunk.of(type, Elements.Variable(values)))
                val part = random.part(shape)
                val expected =
                    if (part.isEmpty) emptyList()
                    else
                        (0 until part.count()).map {
                            values[Shapes.ravel(part.at(it), shape).toInt()].toList()
                        }
                values(Codecs.decode(codec, encoded, part)) shouldBe expected
            }
        }

        "a damaged vlen encoding is corrupt or another value, and never anything else" {
            val type = Codecs.type(CoreTypes.STRING, 4)
            val codec = vlen(type)
            var refused = 0
            tried(5_000) { random ->
                val texts = List(4) { "\u00fc\ud83d\ude00a\u0000".take(random.nextInt(6)).toByteArray() }
                val good = encode(codec, DenseChunk.of(type, Elements.Variable(texts.toTypedArray())))
                val bad =
                    when (random.nextInt(3)) {
                        0 -> good.copyOf(random.nextInt(good.size))
                        1 -> good + random.nextBytes(random.nextInt(1, 5))
                        else -> good.copyOf().also { it[random.nextInt(it.size)] = random.nextInt().toByte() }
                    }
                try {
                    val got = values(Codecs.decode(codec, bad, type.box()))
                    // What was accepted must be what is there, byte for byte.
                    val again =
                        encode(
                            codec,
                            DenseChunk.of(type, Elements.Variable(got.map { it.toByteArray() }.toTypedArray())),
                        )
                    again.toList() shouldBe bad.toList()
                    got.forEach { it.toByteArray().decodeToString(throwOnInvalidSequence = true) }
                } catch (e: CorruptDataException) {
                    refused++
                }
            }
            (refused > 3_000) shouldBe true
        }

        "any bytes handed to the array codecs are decoded or corrupt" {
            tried(2_000) { random ->
                val shape = random.shape()
                val type = (sized + CoreTypes.BOOL + CoreTypes.STRING + CoreTypes.BYTES).random(random)
                val chunk = Codecs.type(type, *shape)
                val codec =
                    if (type.elementSize().isPresent) Codecs.bind(chunk, Codecs.bytes("little")) else vlen(chunk)
                val n = if (random.nextBoolean()) codec.encodedSize().orElse(8).toInt() else random.nextInt(40)
                val noise = random.nextBytes(n)
                try {
                    Scratch().use { codec.decode(Bytes.of(noise), chunk.box(), DenseChunk.filled(chunk).target(), it) }
                } catch (e: CorruptDataException) {
                    e.fact().contains("expected") shouldBe true
                }
            }
        }
    })
