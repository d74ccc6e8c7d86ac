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

/** Overwrites the region of these index ranges, blocking: `array[0L..99, 30L..59] = values`. */
public operator fun ZarrArray.set(r0: LongRange, values: NdArray): Unit = write(region(r0), values)

/** Overwrites the region of these index ranges, blocking: `array[0L..99, 30L..59] = values`. */
public operator fun ZarrArray.set(r0: LongRange, r1: LongRange, values: NdArray): Unit = write(region(r0, r1), values)

/** Overwrites the region of these index ranges, blocking. */
public operator fun ZarrArray.set(r0: LongRange, r1: LongRange, r2: LongRange, values: NdArray): Unit =
    write(region(r0, r1, r2), values)

/** Overwrites the region of these index ranges, blocking. */
public operator fun ZarrArray.set(
    r0: LongRange,
    r1: LongRange,
    r2: LongRange,
    r3: LongRange,
    values: NdArray,
): Unit = write(region(r0, r1, r2, r3), values)

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
