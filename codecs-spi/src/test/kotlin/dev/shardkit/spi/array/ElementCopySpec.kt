package dev.shardkit.spi.array

import dev.shardkit.spi.type.CoreTypes
import io.kotest.core.spec.style.StringSpec
import io.kotest.matchers.shouldBe
import io.kotest.property.RandomSource
import io.kotest.property.arbitrary.arbitrary
import io.kotest.property.checkAll
import java.nio.ByteBuffer
import java.nio.ByteOrder
import kotlin.random.Random

private val types =
    listOf(
        CoreTypes.UINT8,
        CoreTypes.BOOL,
        CoreTypes.FLOAT16,
        CoreTypes.INT32,
        CoreTypes.COMPLEX64,
        CoreTypes.FLOAT64,
        CoreTypes.COMPLEX128,
        CoreTypes.rawBits(16),
        CoreTypes.rawBits(24),
        CoreTypes.rawBits(32),
        CoreTypes.rawBits(64),
    )

private fun Random.order() = if (nextBoolean()) ByteOrder.LITTLE_ENDIAN else ByteOrder.BIG_ENDIAN

private fun Random.shape(): LongArray = LongArray(nextInt(5)) { if (nextInt(12) == 0) 0 else nextLong(1, 6) }

private fun Random.permutation(rank: Int): IntArray = (0 until rank).shuffled(this).toIntArray()

/** A box within [shape], often all of it. */
private fun Random.part(shape: LongArray): Box {
    val origin = LongArray(shape.size)
    val length = shape.copyOf()
    if (nextInt(3) > 0) {
        for (d in shape.indices) {
            origin[d] = nextLong(shape[d] + 1)
            length[d] = nextLong(shape[d] - origin[d] + 1)
        }
    }
    return Box.of(origin, length)
}

/** Elements in memory, each of random bytes; seen element by element, as little-endian words. */
private class Dense(val type: DataType, val shape: LongArray, val order: ByteOrder, random: Random) {
    val size = type.elementSize().asInt
    val word = type.carrier().wordSize()
    val bytes: ByteArray = random.nextBytes(Math.toIntExact(Shapes.count(shape) * size))
    val elements: Elements.Fixed = Elements.Fixed.of(type, ByteBuffer.wrap(bytes), order)

    fun get(at: LongArray): List<Byte> {
        val start = (Shapes.ravel(at, shape) * size).toInt()
        val stored = bytes.slice(start until start + size)
        return if (order == ByteOrder.LITTLE_ENDIAN) stored else stored.chunked(word).flatMap { it.reversed() }
    }

    fun all(): Map<List<Long>, List<Byte>> = coordinates(Box.of(shape)).associate { it.toList() to get(it) }
}

private fun coordinates(box: Box): List<LongArray> =
    if (box.isEmpty) emptyList() else (0 until box.count()).map { box.at(it) }

private operator fun LongArray.plus(other: LongArray) = LongArray(size) { this[it] + other[it] }

private operator fun LongArray.minus(other: LongArray) = LongArray(size) { this[it] - other[it] }

/** What [test] tries is decided by a seed, which a failure names. Values of maps are too long to be shown. */
private suspend fun tried(times: Int, test: (Random) -> Unit) {
    checkAll(times, arbitrary { rs: RandomSource -> rs.random.nextLong() }) { seed -> test(Random(seed)) }
}

private fun same(one: Any, other: Any) = (one == other) shouldBe true

class ElementCopySpec :
    StringSpec({
        "a copy between permuted parts of two arrays is that of the naive loop" {
            tried(2_000) { random ->
                val type = types.random(random)
                val part = random.part(random.shape())
                val rank = part.rank()
                val order = random.permutation(rank)
                val from = Dense(type, LongArray(rank) { part.end(it) + random.nextLong(2) }, random.order(), random)
                // The other side has its dimensions in another order, and the box somewhere else.
                val at = LongArray(rank) { random.nextLong(3) }
                val toShape = Shapes.permute(LongArray(rank) { at[it] + part.shape(it) + random.nextLong(2) }, order)
                val to = Dense(type, toShape, random.order(), random)
                val expected = to.all().toMutableMap()
                for (c in coordinates(part)) {
                    expected[Shapes.permute(c - part.origin() + at, order).toList()] = from.get(c)
                }

                ElementCopy.copy(
                    from.elements,
                    Shapes.ravel(part.origin(), from.shape),
                    Shapes.strides(from.shape),
                    to.elements,
                    Shapes.ravel(Shapes.permute(at, order), toShape),
                    Shapes.permute(Shapes.strides(toShape), Shapes.inverse(order)),
                    part.shape(),
                )

                same(to.all(), expected)
            }
        }

        "windows and permutations of a chunk's target and feed, one over the other, are one mapping of coordinates" {
            tried(2_000) { random ->
                val type = types.random(random)
                val whole = Dense(type, random.shape(), ByteOrder.LITTLE_ENDIAN, random)
                val fill = FillValue.of(random.nextBytes(whole.size))
                val chunk = DenseChunk.of(ChunkType.of(type, fill, whole.shape), whole.elements)
                var target = chunk.target()
                var feed = chunk.feed()
                var shape = whole.shape
                var map: (LongArray) -> LongArray = { it }
                repeat(random.nextInt(4)) {
                    val before = map
                    if (random.nextBoolean()) {
                        val box = random.part(shape)
                        target = target.window(box)
                        feed = feed.window(box)
                        shape = box.shape()
                        map = { before(it + box.origin()) }
                    } else {
                        val order = random.permutation(shape.size)
                        target = target.permute(order)
                        feed = feed.permute(order)
                        shape = Shapes.permute(shape, order)
                        map = { before(Shapes.permute(it, Shapes.inverse(order))) }
                    }
                }
                val part = random.part(shape)
                val got = Dense(type, part.shape(), random.order(), random)

                feed.get(part, got.elements, 0, Shapes.strides(got.shape))

                coordinates(part).forEach { same(got.get(it - part.origin()), whole.get(map(it))) }

                val put = Dense(type, part.shape(), random.order(), random)
                val filled = random.part(shape)
                val expected = whole.all().toMutableMap()
                coordinates(part).forEach { expected[map(it).toList()] = put.get(it - part.origin()) }
                coordinates(filled).forEach { expected[map(it).toList()] = fill.bytes().toList() }

                target.put(put.elements, 0, Shapes.strides(put.shape), part)
                target.fill(fill, filled)

                same(whole.all(), expected)
            }
        }

        "a chunk is nothing but fill exactly when each element is" {
            tried(500) { random ->
                val type = types.random(random)
                val shape = random.shape()
                val fill = FillValue.of(random.nextBytes(type.elementSize().asInt))
                val order = random.order()
                val dense = Dense(type, shape, order, random)
                val chunk = DenseChunk.of(ChunkType.of(type, fill, shape), dense.elements)
                chunk.target().fill(fill, Box.of(shape))
                chunk.isFill shouldBe true
                dense.all().values.all { it == fill.bytes().toList() } shouldBe true
                if (dense.bytes.isNotEmpty()) {
                    val at = random.nextInt(dense.bytes.size)
                    dense.bytes[at] = (dense.bytes[at] + 1).toByte()
                    chunk.isFill shouldBe false
                }
            }
        }

        "elements of varying size are copied and filled like others" {
            tried(500) { random ->
                val shape = random.shape()
                val fill = FillValue.of(random.nextBytes(random.nextInt(3)))
                val type = ChunkType.of(CoreTypes.BYTES, fill, shape)
                val from = DenseChunk.filled(type)
                from.isFill shouldBe true
                val values = (from.elements() as Elements.Variable).values()
                for (i in values.indices) {
                    values[i] = random.nextBytes(random.nextInt(4))
                }
                val order = random.permutation(shape.size)
                val to = DenseChunk.filled(type.withShape(Shapes.permute(shape, order)))
                val permuted = Shapes.permute(shape, order)
                from.feed().permute(order).get(Box.of(permuted), to.elements(), 0, Shapes.strides(permuted))
                val copied = (to.elements() as Elements.Variable).values()
                coordinates(Box.of(shape)).forEach {
                    val there = Shapes.ravel(Shapes.permute(it, order), permuted).toInt()
                    copied[there].toList() shouldBe values[Shapes.ravel(it, shape).toInt()].toList()
                }
            }
        }
    })
