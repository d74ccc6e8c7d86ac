package dev.shardkit.dataframe

import dev.shardkit.ArraySpec
import dev.shardkit.IfExists
import dev.shardkit.Zarr
import dev.shardkit.ZarrGroup
import dev.shardkit.ZarrOptions
import dev.shardkit.cf.CfDataset
import dev.shardkit.spi.error.UnsupportedException
import dev.shardkit.spi.json.Json
import dev.shardkit.store.memory.MemoryStore
import java.math.BigInteger
import java.time.Duration
import java.time.LocalDateTime
import kotlin.reflect.typeOf
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test

/** Variables of the CF conventions become data frames: labels, physical values, types, nulls. */
class VariablesTest {
    private val group: ZarrGroup =
        Zarr.createGroup(MemoryStore.create(), "", Json.`object`(), IfExists.REFUSE, ZarrOptions.defaults())

    private fun array(
        name: String,
        type: String,
        values: Any,
        attributes: Map<String, Any>,
        vararg dimensions: String,
    ) {
        val shape = dimensions.map { if (it == "time") 2L else 3L }.toLongArray()
        val spec = ArraySpec.of(type, *shape).withDimensionNames(*dimensions).withAttributes(Json.of(attributes))
        group.createArray(name, spec, IfExists.REFUSE).use { it.write(it.domain(), values, 0) }
    }

    @BeforeEach
    fun create() {
        array("time", "int32", intArrayOf(0, 7), mapOf("units" to "hours since 2020-03-01"), "time")
        array("lat", "float32", floatArrayOf(50.5f, 40f, 30f), mapOf(), "lat")
        array(
            "t",
            "int16",
            shortArrayOf(10, 20, 30, 40, 50, -1),
            mapOf("scale_factor" to 0.5, "_FillValue" to -1),
            "time",
            "lat",
        )
    }

    @Test
    fun rows_haveLabelsAndPhysicalValues() {
        val t = CfDataset.of(group).variable("t")
        val frame = t.select().toDataFrame()
        assertEquals(listOf("time", "lat", "t"), frame.columnNames())
        assertEquals(
            listOf(typeOf<LocalDateTime>(), typeOf<Float>(), typeOf<Double?>()),
            frame.columnTypes(),
        )
        val seven = LocalDateTime.of(2020, 3, 1, 7, 0)
        assertEquals(listOf(seven, 30f, null), frame[5].values())
        assertEquals(listOf(5.0, 10.0, 15.0, 20.0, 25.0, null), frame["t"].toList())
        val point = t.select().at("lat", 40).toDataFrame()
        assertEquals(listOf("time", "lat", "t"), point.columnNames())
        assertEquals(listOf(seven, 40f, 25.0), point[1].values())
    }

    @Test
    fun otherElements_keepTheirForm() {
        val days = mapOf("units" to "days since 2000-02-29", "calendar" to "360_day")
        array("day", "int32", intArrayOf(0, 1), days, "time")
        array("span", "int32", intArrayOf(1, 2), mapOf("units" to "seconds", "dtype" to "timedelta64[s]"), "time")
        array("name", "string", arrayOf("a", "b"), mapOf(), "time")
        array("odd", "int8", byteArrayOf(0, 1), mapOf("dtype" to "bool"), "time")
        array("u1", "uint8", byteArrayOf(-1, 1), mapOf(), "time")
        array("u2", "uint16", shortArrayOf(-1, 1), mapOf(), "time")
        array("u4", "uint32", intArrayOf(-1, 1), mapOf(), "time")
        array("u8", "uint64", longArrayOf(-1, 1), mapOf(), "time")
        val flags = mapOf("flag_values" to listOf(1, 2), "flag_meanings" to "sea land")
        array("surface", "int8", byteArrayOf(2, 7), flags, "time")
        array("half", "float16", shortArrayOf(0x3e00, 0x3c00), mapOf(), "time")
        array("pair", "complex64", FloatArray(4), mapOf(), "time")
        val dataset = CfDataset.of(group)
        val names = listOf("day", "span", "name", "odd", "u1", "u2", "u4", "u8", "surface", "half")
        val selections = names.map { dataset.variable(it).select() }
        val frame = selections.first().toDataFrame(*selections.drop(1).toTypedArray())
        assertEquals(
            listOf(
                "2000-02-29T00:00:00",
                Duration.ofSeconds(1),
                "a",
                false,
                255,
                65535,
                4294967295L,
                BigInteger("18446744073709551615"),
                "land",
                1.5f,
            ),
            frame[0].values().drop(1),
        )
        assertEquals(null, frame["surface"][1], "7 has no meaning")
        assertEquals(typeOf<String?>(), frame["surface"].type())
        assertEquals(typeOf<BigInteger>(), frame["u8"].type())
        assertEquals(typeOf<Float>(), frame["half"].type())
        assertThrows(UnsupportedException::class.java) { dataset.variable("pair").select().toDataFrame() }
    }

    @Test
    fun numbersThatAreNoCodes_haveNoMeaning_andACodeHasItsFirstMeaning() {
        val flags = mapOf("flag_values" to listOf(0, 1, 1), "flag_meanings" to "sea land earth")
        val numbers = floatArrayOf(0f, 0.4f, 1.7f, Float.POSITIVE_INFINITY, -0.9f, 1f)
        array("kind", "float32", numbers, flags, "time", "lat")
        array("word", "uint64", longArrayOf(-1, 1), flags, "time")
        val dataset = CfDataset.of(group)
        assertEquals(
            listOf("sea", null, null, null, null, "land"),
            dataset.variable("kind").select().toDataFrame()["kind"].toList(),
        )
        assertEquals(listOf(null, "land"), dataset.variable("word").select().toDataFrame()["word"].toList())
    }

    @Test
    fun coordinateThatIsAValue_isOneColumn() {
        array("height", "int8", byteArrayOf(5, 6), mapOf(), "time")
        array("u", "int8", byteArrayOf(1, 2), mapOf("coordinates" to "height"), "time")
        val dataset = CfDataset.of(group)
        val lat = dataset.variable("lat").select().toDataFrame()
        assertEquals(listOf("lat"), lat.columnNames())
        assertEquals(listOf(50.5f, 40f, 30f), lat["lat"].toList())
        val both = dataset.variable("u").select().toDataFrame(dataset.variable("height").select())
        assertEquals(listOf("time", "u", "height"), both.columnNames())
    }
}
