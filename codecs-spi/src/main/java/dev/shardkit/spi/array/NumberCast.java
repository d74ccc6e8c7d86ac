package dev.shardkit.spi.array;

import java.math.RoundingMode;

/**
 * Casts numbers from one format to another. A {@code long} carries integers as {@link WholeFormat} defines, and a
 * {@code double} carries floating-point numbers. All methods throw {@link ArithmeticException}, with the reason as its
 * message, for numbers without a counterpart. An immutable value.
 *
 * @param rounding how to round to the precision of the other format: {@code HALF_EVEN}, {@code HALF_UP} (ties away from
 *     zero), {@code DOWN} (towards zero), {@code FLOOR} or {@code CEILING}; {@code UNNECESSARY} refuses numbers that
 *     the other format does not have
 * @param range the treatment of numbers outside the range of the other format
 */
public record NumberCast(RoundingMode rounding, Range range) {
    /** The treatment of numbers outside the range of the other format. */
    public enum Range {
        /** They are refused. */
        REFUSE,
        /** They become the nearest number of the format: its least, its greatest, or an infinity if it has one. */
        CLAMP,
        /** They wrap around, as in two's complement. For integers only. */
        WRAP
    }

    /** Refuses every number that the other format does not have. */
    public static final NumberCast EXACT = new NumberCast(RoundingMode.UNNECESSARY, Range.REFUSE);

    private static final String OUT_OF_RANGE = "out of range";

    /** Casts an integer to an integer. */
    public long whole(WholeFormat from, WholeFormat to, long value) {
        boolean negative = from.isSigned() && value < 0;
        boolean fits = negative ? to.isSigned() && value >= to.least() : Long.compareUnsigned(value, to.most()) <= 0;
        if (fits) {
            return value;
        }
        return switch (range) {
            case CLAMP -> negative ? to.least() : to.most();
            case WRAP -> to.value(value);
            case REFUSE -> throw new ArithmeticException(OUT_OF_RANGE);
        };
    }

    /** Casts an integer to a floating-point number. Rounds once. */
    public double floating(WholeFormat from, FloatingFormat to, long value) {
        boolean negative = from.isSigned() && value < 0;
        long magnitude = negative ? -value : value;
        int shift = 64 - Long.numberOfLeadingZeros(magnitude) - to.fractionBits() - 1;
        long kept = magnitude;
        if (shift > 0) {
            kept = (magnitude >>> shift) + (up(magnitude, shift, negative) ? 1 : 0);
        }
        double result = Math.scalb((double) kept, Math.max(shift, 0));
        return inRange(to, negative ? -result : result);
    }

    /** Returns whether rounding away the lowest bits of a magnitude increases it. */
    private boolean up(long magnitude, int shift, boolean negative) {
        long rest = magnitude & (1L << shift) - 1;
        long half = 1L << shift - 1;
        boolean odd = (magnitude >>> shift & 1) == 1;
        return switch (rounding) {
            case HALF_EVEN -> rest > half || rest == half && odd;
            case HALF_UP -> rest >= half;
            case DOWN -> false;
            case CEILING -> rest != 0 && !negative;
            case FLOOR -> rest != 0 && negative;
            case UNNECESSARY -> {
                if (rest != 0) {
                    throw new ArithmeticException("an integer of more bits");
                }
                yield false;
            }
            default -> throw new IllegalArgumentException("rounding " + rounding);
        };
    }

    /** Casts a floating-point number to an integer. NaN and infinities are always refused. */
    public long whole(WholeFormat to, double value) {
        if (!Double.isFinite(value)) {
            throw new ArithmeticException("not a finite number");
        }
        if (rounding == RoundingMode.UNNECESSARY && value != Math.rint(value)) {
            throw new ArithmeticException("not an integer");
        }
        double rounded = rounding == RoundingMode.UNNECESSARY ? value : FloatingFormat.integral(value, rounding);
        double end = Math.scalb(1.0, to.isSigned() ? to.bits() - 1 : to.bits());
        if (rounded >= (to.isSigned() ? -end : 0) && rounded < end) {
            return rounded < 0x1p63 ? (long) rounded : (long) (rounded - 0x1p63) ^ Long.MIN_VALUE;
        }
        return switch (range) {
            case CLAMP -> rounded < 0 ? to.least() : to.most();
            case WRAP -> to.value(lowest(rounded));
            case REFUSE -> throw new ArithmeticException(OUT_OF_RANGE);
        };
    }

    /** Returns the lowest 64 bits of an integer, in two's complement. */
    private static long lowest(double integer) {
        if (Math.abs(integer) < 0x1p63) {
            return (long) integer;
        }
        // 53 bits, shifted left; bits beyond the 64th are lost
        int places = Math.getExponent(integer) - 52;
        return places > 63 ? 0 : (long) Math.scalb(integer, -places) << places;
    }

    /** Casts a floating-point number to the precision and range of another format. Keeps NaN and infinities. */
    public double floating(FloatingFormat to, double value) {
        if (Double.isFinite(value)) {
            if (rounding != RoundingMode.UNNECESSARY) {
                return inRange(to, to.round(value, rounding));
            }
            double rounded = inRange(to, to.round(value, RoundingMode.HALF_EVEN));
            if (rounded != value) {
                throw new ArithmeticException("a number of more bits");
            }
            return rounded;
        } else if (Double.isNaN(value) ? to.hasNan() : to.hasInfinity()) {
            return value;
        }
        throw new ArithmeticException("not a finite number");
    }

    private double inRange(FloatingFormat to, double rounded) {
        if (rounded >= to.least() && rounded <= to.largest()) {
            return rounded;
        } else if (range == Range.CLAMP && rounded < to.least() && !to.hasInfinity()) {
            return to.least();
        } else if (range == Range.CLAMP) {
            return Math.copySign(to.hasInfinity() ? Double.POSITIVE_INFINITY : to.largest(), rounded);
        }
        throw new ArithmeticException(OUT_OF_RANGE);
    }
}
