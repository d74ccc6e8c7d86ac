package dev.shardkit.dataframe

import dev.shardkit.ArraySpec
import dev.shardkit.Codecs
import dev.shardkit.IfExists
import dev.shardkit.Zarr
import dev.shardkit.ZarrGroup
import dev.shardkit.ZarrOptions
import dev.shardkit.spi.error.StoreException
import dev.shardkit.spi.error.UnsupportedException
import dev.shardkit.spi.json.Json
import dev.shardkit.store.memory.MemoryStore
import java.math.BigInteger
import kotlin.reflect.typeOf
import org.jetbrains.kotlinx.dataframe.DataColumn
import org.jetbrains.kotlinx.dataframe.api.columnOf
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf
import org.jetbrains.kotlinx.dataframe.api.named
import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/** Arrays become data frames and back: types, order, layouts, and what is refused. */
class FramesTest {
    private val group: ZarrGroup =
        Zarr.createGroup(MemoryStore.create(), "", Json.`object`(), IfExists.REFUSE, ZarrOptions.defaults())

    private fun array(
        name: String,
        type: String,
        values: Any,
        rows: Long = 2,
    ) {
        group.createArray(name, ArraySpec.of(type, rows), IfExists.REFUSE).use { it.write(it.domain(), values, 0) }
    }

    @Test
    fun columns_keepTypesValuesAndOrder() {
        val frame =
            dataFrameOf(
                columnOf("b", "a") named "z",
                columnOf(true, false) named "flag",
                columnOf(1.toByte(), (-1).toByte()) named "i1",
                columnOf(2.toShort(), Short.MIN_VALUE) named "i2",
                columnOf(3, Int.MIN_VALUE) named "i4",
                columnOf(4L, Long.MIN_VALUE) named "i8",
                columnOf(0.5f, -1f) named "f4",
                columnOf(0.25, Double.NaN) named "f8",
            )
        val written = group.write(frame)
        array("w", "int8", byteArrayOf(1, 2))
        val all = written.toDataFrame()
        assertEquals(frame.columnNames() + "w", all.columnNames(), "a column that was added comes last")
        val back = group.toDataFrame(*frame.columnNames().toTypedArray())
        assertEquals(frame, back)
        assertEquals(frame.columnTypes(), back.columnTypes())
    }

    @Test
    fun otherTypes_areWidened() {
        array("u1", "uint8", byteArrayOf(-1, 1))
        array("u2", "uint16", shortArrayOf(-1, 1))
        array("u4", "uint32", intArrayOf(-1, 1))
        array("u8", "uint64", longArrayOf(-1, 1))
        array("f2", "float16", shortArrayOf(0x3c00, 0))
        val frame = group.toDataFrame()
        assertEquals(listOf(1f, 0f), frame["f2"].toList())
        assertEquals(listOf(255, 1), frame["u1"].toList())
        assertEquals(listOf(65535, 1), frame["u2"].toList())
        assertEquals(listOf(4294967295L, 1L), frame["u4"].toList())
        assertEquals(listOf(BigInteger("18446744073709551615"), BigInteger.ONE), frame["u8"].toList())
        assertEquals(typeOf<BigInteger>(), frame["u8"].type())
    }

    @Test
    fun layouts_chooseTypesAndChunks_piecesAreWhole() {
        val frame = dataFrameOf(columnOf(*Array(10) { it * 25 }) named "x", columnOf(*Array(10) { "s$it" }) named "s")
        val written =
            group.write(frame) { column, spec ->
                val small = spec.withChunkShape(2).withShardShape(4)
                if (column == "x")
                    ArraySpec.of("uint8", 10).withChunkShape(2).withShardShape(4).withCodecs(Codecs.zstd(1))
                else small
            }
        assertEquals("uint8", group.array("x").dataType().name())
        assertArrayEquals(longArrayOf(4), group.array("s").storedChunkShape())
        assertEquals(frame, written.toDataFrame())
        val most = dataFrameOf(columnOf(256) named "y")
        assertThrows(ArithmeticException::class.java) { group.write(most) { _, _ -> ArraySpec.of("uint8", 1) } }
    }

    @Test
    fun emptyFrames_areKept() {
        group.write(dataFrameOf(DataColumn.createValueColumn("none", emptyList<Int>(), typeOf<Int>())))
        assertEquals(0, group.toDataFrame().rowsCount())
    }

    @Test
    fun wrongColumns_areRefusedBeforeAnythingIsWritten() {
        val good = columnOf(1, 2) named "good"
        for (wrong in listOf(columnOf(1, null) named "null", columnOf(listOf(1), listOf(2)) named "list")) {
            val error = assertThrows(IllegalArgumentException::class.java) { group.write(dataFrameOf(good, wrong)) }
            assertTrue(error.message.orEmpty().contains("column ${wrong.name()}"), error.message)
            assertTrue(group.childNames().isEmpty())
        }
        assertThrows(IllegalArgumentException::class.java) { group.toDataFrame() }
        group.write(dataFrameOf(good))
        assertThrows(StoreException::class.java) { group.write(dataFrameOf(good)) }
        group.write(dataFrameOf(good), IfExists.OVERWRITE)
        array("long", "int8", ByteArray(3), 3)
        val lengths = assertThrows(IllegalArgumentException::class.java) { group.toDataFrame() }
        assertTrue(lengths.message.orEmpty().contains("expected a column of 2 rows, like good"), lengths.message)
        array("c", "complex64", FloatArray(4))
        assertThrows(UnsupportedException::class.java) { group.toDataFrame("c") }
    }
}
