package dev.shardkit.spi.array;

import java.math.RoundingMode;

/**
 * Casts numbers from one format to another by rules for rounding and for the range. A {@code long} carries integers as
 * {@link IntegerFormat} defines, and a {@code double} carries floating-point numbers. If the other format cannot
 * represent a number under these rules, all methods throw an {@link ArithmeticException} with the reason as its
 * message. An immutable value.
 *
 * @param rounding how to round to the precision of the other format: {@code HALF_EVEN}, {@code HALF_UP} (ties away from
 *     zero), {@code DOWN} (towards zero), {@code FLOOR} or {@code CEILING}; {@code UNNECESSARY} refuses numbers that
 *     the other format does not have
 * @param range the treatment of numbers outside the range of the other format
 */
public record NumberCast(RoundingMode rounding, Range range) {
    /** The treatment of numbers outside the range of the other format. */
    public enum Range {
        /** Such numbers are refused. */
        REFUSE,
        /**
         * Such numbers become the nearest number of the format: its least, its greatest, or an infinity if it has one.
         */
        CLAMP,
        /** Such numbers wrap around, as in two's complement. For integers only. */
        WRAP
    }

    /** Refuses every number that the other format does not have. */
    public static final NumberCast EXACT = new NumberCast(RoundingMode.UNNECESSARY, Range.REFUSE);

    private static final String OUT_OF_RANGE = "out of range";

    /** Casts an integer to an integer. */
    public long toInteger(IntegerFormat source, IntegerFormat target, long value) {
        boolean negative = source.isSigned() && value < 0;
        boolean isInRange =
                negative ? target.isSigned() && value >= target.min() : Long.compareUnsigned(value, target.max()) <= 0;
        if (isInRange) {
            return value;
        }
        return switch (range) {
            case CLAMP -> negative ? target.min() : target.max();
            case WRAP -> target.value(value);
            case REFUSE -> throw new ArithmeticException(OUT_OF_RANGE);
        };
    }

    /** Casts an integer to a floating-point number. Rounds once. */
    public double toFloating(IntegerFormat source, FloatingFormat target, long value) {
        boolean negative = source.isSigned() && value < 0;
        long magnitude = negative ? -value : value;
        // The number of bits beyond the precision of the target: its fraction and the leading one.
        int shift = 64 - Long.numberOfLeadingZeros(magnitude) - target.fractionBits() - 1;
        long rounded = magnitude;
        if (shift > 0) {
            rounded = (magnitude >>> shift) + (roundsUp(magnitude, shift, negative) ? 1 : 0);
        }
        double result = Math.scalb((double) rounded, Math.max(shift, 0));
        return inRange(target, negative ? -result : result);
    }

    /** Returns whether rounding away the lowest bits of a magnitude increases it. */
    private boolean roundsUp(long magnitude, int shift, boolean negative) {
        long discarded = magnitude & (1L << shift) - 1;
        long half = 1L << shift - 1;
        boolean odd = (magnitude >>> shift & 1) == 1;
        return switch (rounding) {
            case HALF_EVEN -> discarded > half || discarded == half && odd;
            case HALF_UP -> discarded >= half;
            case DOWN -> false;
            case CEILING -> discarded != 0 && !negative;
            case FLOOR -> discarded != 0 && negative;
            case UNNECESSARY -> {
                if (discarded != 0) {
                    throw new ArithmeticException("an integer of more bits");
                }
                yield false;
            }
            default -> throw new IllegalArgumentException("rounding " + rounding);
        };
    }

    /** Casts a floating-point number to an integer. NaN and infinities are always refused. */
    public long toInteger(IntegerFormat target, double value) {
        if (!Double.isFinite(value)) {
            throw new ArithmeticException("not a finite number");
        }
        if (rounding == RoundingMode.UNNECESSARY && value != Math.rint(value)) {
            throw new ArithmeticException("not an integer");
        }
        double rounded = rounding == RoundingMode.UNNECESSARY ? value : FloatingFormat.integral(value, rounding);
        double end = Math.scalb(1.0, target.isSigned() ? target.bits() - 1 : target.bits());
        if (rounded >= (target.isSigned() ? -end : 0) && rounded < end) {
            // A uint64 of 2^63 or more exceeds the range of the conversion to long.
            return rounded < 0x1p63 ? (long) rounded : (long) (rounded - 0x1p63) ^ Long.MIN_VALUE;
        }
        return switch (range) {
            case CLAMP -> rounded < 0 ? target.min() : target.max();
            case WRAP -> target.value(lowestBits(rounded));
            case REFUSE -> throw new ArithmeticException(OUT_OF_RANGE);
        };
    }

    /** Returns the lowest 64 bits of an integer, in two's complement. */
    private static long lowestBits(double integer) {
        if (Math.abs(integer) < 0x1p63) {
            return (long) integer;
        }
        // A double has 53 significant bits. Shifting them to their place drops the bits above the 64th.
        int shift = Math.getExponent(integer) - 52;
        return shift > 63 ? 0 : (long) Math.scalb(integer, -shift) << shift;
    }

    /** Casts a floating-point number to the precision and range of another format. Keeps NaN and infinities. */
    public double toFloating(FloatingFormat target, double value) {
        if (Double.isFinite(value)) {
            if (rounding != RoundingMode.UNNECESSARY) {
                return inRange(target, target.round(value, rounding));
            }
            double rounded = inRange(target, target.round(value, RoundingMode.HALF_EVEN));
            if (rounded != value) {
                throw new ArithmeticException("a number of more bits");
            }
            return rounded;
        } else if (Double.isNaN(value) ? target.hasNan() : target.hasInfinity()) {
            return value;
        }
        throw new ArithmeticException("not a finite number");
    }

    /** Returns the number if it is in the range of the target, otherwise applies {@link #range}. */
    private double inRange(FloatingFormat target, double rounded) {
        if (rounded >= target.min() && rounded <= target.max()) {
            return rounded;
        } else if (range == Range.CLAMP && rounded < target.min() && !target.hasInfinity()) {
            return target.min();
        } else if (range == Range.CLAMP) {
            return Math.copySign(target.hasInfinity() ? Double.POSITIVE_INFINITY : target.max(), rounded);
        }
        throw new ArithmeticException(OUT_OF_RANGE);
    }
}
