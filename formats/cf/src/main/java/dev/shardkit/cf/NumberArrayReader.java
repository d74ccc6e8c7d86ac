package dev.shardkit.cf;

import dev.shardkit.NdArray;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.array.NumberFormat;
import java.math.BigDecimal;

/**
 * Reads elements of a Java array as stored numbers; the format tells integers, with or without a sign, from
 * floating-point numbers. {@link MaskAndScale} converts stored numbers to physical ones. Stateless beside the array.
 */
record NumberArrayReader(Object array, NumberFormat format) {
    /** Returns the elements of an array of numbers. */
    static NumberArrayReader of(NdArray values) {
        return new NumberArrayReader(values.array(), values.dataType().number().orElseThrow());
    }

    boolean isWhole() {
        return format instanceof IntegerFormat;
    }

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

    /** Returns an integer; one of 64 bits without a sign as its bits. */
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
        return integers.isSigned() || value >= 0 ? value : (value >>> 1 | value & 1) * 2.0;
    }

    /** Returns an integer exactly. */
    BigDecimal exact(int i) {
        return new BigDecimal(((IntegerFormat) format).text(whole(i)));
    }
}
