package dev.shardkit.dataframe

import dev.shardkit.cf.CfColumn
import dev.shardkit.cf.CfDateTime
import dev.shardkit.cf.CfKind
import dev.shardkit.cf.CfRows
import dev.shardkit.cf.CfSelection
import dev.shardkit.cf.CfTable
import dev.shardkit.cf.CfValues
import dev.shardkit.spi.array.Carrier
import dev.shardkit.spi.array.IntegerFormat
import dev.shardkit.spi.error.UnsupportedException
import java.math.BigInteger
import java.time.Duration
import java.time.LocalDateTime
import kotlin.jvm.optionals.getOrNull
import kotlin.reflect.KType
import kotlin.reflect.typeOf
import org.jetbrains.kotlinx.dataframe.AnyFrame
import org.jetbrains.kotlinx.dataframe.DataColumn
import org.jetbrains.kotlinx.dataframe.api.Infer
import org.jetbrains.kotlinx.dataframe.api.dataFrameOf

/** The maximum number of rows that are decoded at a time. */
private const val BLOCK_ROWS = 1 shl 20

/**
 * Reads the selected elements as the rows of a data frame: a column of labels for each dimension, then the other
 * coordinates, then the physical values. All rows are read into memory, in C order; see [CfTable].
 *
 * Numbers become the Kotlin types of the decoded values, as in [dev.shardkit.ZarrGroup.toDataFrame]. Moments become
 * [LocalDateTime] in UTC. Moments of calendars that `java.time` does not have become texts in the form of ISO 8601.
 * Time spans become [Duration]. Codes with `flag_meanings` become their meanings. Missing elements, NaN and codes
 * without a meaning are null.
 *
 * @param others the same elements of other variables of the same dimensions; each becomes a column
 * @throws IllegalArgumentException if the selections differ in dimensions or elements, or a label does not exist
 * @throws UnsupportedException if a data frame has no type for the elements of a variable, or [CfTable] refuses the
 *   selections
 */
public fun CfSelection.toDataFrame(vararg others: CfSelection): AnyFrame {
    val table = CfTable.of(this, *others)
    if (table.rows() > Int.MAX_VALUE) {
        throw UnsupportedException(
            "expected less than 2^31 rows of a data frame, found ${table.rows()}; select fewer elements"
        )
    }
    val columns = table.columns().mapIndexed { c, column -> RowColumn(column, table.hasJavaTimes(c)) }
    for (block in table.blocks(BLOCK_ROWS)) {
        columns.forEachIndexed { c, column -> column.add(block, c) }
    }
    return dataFrameOf(columns.map { it.toColumn() })
}

/** Collects the values of one column of the data frame, block by block. */
private class RowColumn(
    private val column: CfColumn,
    private val hasJavaTimes: Boolean,
) {
    /**
     * The meaning of each code of a variable with `flag_meanings`. If a code has two meanings, the first one counts.
     */
    private val codes =
        column
            .variable()
            .flatMap { it.codes() }
            .getOrNull()
            ?.flags()
            ?.reversed()
            ?.associate { it.value().get() to it.meaning() }
    private val elements = ArrayList<Any?>()

    /** Adds the values of column number [c] of a block of rows. */
    fun add(
        rows: CfRows,
        c: Int,
    ) {
        val values = rows.values(c)
        val missing = values.missing()
        val get = getter(rows, c)
        for (row in 0 until rows.count()) {
            val i = rows.index(c, row) // many rows share one label
            elements.add(if (missing[i]) null else get(i))
        }
    }

    /** Returns a function from the index of a value to the value in the type of the column. */
    private fun getter(
        rows: CfRows,
        c: Int,
    ): (Int) -> Any? {
        val values = rows.values(c)
        return when (column.kind()) {
            CfKind.TIME -> { i ->
                moment(values.times()[i].get())
            }
            CfKind.DURATION -> { i ->
                values.durations()[i].get()
            }
            CfKind.TEXT -> { i ->
                values.values().strings()[i]
            }
            CfKind.BOOLEAN -> { i ->
                values.values().booleans()[i]
            }
            CfKind.NUMBER -> if (codes != null) meanings(codes, values) else numbers(values.values().array())
            CfKind.OTHER -> throw unsupported()
        }
    }

    private fun meanings(
        codes: Map<Long, String>,
        values: CfValues,
    ): (Int) -> Any? = { i ->
        val code = values.integer(i)
        if (code.isPresent) codes[code.asLong] else null
    }

    private fun numbers(array: Any): (Int) -> Any =
        when (array) {
            is DoubleArray -> { i ->
                array[i]
            }
            is FloatArray -> { i ->
                array[i]
            }
            is ByteArray -> { i ->
                if (isSigned()) array[i] else array[i].toUByte().toInt()
            }
            is ShortArray -> { i ->
                if (isSigned()) array[i] else array[i].toUShort().toInt()
            }
            is IntArray -> { i ->
                if (isSigned()) array[i] else array[i].toUInt().toLong()
            }
            is LongArray -> { i ->
                if (isSigned()) array[i] else BigInteger(array[i].toULong().toString())
            }
            else -> throw unsupported()
        }

    private fun moment(time: CfDateTime): Any =
        if (hasJavaTimes) {
            time.toLocalDateTime().orElseThrow {
                UnsupportedException("column ${column.name()}: expected moments since 1582, found $time")
            }
        } else {
            time.toString()
        }

    private fun isSigned(): Boolean =
        (column.variable().getOrNull()?.valueType()?.number()?.getOrNull() as? IntegerFormat)?.isSigned ?: true

    private fun unsupported() =
        UnsupportedException("column ${column.name()}: a data frame has no type for its elements")

    fun toColumn(): DataColumn<*> = DataColumn.createValueColumn(column.name(), elements, type(), Infer.Nulls)

    private fun type(): KType =
        when (column.kind()) {
            CfKind.TIME -> if (hasJavaTimes) typeOf<LocalDateTime>() else typeOf<String>()
            CfKind.DURATION -> typeOf<Duration>()
            CfKind.TEXT -> typeOf<String>()
            CfKind.BOOLEAN -> typeOf<Boolean>()
            else -> if (codes != null) typeOf<String>() else numberType()
        }

    private fun numberType(): KType =
        when (column.variable().getOrNull()?.valueType()?.carrier() ?: Carrier.LONG) {
            Carrier.DOUBLE -> typeOf<Double>()
            Carrier.FLOAT -> typeOf<Float>()
            Carrier.BYTE -> if (isSigned()) typeOf<Byte>() else typeOf<Int>()
            Carrier.SHORT -> if (isSigned()) typeOf<Short>() else typeOf<Int>()
            Carrier.INT -> if (isSigned()) typeOf<Int>() else typeOf<Long>()
            Carrier.LONG -> if (isSigned()) typeOf<Long>() else typeOf<BigInteger>()
            else -> throw unsupported()
        }
}
