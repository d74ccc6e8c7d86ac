package dev.shardkit.hdf5;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;

/** Floating-point numbers as Java numbers. Stateless. */
final class RealNumber {
    private static final int SIGN = 0;
    private static final int PRECISION = 2;
    private static final int EXPONENT = 3;
    private static final int EXPONENT_BITS = 4;
    private static final int MANTISSA = 5;
    private static final int MANTISSA_BITS = 6;
    private static final int BIAS = 7;
    private static final int MAX_BYTES = 16;
    /** Beyond this power of two, a number is infinite; far below it, zero. */
    private static final int MAX_POWER = 1100;

    /** The extended format of x87: its leading bit is stored. */
    private static final List<Long> X87 = List.of(79L, 0L, 80L, 64L, 15L, 0L, 64L, 16383L);

    private RealNumber() {}

    /**
     * Returns the number nearest to one of the file: IEEE 754 of 16 to 128 bits, bfloat16, or {@code long double} of
     * x87.
     *
     * @throws dev.shardkit.spi.error.UnsupportedException if the format is another one
     */
    static double of(Datatype.Real type, byte[] stored) {
        List<Long> layout = type.layout();
        int mantissaBits = layout.get(MANTISSA_BITS).intValue();
        int exponentBits = layout.get(EXPONENT_BITS).intValue();
        boolean hasLeadingBit = layout.equals(X87);
        if (type.size() > MAX_BYTES || !hasLeadingBit && !isInterchange(layout)) {
            throw Hdf5.unsupported("a floating-point number in the format " + layout);
        }
        byte[] big = stored.clone();
        if (!type.big()) {
            for (int i = 0; i < big.length; i++) {
                big[i] = stored[big.length - 1 - i];
            }
        }
        BigInteger word = new BigInteger(1, big);
        BigInteger mantissa = bits(word, layout.get(MANTISSA).intValue(), mantissaBits);
        long exponent =
                bits(word, layout.get(EXPONENT).intValue(), exponentBits).longValue();
        boolean isNegative = word.testBit(layout.get(SIGN).intValue());
        BigInteger fraction = hasLeadingBit ? mantissa.clearBit(mantissaBits - 1) : mantissa;
        if (exponent == (1L << exponentBits) - 1) {
            double infinity = isNegative ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
            return fraction.signum() == 0 ? infinity : Double.NaN;
        }
        BigInteger digits = hasLeadingBit || exponent == 0 ? mantissa : mantissa.setBit(mantissaBits);
        long power = Math.max(1, exponent) - layout.get(BIAS) - (hasLeadingBit ? mantissaBits - 1 : mantissaBits);
        double size = scaled(digits, power);
        return isNegative ? -size : size;
    }

    /** Returns whether sign, exponent and mantissa follow each other, and the bias is that of IEEE 754. */
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

    private static BigInteger bits(BigInteger word, int from, int count) {
        return word.shiftRight(from).mod(BigInteger.ONE.shiftLeft(count));
    }

    /** Returns {@code digits} times a power of two, rounded once. */
    private static double scaled(BigInteger digits, long power) {
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
