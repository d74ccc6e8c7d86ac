package dev.shardkit.spi.array;

import java.math.RoundingMode;

/**
 * A binary floating-point format with the layout of IEEE 754: a sign, an exponent and a fraction. Numbers whose stored
 * exponent is 0 are subnormal: they have no leading one. A {@code double} can represent every value of the format.
 * Conversions lose the payload of a NaN. An immutable value.
 *
 * @param exponentBits from 1 to 11
 * @param fractionBits from 0 to 52
 * @param bias the number to subtract from the stored exponent
 * @param specials how the format encodes infinities and NaN
 */
public record FloatingFormat(int exponentBits, int fractionBits, int bias, Specials specials) implements NumberFormat {
    /** How the format encodes infinities and NaN. */
    public enum Specials {
        /** With the highest exponent, as in IEEE 754: an infinity if the fraction is zero, otherwise a NaN. */
        IEEE,
        /**
         * The bit pattern of negative zero is the only NaN; the format has no infinities and no negative zero ("fnuz").
         */
        NAN_FOR_NEGATIVE_ZERO,
        /**
         * The format has neither: all bit patterns are finite numbers, as in float6_e2m3fn. float8_e4m3fn is not such a
         * format, because it has a NaN.
         */
        NONE,
        /**
         * All values are powers of two; the format has no sign, no fraction and no zero ("fnu"). The only NaN has all
         * bits set; there are no infinities and no subnormal numbers.
         */
        POWERS_OF_TWO
    }

    /** float16. */
    public static final FloatingFormat BINARY16 = new FloatingFormat(5, 10, 15, Specials.IEEE);
    /** float32. */
    public static final FloatingFormat BINARY32 = new FloatingFormat(8, 23, 127, Specials.IEEE);
    /** float64. */
    public static final FloatingFormat BINARY64 = new FloatingFormat(11, 52, 1023, Specials.IEEE);
    /** bfloat16: the upper half of a float32. */
    public static final FloatingFormat BFLOAT16 = new FloatingFormat(8, 7, 127, Specials.IEEE);

    /** Rejects formats with values that a {@code double} cannot represent. */
    public FloatingFormat {
        if (exponentBits < 1 || exponentBits > 11 || fractionBits < 0 || fractionBits > 52 || bias < 0 || bias > 1023) {
            throw new IllegalArgumentException("expected a floating-point format that fits a double, found "
                    + exponentBits + " and " + fractionBits + " bits, bias " + bias);
        } else if (specials == Specials.POWERS_OF_TWO && fractionBits != 0) {
            throw new IllegalArgumentException(
                    "expected powers of two without a fraction, found " + fractionBits + " bits of a fraction");
        }
    }

    @Override
    public int bits() {
        return (isSigned() ? 1 : 0) + exponentBits + fractionBits;
    }

    /** Returns whether the format has zero and negative numbers. */
    public boolean isSigned() {
        return specials != Specials.POWERS_OF_TWO;
    }

    /** Returns whether the format has infinities. */
    public boolean hasInfinity() {
        return specials == Specials.IEEE;
    }

    /** Returns whether the format has NaN. */
    public boolean hasNan() {
        return specials != Specials.NONE;
    }

    /** Returns the greatest finite value. */
    public double max() {
        // The highest stored exponent may stand for infinities and NaN only.
        boolean isHighestReserved = specials == Specials.IEEE || specials == Specials.POWERS_OF_TWO;
        int highestExponent = (1 << exponentBits) - (isHighestReserved ? 2 : 1);
        return Math.scalb(2 - Math.scalb(1.0, -fractionBits), highestExponent - bias);
    }

    /** Returns the least finite value. */
    public double min() {
        return isSigned() ? -max() : Math.scalb(1.0, -bias);
    }

    /**
     * Returns the bits of the NaN to write; if there are several, the one whose fraction has only its highest bit set.
     */
    public long quietNan() {
        return switch (specials) {
            case IEEE -> (1L << exponentBits) - 1 << fractionBits | (fractionBits > 0 ? 1L << fractionBits - 1 : 0);
            case NAN_FOR_NEGATIVE_ZERO -> 1L << bits() - 1;
            case POWERS_OF_TWO -> (1L << exponentBits) - 1;
            case NONE -> throw new IllegalArgumentException("this format has no NaN");
        };
    }

    /** Returns the value of the lowest bits of {@code word}. */
    public double value(long word) {
        if (fractionBits == 52 && exponentBits == 11) {
            return Double.longBitsToDouble(word);
        } else if (fractionBits == 23 && exponentBits == 8) {
            return Float.intBitsToFloat((int) word);
        }
        int exponent = (int) (word >>> fractionBits) & (1 << exponentBits) - 1;
        if (specials == Specials.POWERS_OF_TWO) {
            return cut(word) == quietNan() ? Double.NaN : Math.scalb(1.0, exponent - bias);
        }
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
     * Rounds {@code value} to the precision of this format. The result may be greater than {@link #max} or less than
     * {@link #min}; the caller decides whether that is an infinity or an error. NaN and infinities are returned
     * unchanged.
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
        // The quantum is the exponent of the distance between neighbouring values. Subnormal numbers have the distance
        // of the least normal numbers.
        int lowestExponent = isSigned() ? 1 - bias : -bias;
        int quantum = Math.max(Math.getExponent(value), lowestExponent) - fractionBits;
        return Math.scalb(integral(Math.scalb(value, -quantum), mode), quantum);
    }

    /**
     * Rounds to the nearest value of this format, ties to even. Values beyond the largest become infinities. A format
     * of powers of two has neither infinities nor zero: values beyond the largest, zero and negative values become NaN,
     * and positive values below the least become the least.
     */
    public double round(double value) {
        double rounded = round(value, RoundingMode.HALF_EVEN);
        if (!isSigned()) {
            return value > 0 && rounded <= max() ? Math.max(rounded, min()) : Double.NaN;
        }
        return Math.abs(rounded) > max() ? Math.copySign(Double.POSITIVE_INFINITY, value) : rounded;
    }

    /** Rounds {@code value} to an integer and keeps the sign of zero. */
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
     * Returns the bits of {@code value}, which must be a value of this format, including its NaN and infinities.
     *
     * @throws IllegalArgumentException if the format does not have that value
     */
    public long bitsOf(double value) {
        if (Double.isNaN(value)) {
            return quietNan();
        } else if (fractionBits == 52 && exponentBits == 11) {
            return Double.doubleToRawLongBits(value);
        } else if (fractionBits == 23 && exponentBits == 8 && (float) value == value) {
            return Float.floatToRawIntBits((float) value) & 0xffffffffL;
        }
        if (!isSigned()) {
            return powerBits(value);
        }
        long sign = Double.doubleToRawLongBits(value) < 0 ? 1L << bits() - 1 : 0;
        double magnitude = Math.abs(value);
        if (Double.isInfinite(value) && hasInfinity()) {
            return sign | (1L << exponentBits) - 1 << fractionBits;
        } else if (magnitude > max()) {
            throw new IllegalArgumentException(value + " is past " + max());
        } else if (magnitude == 0 && specials == Specials.NAN_FOR_NEGATIVE_ZERO) {
            return 0;
        }
        int exponent = Math.getExponent(magnitude);
        // The fraction as an integer, without the leading one of normal numbers, which the format does not store.
        double fraction = exponent < 1 - bias
                ? Math.scalb(magnitude, fractionBits - 1 + bias)
                : Math.scalb(magnitude, fractionBits - exponent) - Math.scalb(1.0, fractionBits);
        if (fraction != Math.rint(fraction)) {
            throw new IllegalArgumentException(value + " has more bits than the format");
        }
        return sign | (exponent < 1 - bias ? 0 : (long) (exponent + bias) << fractionBits) | (long) fraction;
    }

    /** Returns the bits of a power of two: its stored exponent. */
    private long powerBits(double value) {
        if (!(value >= min() && value <= max())) {
            throw new IllegalArgumentException(value + " is not from " + min() + " to " + max());
        }
        int exponent = Math.getExponent(value);
        if (Math.scalb(1.0, exponent) != value) {
            throw new IllegalArgumentException(value + " is not a power of two");
        }
        return exponent + bias;
    }
}
