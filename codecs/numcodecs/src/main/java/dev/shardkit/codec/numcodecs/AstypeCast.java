package dev.shardkit.codec.numcodecs;

import dev.shardkit.codec.support.NumberOrigin;
import dev.shardkit.codec.support.StoredNumbers;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.error.UnencodableException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Converts elements as NumPy's {@code astype} does, between integers, bool and floating-point numbers. Integers wrap
 * around. Floating-point numbers lose their fraction when they become integers. A floating-point number that is out of
 * the integer's range is an error on encoding, and wraps around on decoding, as in NumPy on x86-64. NaN and infinities
 * never become integers. Stateless.
 */
final class AstypeCast {
    private static final double TWO_TO_63 = 0x1p63;

    private AstypeCast() {}

    /** Stores integers as {@code to}. */
    static void store(long[] values, NumpyTypeName from, NumpyTypeName to, ByteBuffer out) {
        if (to.isBool()) {
            for (int i = 0; i < values.length; i++) {
                out.put(i, (byte) (values[i] == 0 ? 0 : 1));
            }
        } else if (to.isWhole()) {
            StoredNumbers.store(to.size(), values, out);
        } else {
            boolean unsigned = !from.wholeFormat().isSigned();
            for (int i = 0; i < values.length; i++) {
                StoredNumbers.setWord(
                        out, to.size(), i, to.floating().bitsOf(realValue(values[i], unsigned, to.floating())));
            }
        }
    }

    /** Rounds an integer once, to the nearest number of {@code format}. */
    private static double realValue(long value, boolean unsigned, FloatingFormat format) {
        boolean single = format.fractionBits() <= 23; // NumPy, too, converts to float16 by way of float32
        double rounded;
        if (unsigned && value < 0) {
            BigInteger large = new BigInteger(Long.toUnsignedString(value));
            rounded = single ? large.floatValue() : large.doubleValue();
        } else {
            rounded = single ? (float) value : (double) value;
        }
        return format.round(rounded);
    }

    /** Stores floating-point numbers as {@code to}. */
    static void store(double[] values, NumpyTypeName to, ByteBuffer out, String codec, NumberOrigin direction) {
        for (int i = 0; i < values.length; i++) {
            double x = values[i];
            long word;
            if (to.isBool()) {
                word = x == 0 ? 0 : 1;
            } else if (to.isWhole()) {
                word = wholeValue(x, to, codec, direction);
            } else {
                word = to.floating().bitsOf(to.floating().round(x));
            }
            StoredNumbers.setWord(out, to.size(), i, word);
        }
    }

    /** Truncates a number to an integer of type {@code to}; wraps or refuses numbers out of range. */
    private static long wholeValue(double x, NumpyTypeName to, String codec, NumberOrigin direction) {
        double minimum = to.wholeFormat().min();
        double exclusiveMaximum =
                Math.scalb(1.0, to.wholeFormat().bits() - (to.wholeFormat().isSigned() ? 1 : 0));
        // x == minimum is not redundant: for 64 bits, minimum - 1 rounds to minimum
        boolean inRange = (x > minimum - 1 || x == minimum) && x < exclusiveMaximum;
        boolean wraps = direction == NumberOrigin.DECODE && to.size() < 8 && Math.abs(x) < TWO_TO_63;
        if (!inRange && !wraps) { // NaN is neither in range nor does it wrap
            throw direction.refuse("codec " + codec + ": expected a number in the range of "
                    + to.dataType().name() + ", found " + x);
        }
        // uint64 above 2^63: a cast of Java would return 2^63-1
        return x >= TWO_TO_63 ? (long) (x - TWO_TO_63) ^ Long.MIN_VALUE : (long) x;
    }

    /** Returns the kernel that converts all elements of a chunk. */
    static WholeChunkConversion.Kernel kernel(
            NumpyTypeName from, NumpyTypeName to, String codec, NumberOrigin direction) {
        return from.isWhole()
                ? (in, out, n) -> store(from.longs(in, n), from, to, out)
                : (in, out, n) -> store(from.doubles(in, n), to, out, codec, direction);
    }

    /** Converts a fill value by {@code kernel}. Returns the default fill value if {@code to} cannot hold the result. */
    static FillValue fill(FillValue value, NumpyTypeName to, WholeChunkConversion.Kernel kernel) {
        ByteBuffer out = ByteBuffer.allocate(to.size()).order(ByteOrder.LITTLE_ENDIAN);
        try {
            kernel.run(ByteBuffer.wrap(value.bytes()).order(ByteOrder.LITTLE_ENDIAN), out, 1);
            return FillValue.of(out.array());
        } catch (UnencodableException e) {
            // for example NaN for integers; the fill value only decides which inner chunks a shard omits
            return to.dataType().defaultFill();
        }
    }
}
