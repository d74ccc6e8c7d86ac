package dev.shardkit.dataframe

import dev.shardkit.ArraySpec
import dev.shardkit.IfExists
import dev.shardkit.ZarrArray
import dev.shardkit.ZarrGroup
import dev.shardkit.spi.json.Json
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf

/** The attribute of the group: an object whose member [COLUMNS] lists the columns in their order. */
private const val ATTRIBUTE = "dataframe"
private const val COLUMNS = "columns"

/** The default number of rows of an inner chunk. */
private const val CHUNK_ROWS = 1L shl 16

/** The default maximum number of rows of a shard. */
private const val SHARD_ROWS = 1L shl 20

/** Chooses how a column is stored. */
public fun interface FrameLayout {
    /** Returns the array for [column]: [spec], or a copy with other chunks, codecs or data type. */
    public fun layout(
        column: String,
        spec: ArraySpec,
    ): ArraySpec
}

/**
 * Reads one-dimensional arrays of this group, all of the same length, as the columns of a data frame. All elements are
 * read into memory.
 *
 * `bool`, signed integers, `float32`, `float64` and `string` become the Kotlin types of the same values. `uint8` and
 * `uint16` become `Int`, `uint32` becomes `Long`, `uint64` becomes `BigInteger`, `float16` becomes `Float`.
 *
 * @param columns the names of the arrays, in the order of the columns; without any, all one-dimensional arrays: first
 *   those that were written as a data frame, in its order, then the others by name
 * @throws IllegalArgumentException if there are no such arrays, one is not one-dimensional, or their lengths differ
 * @throws dev.shardkit.spi.error.UnsupportedException if a data frame has no type for the elements of a column
 */
public fun ZarrGroup.toDataFrame(vararg columns: String): AnyFrame {
    val arrays = (if (columns.isEmpty()) tableNames() else columns.toList()).map { it to array(it) }
    require(arrays.isNotEmpty()) { "${location()}: expected arrays with one dimension, found none" }
    val rows = arrays.first().second.shape().first()
    for ((name, array) in arrays) {
        require(array.shape().contentEquals(longArrayOf(rows))) {
            "${array.location()}: expected a column of $rows rows, like ${arrays.first().first}, found shape " +
                array.shape().contentToString()
        }
    }
    return dataFrameOf(arrays.map { (name, array) -> array.readColumn(name) })
}

/** Returns the one-dimensional arrays: those of the attribute `dataframe` in its order, then the others by name. */
private fun ZarrGroup.tableNames(): List<String> {
    val order =
        (attributes().get(ATTRIBUTE).orElse(null) as? Json.Obj)
            ?.get(COLUMNS)
            ?.map { it as? Json.Arr }
            ?.orElse(null)
            ?.items()
            .orEmpty()
            .map { (it as? Json.Str)?.value() }
    return children()
        .filterValues { it is ZarrArray && it.shape().size == 1 }
        .keys
        .sortedBy { name -> order.indexOf(name).let { if (it < 0) order.size else it } }
}

/**
 * Writes the columns of a data frame as arrays of this group, with a shard of up to 2^20 rows in memory. The attribute
 * `dataframe` of the group keeps the order of the columns.
 *
 * A column holds `Boolean`, `Byte`, `Short`, `Int`, `Long`, `Float`, `Double` or `String`. [layout] may choose another
 * data type for numbers; they are converted exactly. All columns are checked before anything is written.
 *
 * @param existing what to do with arrays of the same names
 * @return the group with its new attributes
 * @throws IllegalArgumentException if a column has another type, a null, or no legal name for an array
 * @throws ArithmeticException if the data type that [layout] chose cannot represent a number; other columns may be
 *   written
 */
public fun ZarrGroup.write(
    frame: AnyFrame,
    existing: IfExists = IfExists.REFUSE,
    layout: FrameLayout = FrameLayout { _, spec -> spec },
): ZarrGroup {
    val columns = frame.columns().map { FrameColumn.of(it) }
    for (column in columns) {
        val spec =
            ArraySpec.of(column.type.name(), column.rows)
                .withChunkShape(minOf(CHUNK_ROWS, maxOf(1, column.rows)))
                .withShardShape(shardRows(column.rows))
        createArray(column.name, layout.layout(column.name, spec), existing).use { column.write(it) }
    }
    return changeAttributes {
        it.with(ATTRIBUTE, Json.`object`().with(COLUMNS, Json.of(columns.map(FrameColumn::name))))
    }
}

/** Returns the length of a shard: a multiple of the inner chunk's length, and no more than the rows need. */
private fun shardRows(rows: Long): Long =
    if (rows <= CHUNK_ROWS) maxOf(1, rows) else minOf(SHARD_ROWS, (rows + CHUNK_ROWS - 1) / CHUNK_ROWS * CHUNK_ROWS)
