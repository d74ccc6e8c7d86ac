package dev.shardkit.spi.array;

import java.math.RoundingMode;

/**
 * Binary floating-point numbers as IEEE 754 lays them out: a sign, an exponent, a fraction; subnormal numbers below the
 * least exponent. Every value of a format is a {@code double}. A NaN's payload does not survive a conversion.
 * Immutable, a value.
 *
 * @param exponentBits from 1 to 11
 * @param fractionBits from 0 to 52
 * @param bias what is subtracted from the stored exponent
 * @param specials what stands for infinities and NaN
 */
public record FloatingFormat(int exponentBits, int fractionBits, int bias, Specials specials) implements NumberFormat {
    /** What stands for infinities and NaN. */
    public enum Specials {
        /** The highest exponent, as in IEEE 754: an infinity with fraction zero, otherwise a NaN. */
        IEEE,
        /** No infinities and no negative zero, whose bits are the only NaN ("fnuz"). */
        NAN_FOR_NEGATIVE_ZERO,
        /** Neither ("fn"): all bits are numbers. */
        NONE
    }

    /** float16. */
    public static final FloatingFormat BINARY16 = new FloatingFormat(5, 10, 15, Specials.IEEE);
    /** float32. */
    public static final FloatingFormat BINARY32 = new FloatingFormat(8, 23, 127, Specials.IEEE);
    /** float64. */
    public static final FloatingFormat BINARY64 = new FloatingFormat(11, 52, 1023, Specials.IEEE);
    /** bfloat16: the upper half of a float32. */
    public static final FloatingFormat BFLOAT16 = new FloatingFormat(8, 7, 127, Specials.IEEE);

    /** Checks that a {@code double} holds every value. */
    public FloatingFormat {
        if (exponentBits < 1 || exponentBits > 11 || fractionBits < 0 || fractionBits > 52 || bias < 0 || bias > 1023) {
            throw new IllegalArgumentException("no floating-point format that fits a double: " + exponentBits + " and "
                    + fractionBits + " bits, bias " + bias);
        }
    }

    @Override
    public int bits() {
        return 1 + exponentBits + fractionBits;
    }

    /** Whether it has infinities. */
    public boolean hasInfinity() {
        return specials == Specials.IEEE;
    }

    /** Whether it has NaN. */
    public boolean hasNan() {
        return specials != Specials.NONE;
    }

    /** The greatest finite value. */
    public double largest() {
        int top = (1 << exponentBits) - (specials == Specials.IEEE ? 2 : 1);
        return Math.scalb(2 - Math.scalb(1.0, -fractionBits), top - bias);
    }

    /** The bits of NaN as it is written: with the highest fraction bit alone where there is a choice. */
    public long quietNan() {
        return switch (specials) {
            case IEEE -> (1L << exponentBits) - 1 << fractionBits | (fractionBits > 0 ? 1L << fractionBits - 1 : 0);
            case NAN_FOR_NEGATIVE_ZERO -> 1L << bits() - 1;
            case NONE -> throw new IllegalArgumentException("this format has no NaN");
        };
    }

    /** The value that the lowest bits of {@code word} are. */
    public double value(long word) {
        if (fractionBits == 52 && exponentBits == 11) {
            return Double.longBitsToDouble(word);
        } else if (fractionBits == 23 && exponentBits == 8) {
            return Float.intBitsToFloat((int) word);
        }
        int exponent = (int) (word >>> fractionBits) & (1 << exponentBits) - 1;
        long fraction = word & (1L << fractionBits) - 1;
        double sign = (word >>> bits() - 1 & 1) == 0 ? 1 : -1;
        if (specials == Specials.IEEE && exponent == (1 << exponentBits) - 1) {
            return fraction != 0 ? Double.NaN : sign * Double.POSITIVE_INFINITY;
        } else if (specials == Specials.NAN_FOR_NEGATIVE_ZERO && cut(word) == quietNan()) {
            return Double.NaN;
        } else if (exponent == 0) {
            return sign * Math.scalb((double) fraction, 1 - bias - fractionBits);
        }
        return sign * Math.scalb((double) (fraction | 1L << fractionBits), exponent - bias - fractionBits);
    }

    /**
     * The nearest number of this precision, which may be greater than {@link #largest}: whether that is an infinity or
     * an error is the caller's to say. NaN and infinities are what they are.
     *
     * @param mode HALF_EVEN, HALF_UP (ties away from zero), DOWN (towards zero), FLOOR or CEILING
     */
    public double round(double value, RoundingMode mode) {
        if (fractionBits == 52 && exponentBits == 11 || !Double.isFinite(value)) {
            return value;
        } else if (mode == RoundingMode.HALF_EVEN
                && fractionBits == 23
                && exponentBits == 8
                && Math.abs(value) <= Float.MAX_VALUE) {
            return (float) value;
        }
        int quantum = Math.max(Math.getExponent(value), 1 - bias) - fractionBits;
        return Math.scalb(integral(Math.scalb(value, -quantum), mode), quantum);
    }

    /** Like {@link #round(double, RoundingMode)} to the nearest, ties to even; past the largest, an infinity. */
    public double round(double value) {
        double rounded = round(value, RoundingMode.HALF_EVEN);
        return Math.abs(rounded) > largest() ? Math.copySign(Double.POSITIVE_INFINITY, value) : rounded;
    }

    /** The nearest integer to {@code value}; the sign of zero stays. */
    public static double integral(double value, RoundingMode mode) {
        return switch (mode) {
            case HALF_EVEN -> Math.rint(value);
            case DOWN -> value < 0 ? Math.ceil(value) : Math.floor(value);
            case FLOOR -> Math.floor(value);
            case CEILING -> Math.ceil(value);
            case HALF_UP -> {
                double below = Math.floor(Math.abs(value));
                yield Math.copySign(Math.abs(value) - below >= 0.5 ? below + 1 : below, value);
            }
            default -> throw new IllegalArgumentException("rounding " + mode);
        };
    }

    /**
     * The bits of {@code value}, which must be one of this format's, or a NaN or an infinity where it has them.
     *
     * @throws IllegalArgumentException if it has not that value
     */
    public long bitsOf(double value) {
        if (Double.isNaN(value)) {
            return quietNan();
        } else if (fractionBits == 52 && exponentBits == 11) {
            return Double.doubleToRawLongBits(value);
        } else if (fractionBits == 23 && exponentBits == 8 && (float) value == value) {
            return Float.floatToRawIntBits((float) value) & 0xffffffffL;
        }
        long sign = Double.doubleToRawLongBits(value) < 0 ? 1L << bits() - 1 : 0;
        double magnitude = Math.abs(value);
        if (Double.isInfinite(value) && hasInfinity()) {
            return sign | (1L << exponentBits) - 1 << fractionBits;
        } else if (magnitude > largest()) {
            throw new IllegalArgumentException(value + " is past " + largest());
        } else if (magnitude == 0 && specials == Specials.NAN_FOR_NEGATIVE_ZERO) {
            return 0;
        }
        int exponent = Math.getExponent(magnitude);
        double scaled = exponent < 1 - bias
                ? Math.scalb(magnitude, fractionBits - 1 + bias)
                : Math.scalb(magnitude, fractionBits - exponent) - Math.scalb(1.0, fractionBits);
        if (scaled != Math.rint(scaled)) {
            throw new IllegalArgumentException(value + " has more bits than the format");
        }
        return sign | (exponent < 1 - bias ? 0 : (long) (exponent + bias) << fractionBits) | (long) scaled;
    }
}
