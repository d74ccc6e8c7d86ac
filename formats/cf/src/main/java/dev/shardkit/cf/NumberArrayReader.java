package dev.shardkit.cf;

import dev.shardkit.NdArray;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.array.NumberFormat;
import java.math.BigDecimal;

/**
 * Reads the elements of a Java array as numbers. {@link MaskAndScale} then converts these stored numbers to physical
 * ones. Stateless.
 *
 * @param array the array; its words hold the bits of the numbers
 * @param format how the bits are read: as signed integers, unsigned integers or floating-point numbers
 */
record NumberArrayReader(Object array, NumberFormat format) {
    /** Returns the elements of an array of numbers. */
    static NumberArrayReader of(NdArray values) {
        return new NumberArrayReader(values.array(), values.dataType().number().orElseThrow());
    }

    boolean isWhole() {
        return format instanceof IntegerFormat;
    }

    /** Returns the bits of an element. */
    private long word(int i) {
        if (array instanceof byte[] bytes) {
            return bytes[i];
        } else if (array instanceof short[] shorts) {
            return shorts[i];
        } else if (array instanceof int[] ints) {
            return ints[i];
        } else if (array instanceof float[] floats) {
            return Float.floatToRawIntBits(floats[i]);
        } else if (array instanceof double[] doubles) {
            return Double.doubleToRawLongBits(doubles[i]);
        }
        return ((long[]) array)[i];
    }

    /** Returns an integer; an unsigned one of 64 bits as its bits. */
    long whole(int i) {
        return ((IntegerFormat) format).value(word(i));
    }

    /** Returns a number, rounded to the nearest {@code double}. */
    double number(int i) {
        if (format instanceof FloatingFormat floating) {
            return floating.value(word(i));
        }
        IntegerFormat integers = (IntegerFormat) format;
        long value = integers.value(word(i));
        boolean isBeyondLong = !integers.isSigned() && value < 0;
        return isBeyondLong ? (value >>> 1 | value & 1) * 2.0 : value; // keeps the lowest bit, for correct rounding
    }

    /** Returns an integer exactly. */
    BigDecimal exact(int i) {
        return new BigDecimal(((IntegerFormat) format).text(whole(i)));
    }
}
