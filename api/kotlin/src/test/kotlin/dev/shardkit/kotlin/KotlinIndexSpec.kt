package dev.shardkit.kotlin

import dev.shardkit.IfExists
import dev.shardkit.NdArray
import dev.shardkit.ResizePolicy
import dev.shardkit.SliceOptions
import dev.shardkit.Zarr
import dev.shardkit.ZarrArray
import dev.shardkit.ZarrOptions
import dev.shardkit.spi.error.MetadataException
import dev.shardkit.spi.type.CoreTypes
import dev.shardkit.store.memory.MemoryStore
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeSameInstanceAs
import java.math.BigInteger
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList

/** Indices, properties and whole arrays of Kotlin's own types. */
class KotlinIndexSpec :
    FunSpec({
        fun array(type: String, vararg shape: Long): ZarrArray =
            createZarrArray(MemoryStore.create(), "a", arraySpec(type, *shape))

        fun counting(length: Int): ZarrArray =
            array("int32", length.toLong()).apply { write(domain(), IntArray(length) { it }, 0) }

        fun message(call: () -> Any): String = shouldThrow<IllegalArgumentException> { call() }.message!!

        test("negative ranges count from the end, in index syntax as in select") {
            val ten = counting(10)
            ten[-3..-1].ints() shouldBe intArrayOf(7, 8, 9)
            ten[-3L..-2L].ints() shouldBe intArrayOf(7, 8)
            ten[-3..8].ints() shouldBe intArrayOf(7, 8)
            ten.view().select(-3..-1).read().ints() shouldBe intArrayOf(7, 8, 9)
            ten.view().select(-1 downTo -3).read().ints() shouldBe intArrayOf(9, 8, 7)
            ten.view().select(-4..-1 step 2).read().ints() shouldBe intArrayOf(6, 8)
            ten.view().select(8 downTo 0 step 3).read().ints() shouldBe intArrayOf(8, 5, 2)
            ten.view().select(From(-2)).read().ints() shouldBe intArrayOf(8, 9)
            ten[-2..-1] = NdArray.of(CoreTypes.INT32, longArrayOf(2), intArrayOf(-8, -9))
            ten[8..9].ints() shouldBe intArrayOf(-8, -9)
            shouldThrow<IndexOutOfBoundsException> { ten.view().select(-11..-1) }
            shouldThrow<RuntimeException> { ten[-11..-1] }
        }

        test("ranges that Kotlin takes as empty are refused, and the message writes them") {
            val ten = counting(10)
            for (text in
                listOf(
                    message { ten[2..-1] },
                    message { ten[2L..-1L] },
                    message { ten.view().select(2..-1) },
                    message { ten.view().select(2L..-1L) },
                    message { ten[2..-1] = ten[2..9] },
                )) {
                withClue(text) {
                    text shouldContain "2..9 to end"
                    text shouldContain "2..8 for 2:-1 of Python"
                }
            }
            message { ten[0..-1] } shouldContain "0..9"
            message { ten[0 until 0] } shouldContain "LongRange.EMPTY"
            message { ten.view().select(0..-1 step 2) } shouldContain "From(0)"
            message { ten.view().select(-1 downTo 0) } shouldContain "9 downTo 0"
            message { ten.view().select(9 downTo -1) } shouldContain "9 downTo"
            message { region(0..-1) } shouldContain "a region does not know the end"
            message { region(-3..-1) } shouldContain "a region does not know the end"
            message { ten[-3..2] } shouldContain "begins at index 7"
        }

        test("empty ranges select nothing") {
            val ten = counting(10)
            for (empty in listOf(LongRange.EMPTY, 5L until 5L, 4L..2L)) {
                ten[empty].shape shouldBe longArrayOf(0)
                ten.view().select(empty).shape shouldBe longArrayOf(0)
                region(empty).shape() shouldBe longArrayOf(0)
            }
            val none = array("int32", 0)
            none[0L until none.shape[0]].shape shouldBe longArrayOf(0)
            none[0..-1].shape shouldBe longArrayOf(0)
            none.view().select(0..-1).shape shouldBe longArrayOf(0)
            none.view().select(All).shape shouldBe longArrayOf(0)
        }

        test("shape, names and data type are properties") {
            val spec = arraySpec("uint16", 4, 5, 6) { dimensionNames(listOf("z", null, "x")) }
            val named = createZarrArray(MemoryStore.create(), "a", spec)
            named.shape shouldBe longArrayOf(4, 5, 6)
            named.dimensionNames shouldBe listOf("z", null, "x")
            named.dataType.name() shouldBe "uint16"
            named.view().select(All, 0, All).dimensionNames shouldBe listOf("z", "x")
            named.view().select(All, 0, All).shape shouldBe longArrayOf(4, 6)
            named.view().dataType shouldBe named.dataType
            named[0..0, 0..0, 0..1].shape shouldBe longArrayOf(1, 1, 2)
            named[0..0, 0..0, 0..1].dataType shouldBe named.dataType
            array("int8", 2, 2).dimensionNames shouldBe listOf(null, null)
            array("int8").dimensionNames shouldBe listOf()
        }

        test("single elements have the type of their numbers") {
            fun element(type: String, values: Any): Number =
                array(type, 2, 2).let {
                    it.write(it.domain(), values, 0)
                    it.read()[1, 0]
                }
            element("int32", intArrayOf(1, 2, -3, 4)) shouldBe -3
            element("int16", shortArrayOf(1, 2, -3, 4)) shouldBe -3
            element("uint8", byteArrayOf(1, 2, -3, 4)) shouldBe 253
            element("uint16", shortArrayOf(1, 2, -3, 4)) shouldBe 65533
            element("uint32", intArrayOf(1, 2, -3, 4)) shouldBe 4294967293L
            element("int64", longArrayOf(1, 2, -3, 4)) shouldBe -3L
            element("uint64", longArrayOf(1, 2, -1, 4)) shouldBe BigInteger("18446744073709551615")
            element("float32", floatArrayOf(1f, 2f, 0.1f, 4f)) shouldBe 0.1f
            element("float64", doubleArrayOf(1.0, 2.0, 0.1, 4.0)) shouldBe 0.1
            element("float16", shortArrayOf(0, 0, 0x3800, 0)) shouldBe 0.5f
            val plane = array("int32", 2, 2).read()
            plane[1L, 1L] shouldBe 0
            shouldThrow<IndexOutOfBoundsException> { plane[2, 0] }
            shouldThrow<IllegalArgumentException> { array("bool", 1).read()[0] }
        }

        test("arrays of Kotlin's own types are written") {
            array("int16", 3).let {
                it.awaitWrite(shortArrayOf(1, 2, 3))
                it.awaitWrite(region(1..2), shortArrayOf(8, 9))
                it.awaitRead().shorts() shouldBe shortArrayOf(1, 8, 9)
                it.awaitWrite(intArrayOf(4, 5, 6))
                it.awaitRead().shorts() shouldBe shortArrayOf(4, 5, 6)
                shouldThrow<IllegalArgumentException> { it.awaitWrite(shortArrayOf(1)) }
                shouldThrow<IllegalArgumentException> { it.awaitWrite(byteArrayOf(1, 2, 3)) }
                shouldThrow<ArithmeticException> { it.awaitWrite(intArrayOf(1, 2, 40000)) }
                it.awaitRead().shorts() shouldBe shortArrayOf(4, 5, 6)
            }
            array("bool", 2).let {
                it.awaitWrite(booleanArrayOf(false, true))
                it.awaitRead().booleans() shouldBe booleanArrayOf(false, true)
            }
            array("uint8", 2).let {
                it.awaitWrite(byteArrayOf(1, -1))
                it.awaitWrite(region(0..0), byteArrayOf(7))
                it.awaitRead()[1] shouldBe 255
            }
            array("int64", 2).let {
                it.awaitWrite(longArrayOf(1, Long.MAX_VALUE))
                it.awaitRead().longs() shouldBe longArrayOf(1, Long.MAX_VALUE)
            }
            array("float32", 2).let {
                it.awaitWrite(floatArrayOf(1f, 0.5f))
                it.awaitWrite(region(1..1), doubleArrayOf(0.25))
                it.awaitRead().floats() shouldBe floatArrayOf(1f, 0.25f)
            }
            array("float64", 2).let {
                it.awaitWrite(doubleArrayOf(0.1, 0.2))
                it.awaitRead().doubles() shouldBe doubleArrayOf(0.1, 0.2)
            }
        }

        test("nodes are opened by their location") {
            val folder = tempdir().toPath().resolve("g").toString()
            Zarr.createGroup(folder, jsonOf("a" to 1), IfExists.REFUSE, ZarrOptions.defaults()).use {
                it.createArray("a", arraySpec("int8", 2), IfExists.REFUSE)
            }
            awaitOpenGroup(folder).use { it.childNames() shouldBe setOf("a") }
            awaitOpenArray("$folder/a").use { it.shape shouldBe longArrayOf(2) }
            shouldThrow<MetadataException> { awaitOpenArray(folder) }.message shouldContain "expected an array"
            shouldThrow<MetadataException> { awaitOpenArray("$folder/none") }
            shouldThrow<MetadataException> { awaitOpenGroup("$folder/a") }
        }

        test("a growing array is followed") {
            val store = MemoryStore.create()
            val array = createZarrArray(store, "a", arraySpec("int32", 0, 2) { chunkShape(1, 2) })
            val reader = awaitOpenArray(store, "a")
            reader.awaitRefresh() shouldBeSameInstanceAs reader
            array.slices(0, SliceOptions.defaults().withGrowth(SliceOptions.Growth.GROW)).use { slices ->
                val seen = mutableListOf<Long>()
                reader.refreshes(1.milliseconds).take(3).collect {
                    seen += it.shape[0]
                    it.read().ints() shouldBe IntArray(2 * seen.size - 2) { i -> i }
                    slices.write(intArrayOf(2 * seen.size - 2, 2 * seen.size - 1), 0)
                    slices.flush()
                }
                seen shouldBe listOf(0L, 1L, 2L)
            }
            array.awaitRefresh().awaitResize(1, 2, outside = ResizePolicy.REMOVE)
            reader.refreshes(1.milliseconds).take(1).toList().single().shape shouldBe longArrayOf(1, 2)
        }
    })
