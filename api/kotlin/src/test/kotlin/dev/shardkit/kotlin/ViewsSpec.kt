package dev.shardkit.kotlin

import dev.shardkit.IfExists
import dev.shardkit.Zarr
import dev.shardkit.ZarrOptions
import dev.shardkit.store.memory.MemoryStore
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

/** Selections in Kotlin: an index, range, list or mask for each dimension, from the end where negative. */
class ViewsSpec :
    FunSpec({
        fun numbered(vararg shape: Long) =
            Zarr.createArray(
                    MemoryStore.create(),
                    "a",
                    arraySpec("int32", *shape) { chunkShape(*LongArray(shape.size) { 2 }) },
                    IfExists.REFUSE,
                    ZarrOptions.defaults(),
                )
                .also { it.write(it.domain(), IntArray(it.domain().count().toInt()) { i -> i }, 0) }

        fun line(index: Any): List<Int> = numbered(10).use { it.view().select(index).read().ints().toList() }

        test("one index, from either end") {
            line(3) shouldBe listOf(3)
            line(-1L) shouldBe listOf(9)
        }

        test("ranges and progressions") {
            line(2..4) shouldBe listOf(2, 3, 4)
            line(2L..8L step 3) shouldBe listOf(2, 5, 8)
            line(8 downTo 2 step 3) shouldBe listOf(8, 5, 2)
            line(-3..-1) shouldBe listOf(7, 8, 9)
            line(LongRange.EMPTY) shouldBe listOf()
            shouldThrow<IllegalArgumentException> { line(0 until 0) } // the same value as 0..-1
            line(From(7)) shouldBe listOf(7, 8, 9)
            line(From(-2)) shouldBe listOf(8, 9)
            line(All).size shouldBe 10
        }

        test("lists and masks") {
            line(listOf(4, -1, 4)) shouldBe listOf(4, 9, 4)
            line(intArrayOf(0, -2)) shouldBe listOf(0, 8)
            line(longArrayOf(1)) shouldBe listOf(1)
            line(BooleanArray(10) { it % 4 == 0 }) shouldBe listOf(0, 4, 8)
        }

        test("mistakes are named") {
            shouldThrow<IndexOutOfBoundsException> { line(-11) }
            shouldThrow<IllegalArgumentException> { line("2") }.message shouldBe
                "dimension 0: expected an index, range, list, mask or All, found String"
            shouldThrow<IllegalArgumentException> { numbered(3, 3).view().select(1) }.message shouldBe
                "expected 2 selections, one for each dimension, found 1"
        }

        test("five dimensions are read and written by ranges") {
            numbered(2, 3, 2, 3, 2).use { array ->
                val part = array[1..1, 0..1, 0..0, 1..2, 0..1]
                array[0L..0L, 1L..2L, 1L..1L, 0L..1L, 0L..1L] = part
                array[0..0, 1..2, 1..1, 0..1, 0..1] shouldBe part
                part.ints()[0] shouldBe 38
            }
        }

        test("views and points suspend") {
            numbered(4, 4).use { array ->
                val column = array.view().select(All, -1)
                column.awaitWrite(column.awaitRead())
                array.view().points(longArrayOf(1, 1)).awaitRead().ints()[0] shouldBe 5
            }
        }
    })
