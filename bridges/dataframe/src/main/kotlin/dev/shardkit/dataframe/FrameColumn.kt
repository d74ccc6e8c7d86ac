package dev.shardkit.dataframe

import dev.shardkit.NdArray
import dev.shardkit.ZarrArray
import dev.shardkit.spi.array.Box
import dev.shardkit.spi.array.DataType
import dev.shardkit.spi.error.UnsupportedException
import dev.shardkit.spi.type.CoreTypes
import java.math.BigInteger
import kotlin.reflect.KClass
import kotlin.reflect.KType
import kotlin.reflect.typeOf
import org.jetbrains.kotlinx.dataframe.AnyCol
import org.jetbrains.kotlinx.dataframe.DataColumn

/** The data types of the columns that an array can hold. */
private val TYPES: Map<KClass<*>, DataType> =
    mapOf(
        Boolean::class to CoreTypes.BOOL,
        Byte::class to CoreTypes.INT8,
        Short::class to CoreTypes.INT16,
        Int::class to CoreTypes.INT32,
        Long::class to CoreTypes.INT64,
        Float::class to CoreTypes.FLOAT32,
        Double::class to CoreTypes.FLOAT64,
        String::class to CoreTypes.STRING,
    )

/** A column of a data frame that an array can hold: elements without nulls of a known type. */
internal class FrameColumn
private constructor(
    val name: String,
    val type: DataType,
    private val values: List<Any>,
) {
    val rows: Long
        get() = values.size.toLong()

    /** Writes the elements to an array, one shard at a time, but at most 2^22 rows. */
    fun write(array: ZarrArray) {
        val maxCount = array.storedChunkShape().first().coerceIn(1L, MAX_ROWS)
        for (from in 0 until rows step maxCount) {
            val count = minOf(maxCount, rows - from)
            val part = values.subList(from.toInt(), (from + count).toInt())
            val elements = NdArray.of(type, longArrayOf(count), elements(part))
            array.write(
                Box.of(longArrayOf(from), longArrayOf(count)),
                if (array.dataType() == type) elements else elements.convert(array.dataType()),
            )
        }
    }

    @Suppress("UNCHECKED_CAST")
    private fun elements(part: List<Any>): Any =
        when (type) {
            CoreTypes.BOOL -> (part as List<Boolean>).toBooleanArray()
            CoreTypes.INT8 -> (part as List<Byte>).toByteArray()
            CoreTypes.INT16 -> (part as List<Short>).toShortArray()
            CoreTypes.INT32 -> (part as List<Int>).toIntArray()
            CoreTypes.INT64 -> (part as List<Long>).toLongArray()
            CoreTypes.FLOAT32 -> (part as List<Float>).toFloatArray()
            CoreTypes.FLOAT64 -> (part as List<Double>).toDoubleArray()
            else -> (part as List<String>).toTypedArray()
        }

    companion object {
        /** The most rows in memory at once, for arrays with very large shards. */
        private const val MAX_ROWS = 1L shl 22

        /** Checks the type of a column and that it has no nulls. */
        fun of(column: AnyCol): FrameColumn {
            val name = column.name()
            val type =
                requireNotNull(TYPES[column.type().classifier]) {
                    "column $name: expected Boolean, a number or String, found ${column.type()}"
                }
            val values =
                column.toList().mapIndexed { row, value ->
                    requireNotNull(value) {
                        "column $name, row $row: expected a value, found null, which Zarr does not have"
                    }
                }
            return FrameColumn(name, type, values)
        }
    }
}

/** Reads an array as a column. Types that Kotlin lacks are widened: `uint8` becomes `Int`, for example. */
internal fun ZarrArray.readColumn(name: String): AnyCol {
    val type = dataType().name()
    return when (type) {
        "bool" -> column(name, read().booleans().asList(), typeOf<Boolean>())
        "int8" -> column(name, read().bytes().asList(), typeOf<Byte>())
        "int16" -> column(name, read().shorts().asList(), typeOf<Short>())
        "int32",
        "uint8",
        "uint16" -> column(name, read().convert(CoreTypes.INT32).ints().asList(), typeOf<Int>())
        "int64",
        "uint32" -> column(name, read().convert(CoreTypes.INT64).longs().asList(), typeOf<Long>())
        "uint64" ->
            read().let { all ->
                column(name, List(Math.toIntExact(all.count())) { all.integerAt(it.toLong()) }, typeOf<BigInteger>())
            }
        "float16",
        "float32" -> column(name, read().convert(CoreTypes.FLOAT32).floats().asList(), typeOf<Float>())
        "float64" -> column(name, read().doubles().asList(), typeOf<Double>())
        "string",
        "fixed_length_utf32" -> column(name, read().strings().asList(), typeOf<String>())
        else -> throw UnsupportedException("${location()}: a data frame has no column type for data type $type")
    }
}

private fun <T> column(
    name: String,
    values: List<T>,
    type: KType,
): AnyCol = DataColumn.createValueColumn(name, values, type)
