package dev.shardkit.hdf5.dataset;

import dev.shardkit.hdf5.file.Hdf5Errors;
import dev.shardkit.hdf5.message.Datatype;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;

/** Converts floating-point numbers of the file, such as values of attributes, to doubles. Stateless. */
final class RealNumber {
    // The indexes into the layout of a number. Positions are numbers of bits, from the lowest bit.
    private static final int SIGN = 0;
    private static final int PRECISION = 2;
    private static final int EXPONENT = 3;
    private static final int EXPONENT_BITS = 4;
    private static final int MANTISSA = 5;
    private static final int MANTISSA_BITS = 6;
    private static final int BIAS = 7;
    private static final int MAX_BYTES = 16;
    /** Numbers beyond this power of two become infinite, and tiny numbers become zero. */
    private static final int MAX_POWER = 1100;

    /** The layout of the 80-bit format of x87 processors, which stores the leading bit that other formats imply. */
    private static final List<Long> X87 = List.of(79L, 0L, 80L, 64L, 15L, 0L, 64L, 16383L);

    private RealNumber() {}

    /**
     * Converts a number to the nearest double. Supports IEEE 754 of 16 to 128 bits, bfloat16, and {@code long double}
     * of x87.
     *
     * @throws dev.shardkit.spi.error.UnsupportedException if the number has another format
     */
    static double toDouble(Datatype.Real type, byte[] stored) {
        List<Long> layout = type.layout();
        int mantissaBits = layout.get(MANTISSA_BITS).intValue();
        int exponentBits = layout.get(EXPONENT_BITS).intValue();
        boolean hasLeadingBit = layout.equals(X87);
        if (type.size() > MAX_BYTES || !hasLeadingBit && !isInterchange(layout)) {
            throw Hdf5Errors.unsupported("a floating-point number in the format " + layout);
        }
        byte[] bigEndian = stored.clone();
        if (!type.isBigEndian()) {
            for (int i = 0; i < bigEndian.length; i++) {
                bigEndian[i] = stored[bigEndian.length - 1 - i];
            }
        }
        BigInteger word = new BigInteger(1, bigEndian);
        BigInteger mantissa = bitField(word, layout.get(MANTISSA).intValue(), mantissaBits);
        long exponent =
                bitField(word, layout.get(EXPONENT).intValue(), exponentBits).longValue();
        boolean isNegative = word.testBit(layout.get(SIGN).intValue());
        // Without the leading bit, the mantissa of an infinity is zero.
        BigInteger fraction = hasLeadingBit ? mantissa.clearBit(mantissaBits - 1) : mantissa;
        if (exponent == (1L << exponentBits) - 1) {
            double infinity = isNegative ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
            return fraction.signum() == 0 ? infinity : Double.NaN;
        }
        BigInteger digits = hasLeadingBit || exponent == 0 ? mantissa : mantissa.setBit(mantissaBits);
        long power = Math.max(1, exponent) - layout.get(BIAS) - (hasLeadingBit ? mantissaBits - 1 : mantissaBits);
        double magnitude = scale(digits, power);
        return isNegative ? -magnitude : magnitude;
    }

    /**
     * Whether the layout is that of an IEEE 754 interchange format: adjacent mantissa, exponent and sign, and the bias
     * of the standard.
     */
    private static boolean isInterchange(List<Long> layout) {
        long mantissa = layout.get(MANTISSA_BITS);
        long exponent = layout.get(EXPONENT_BITS);
        return exponent >= 2
                && exponent <= 15
                && mantissa >= 1
                && layout.get(MANTISSA) == 0
                && layout.get(EXPONENT) == mantissa
                && layout.get(SIGN) == mantissa + exponent
                && layout.get(PRECISION) == mantissa + exponent + 1
                && layout.get(BIAS) == (1L << exponent - 1) - 1;
    }

    private static BigInteger bitField(BigInteger word, int offset, int count) {
        return word.shiftRight(offset).mod(BigInteger.ONE.shiftLeft(count));
    }

    /** Returns {@code digits} times a power of two, rounded once. */
    private static double scale(BigInteger digits, long power) {
        if (digits.signum() == 0 || power < -2 * MAX_POWER) {
            return 0;
        } else if (power > MAX_POWER) {
            return Double.POSITIVE_INFINITY;
        }
        return power >= 0
                ? new BigDecimal(digits.shiftLeft((int) power)).doubleValue()
                : new BigDecimal(digits)
                        .divide(new BigDecimal(BigInteger.ONE.shiftLeft((int) -power)))
                        .doubleValue();
    }
}
