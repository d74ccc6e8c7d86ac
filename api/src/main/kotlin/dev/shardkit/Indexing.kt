package dev.shardkit

import dev.shardkit.spi.array.Box

/** Returns the region of these index ranges, one per dimension: `region(0L..99, 30L..59)`. */
public fun region(vararg ranges: LongRange): Box =
    Box.of(
        LongArray(ranges.size) { ranges[it].first },
        LongArray(ranges.size) {
            if (ranges[it].isEmpty()) 0 else Math.addExact(ranges[it].last - ranges[it].first, 1)
        },
    )

/** Reads the region of these index ranges, one per dimension, blocking: `array[0L..99, 30L..59]`. */
public operator fun ZarrArray.get(vararg ranges: LongRange): NdArray = read(region(*ranges))

/** Returns the region of these index ranges, one per dimension: `region(0..99, 30..59)`. */
public fun region(vararg ranges: IntRange): Box =
    region(*Array(ranges.size) { ranges[it].first.toLong()..ranges[it].last.toLong() })

/** Reads the region of these index ranges, one per dimension, blocking: `array[0..99, 30..59]`. */
public operator fun ZarrArray.get(vararg ranges: IntRange): NdArray = read(region(*ranges))

/** Overwrites the region of these index ranges, one per dimension, blocking: `array[0L..99, 30L..59] = values`. */
public operator fun ZarrArray.set(vararg ranges: LongRange, values: NdArray): Unit = write(region(*ranges), values)

/** Overwrites the region of these index ranges, one per dimension, blocking: `array[0..99, 30..59] = values`. */
public operator fun ZarrArray.set(vararg ranges: IntRange, values: NdArray): Unit = write(region(*ranges), values)

/** All indices of a dimension, for [select]. */
public object All

/** The indices from [first] to the end of a dimension, for [select]. A negative [first] counts from the end. */
public data class From(val first: Long)

/**
 * Selects in every dimension, in order: `array.view().select(-1, 0..99 step 2, listOf(5, 3), From(10), All)`.
 *
 * An [Int] or [Long] selects one index and removes the dimension. Ranges and progressions of either select their
 * indices; a list, [IntArray] or [LongArray] selects those it holds; a [BooleanArray] is a mask. Negative indices count
 * from the end: -1 is the last one, and `-10..-1` are the last ten. An empty range selects nothing.
 *
 * @throws IllegalArgumentException if the number of selections is not the number of dimensions, or one has another type
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
        is IntProgression -> select(d, index.first.toLong(), index.last.toLong(), index.step.toLong())
        is LongProgression -> select(d, index.first, index.last, index.step)
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

private fun ZarrView.select(d: Int, first: Long, last: Long, step: Long): ZarrView {
    val low = if (step > 0) first else last
    val high = if (step > 0) last else first
    if (low > high) {
        return range(d, 0, 0)
    }
    val length = shape()[d]
    val some = range(d, if (low < 0) low + length else low, (if (high < 0) high + length else high) + 1, Math.abs(step))
    return if (step > 0) some else some.reversed(d)
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
