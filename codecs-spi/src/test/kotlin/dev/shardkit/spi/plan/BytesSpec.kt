package dev.shardkit.spi.plan

import io.kotest.core.spec.style.StringSpec
import io.kotest.matchers.shouldBe
import io.kotest.property.Arb
import io.kotest.property.arbitrary.byte
import io.kotest.property.arbitrary.byteArray
import io.kotest.property.arbitrary.int
import io.kotest.property.arbitrary.list
import io.kotest.property.checkAll
import java.nio.ByteBuffer

/** The same pieces on the heap, within a larger array, and outside of the heap. */
private fun bytes(pieces: List<ByteArray>): Bytes =
    Bytes.concat(
        pieces.mapIndexed { i, p ->
            when (i % 3) {
                0 -> Bytes.of(p)
                1 -> Bytes.of(byteArrayOf(1) + p + byteArrayOf(2), 1, p.size)
                else -> Bytes.of(ByteBuffer.allocateDirect(p.size + 2).position(1).put(p).flip().position(1))
            }
        }
    )

class BytesSpec :
    StringSpec({
        val pieces = Arb.list(Arb.byteArray(Arb.int(0..5), Arb.byte()), 0..5)

        "a slice over pieces is a slice of the bytes joined" {
            checkAll(1_000, pieces, Arb.int(0..25), Arb.int(0..25)) { parts, a, b ->
                val all = parts.fold(ByteArray(0)) { x, y -> x + y }
                val start = minOf(a, b, all.size)
                val end = minOf(maxOf(a, b), all.size)
                val slice = bytes(parts).slice(start.toLong(), (end - start).toLong())
                val expected = all.copyOfRange(start, end).toList()
                slice.size() shouldBe expected.size.toLong()
                slice.toArray().toList() shouldBe expected
                slice.copy().toArray().toList() shouldBe expected
                slice.buffer().let { buffer -> List(buffer.remaining()) { buffer.get() } } shouldBe expected
                slice.pieces().flatMap { p -> List(p.remaining()) { p.get() } } shouldBe expected
                slice.contentEquals(Bytes.of(expected.toByteArray())) shouldBe true
                slice.slice(ByteRange.Suffix(3)).toArray().toList() shouldBe expected.takeLast(3)
                slice.slice(ByteRange.whole()).toArray().toList() shouldBe expected
            }
        }
    })
