package dev.shardkit.kotlin

import dev.shardkit.NdArray
import dev.shardkit.ZarrArray
import dev.shardkit.ZarrView
import dev.shardkit.spi.array.Box
import dev.shardkit.spi.array.FloatingFormat

/**
 * Returns the region of these index ranges, one per dimension: `region(0L..99, 30L..59)`. `LongRange.EMPTY` selects
 * nothing.
 *
 * @throws IllegalArgumentException if a range has a negative index. Only an array knows its end: `array[-10L..-1]` and
 *   [select] count from there
 */
public fun region(vararg ranges: LongRange): Box = box(ranges) { d, range -> range.also { refuseNegative(d, range) } }

/**
 * Reads the region of these index ranges, one per dimension, blocking: `array[0L..99, -10L..-1]`. Negative indices
 * count from the end: `-10L..-1` are the last ten. A range from an index to a negative one is refused, because Kotlin
 * has no such ranges: `0L..-1` is empty.
 *
 * @throws IllegalArgumentException for ranges such as `0L..-1`; the message shows how to write the range
 * @throws IndexOutOfBoundsException if the region reaches outside the array
 */
public operator fun ZarrArray.get(vararg ranges: LongRange): NdArray = read(within(ranges))

/** Returns the region of these index ranges, one per dimension: `region(0..99, 30..59)`; see the form for [Long]. */
public fun region(vararg ranges: IntRange): Box = region(*long(ranges))

/** Reads the region of these index ranges, one per dimension, blocking: `array[0..99, -10..-1]`; see [get]. */
public operator fun ZarrArray.get(vararg ranges: IntRange): NdArray = read(within(long(ranges)))

/**
 * Overwrites the region of these index ranges, one per dimension, blocking: `array[0L..99, 30L..59] = values`; see
 * [get].
 */
public operator fun ZarrArray.set(vararg ranges: LongRange, values: NdArray): Unit = write(within(ranges), values)

/**
 * Overwrites the region of these index ranges, one per dimension, blocking: `array[0..99, 30..59] = values`; see [get].
 */
public operator fun ZarrArray.set(vararg ranges: IntRange, values: NdArray): Unit = write(within(long(ranges)), values)

private fun long(ranges: Array<out IntRange>): Array<LongRange> =
    Array(ranges.size) { ranges[it].first.toLong()..ranges[it].last.toLong() }

private fun box(ranges: Array<out LongRange>, resolve: (Int, LongRange) -> LongRange): Box {
    val resolved = ranges.mapIndexed(resolve)
    return Box.of(
        LongArray(ranges.size) { resolved[it].first },
        LongArray(ranges.size) {
            if (resolved[it].isEmpty()) 0 else Math.addExact(resolved[it].last - resolved[it].first, 1)
        },
    )
}

private fun ZarrArray.within(ranges: Array<out LongRange>): Box {
    val shape = shape()
    return box(ranges) { d, range ->
        if (d >= shape.size) range else fromStart(d, range, shape[d]).let { it.first..it.last }
    }
}

private fun refuseNegative(dimension: Int, range: LongRange) {
    require(range.first >= 0 && range.last >= 0) {
        "dimension $dimension: expected indices from 0 on, because a region does not know the end of an array, found " +
            "$range; write array[-10L..-1] or select(-10..-1) for the last ten, LongRange.EMPTY for no index"
    }
}

/**
 * Returns a range or progression with indices that count from the start of a dimension.
 *
 * @throws IllegalArgumentException if one end counts from the start and the other from the end in a way that Kotlin
 *   takes as empty or as another direction
 */
private fun fromStart(dimension: Int, indices: LongProgression, length: Long): LongProgression {
    val first = indices.first
    val last = indices.last
    fun absolute(index: Long) = if (index < 0) index + length else index
    // An empty range selects nothing. If only one of its ends is negative, the caller meant another range: see below.
    if (indices.isEmpty() && (first < 0 == last < 0 || length == 0L)) {
        return 0L..-1L
    }
    val ascends = indices.step > 0
    if (ascends && first >= 0 && last < 0) {
        throw IllegalArgumentException(
            "dimension $dimension: $first..$last is an empty range in Kotlin; for its length $length, write " +
                "$first..${length + last} to end at index $last from the end, $first..${length + last - 1} for " +
                "$first:$last of Python, or LongRange.EMPTY for no index. In select, From($first) is all from $first on"
        )
    }
    if (!ascends && first < 0 != last < 0) {
        throw IllegalArgumentException(
            "dimension $dimension: expected both ends of $first downTo $last to count from the start, or both from " +
                "the end; for its length $length, write ${absolute(first)} downTo ${maxOf(0, absolute(last))}"
        )
    }
    val from = absolute(first)
    val to = absolute(last)
    require(!ascends || from <= to) {
        "dimension $dimension: $first..$last begins at index $from, after its end, for a length of $length"
    }
    return LongProgression.fromClosedRange(from, to, indices.step)
}

/** All indices of a dimension, for [select]. */
public object All

/** The indices from [first] to the end of a dimension, for [select]. A negative [first] counts from the end. */
public data class From(val first: Long)

/**
 * Selects in every dimension, in order: `array.view().select(-1, 0..99 step 2, listOf(5, 3), From(10), All)`.
 *
 * An [Int] or [Long] selects one index and removes the dimension. Ranges and progressions of either select their
 * indices; a list, [IntArray] or [LongArray] selects those it holds; a [BooleanArray] is a mask. Negative indices count
 * from the end: -1 is the last one, and `-10..-1` are the last ten. An empty range, such as `LongRange.EMPTY`, selects
 * nothing. Ranges such as `2..-1`, which Kotlin takes as empty, are refused; [From] reaches to the end.
 *
 * @throws IllegalArgumentException if the number of selections is not the number of dimensions, one has another type,
 *   or a range such as `2..-1` was given; the message shows how to write it
 * @throws IndexOutOfBoundsException if an index is outside the view
 */
public fun ZarrView.select(vararg indices: Any): ZarrView {
    require(indices.size == shape().size) {
        "expected ${shape().size} selections, one for each dimension, found ${indices.size}"
    }
    return indices.indices.reversed().fold(this) { view, d -> view.select(d, indices[d]) }
}

/** Selects in the dimensions of these names: `array.view().select("t" to -1, "z" to 10..19)`; see [select]. */
public fun ZarrView.select(vararg named: Pair<String, Any>): ZarrView =
    named.fold(this) { view, (name, index) -> view.select(view.dimension(name), index) }

private fun ZarrView.select(d: Int, index: Any): ZarrView {
    val length = shape()[d]
    fun absolute(i: Number) = i.toLong().let { if (it < 0) it + length else it }
    return when (index) {
        is All -> this
        is From -> range(d, absolute(index.first), length)
        is Int,
        is Long -> at(d, absolute(index as Number))
        is IntProgression ->
            range(d, LongProgression.fromClosedRange(index.first.toLong(), index.last.toLong(), index.step.toLong()))
        is LongProgression -> range(d, index)
        is IntArray -> indices(d, *LongArray(index.size) { absolute(index[it]) })
        is LongArray -> indices(d, *LongArray(index.size) { absolute(index[it]) })
        is List<*> -> indices(d, *LongArray(index.size) { absolute(number(index[it])) })
        is BooleanArray -> mask(d, *index)
        else ->
            throw IllegalArgumentException(
                "dimension $d: expected an index, range, list, mask or All, found ${index::class.java.simpleName}"
            )
    }
}

private fun number(of: Any?): Number =
    of as? Int ?: of as? Long ?: throw IllegalArgumentException("expected indices of type Int or Long, found $of")

private fun ZarrView.range(d: Int, given: LongProgression): ZarrView {
    val indices = fromStart(d, given, shape()[d])
    return when {
        indices.isEmpty() -> range(d, 0, 0)
        indices.step > 0 -> range(d, indices.first, indices.last + 1, indices.step)
        else -> range(d, indices.last, indices.first + 1, -indices.step).reversed(d)
    }
}

/**
 * The element at these indices, one per dimension: `plane[3, 4]`. It is an [Int] for integers of up to 16 bits and for
 * int32, a [Long] for uint32 and int64, a [java.math.BigInteger] for uint64, a [Double] for float64, and a [Float] for
 * smaller floating-point types.
 *
 * @throws IllegalArgumentException if the elements are not numbers; see [NdArray.array] for those
 * @throws IndexOutOfBoundsException if an index is outside the shape
 */
public operator fun NdArray.get(vararg index: Int): Number = element(LongArray(index.size) { index[it].toLong() })

/** The element at these indices, one per dimension: `plane[3L, 4L]`; see [get]. */
public operator fun NdArray.get(vararg index: Long): Number = element(index)

private fun NdArray.element(index: LongArray): Number {
    if (dataType().number().orElse(null) is FloatingFormat) {
        return doubleAt(*index).let { if (array() is DoubleArray) it else it.toFloat() }
    }
    val integer = integerAt(*index)
    val isUnsigned = dataType().name().startsWith("uint")
    return when (array()) {
        is LongArray -> if (isUnsigned) integer else integer.toLong()
        is IntArray -> if (isUnsigned) integer.toLong() else integer.toInt()
        else -> integer.toInt()
    }
}

/** The elements of a uint8 array as unsigned numbers, shared. */
@ExperimentalUnsignedTypes
public val NdArray.ubytes: UByteArray
    get() = bytes().asUByteArray()

/** The elements of a uint16 array as unsigned numbers, shared. */
@ExperimentalUnsignedTypes
public val NdArray.ushorts: UShortArray
    get() = shorts().asUShortArray()

/** The elements of a uint32 array as unsigned numbers, shared. */
@ExperimentalUnsignedTypes
public val NdArray.uints: UIntArray
    get() = ints().asUIntArray()

/** The elements of a uint64 array as unsigned numbers, shared. */
@ExperimentalUnsignedTypes
public val NdArray.ulongs: ULongArray
    get() = longs().asULongArray()
