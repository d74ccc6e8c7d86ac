package dev.shardkit.codec.castvalue;

import dev.shardkit.codec.support.Elementwise;
import dev.shardkit.codec.support.Numbers;
import dev.shardkit.codec.support.Way;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.WholeFormat;
import java.nio.ByteBuffer;

/** Casts elements from one type to another. Immutable and thread-safe. */
record Cast(DataType from, DataType to, Rounding rounding, OutOfRange range, ScalarMap map, Way way)
        implements Elementwise.Kernel {
    /** A value without a counterpart in the other type. The caller adds the element to the message. */
    private static final class NoCounterpart extends RuntimeException {
        private static final long serialVersionUID = 1;

        NoCounterpart(String why) {
            super(why, null, false, false);
        }
    }

    @Override
    public void run(ByteBuffer in, ByteBuffer out, int n) {
        if (from.number().equals(to.number()) && map.isEmpty()) {
            out.put(0, in, 0, in.limit());
        } else if (from.number().orElseThrow() instanceof WholeFormat f) {
            long[] values = Numbers.load(f, from.carrier().wordSize(), in, n);
            if (to.number().orElseThrow() instanceof WholeFormat t) {
                wholeToWhole(f, t, values, out);
            } else {
                wholeToFloating(f, (FloatingFormat) to.number().orElseThrow(), values, out);
            }
        } else {
            FloatingFormat f = (FloatingFormat) from.number().orElseThrow();
            double[] values = Numbers.load(f, from.carrier().wordSize(), in, n);
            if (to.number().orElseThrow() instanceof WholeFormat t) {
                floatingToWhole(t, values, out);
            } else {
                floatingToFloating((FloatingFormat) to.number().orElseThrow(), values, out);
            }
        }
    }

    private RuntimeException refuse(String value, NoCounterpart e) {
        return way.refuse("codec " + CastValueCodec.NAME + ": expected a number of " + from.name() + " that "
                + to.name() + " has, found " + value + ", which is " + e.getMessage());
    }

    private void wholeToWhole(WholeFormat f, WholeFormat t, long[] values, ByteBuffer out) {
        for (int i = 0; i < values.length; i++) {
            int mapped = map.find(values[i]);
            try {
                values[i] = mapped >= 0 ? map.whole(mapped) : whole(f, t, values[i]);
            } catch (NoCounterpart e) {
                throw refuse(f.text(values[i]), e);
            }
        }
        Numbers.store(to.carrier().wordSize(), values, out);
    }

    private long whole(WholeFormat f, WholeFormat t, long value) {
        boolean negative = f.isSigned() && value < 0;
        boolean fits = negative ? t.isSigned() && value >= t.least() : Long.compareUnsigned(value, t.most()) <= 0;
        if (fits) {
            return value;
        }
        return switch (range) {
            case CLAMP -> negative ? t.least() : t.most();
            case WRAP -> t.value(value);
            case REFUSE -> throw new NoCounterpart("out of range");
        };
    }

    private void wholeToFloating(WholeFormat f, FloatingFormat t, long[] values, ByteBuffer out) {
        double[] results = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            int mapped = map.find(values[i]);
            try {
                results[i] = mapped >= 0 ? map.floating(mapped) : inRange(t, rounded(f, t, values[i]));
            } catch (NoCounterpart e) {
                throw refuse(f.text(values[i]), e);
            }
        }
        Numbers.store(t, to.carrier().wordSize(), results, out);
    }

    /** Returns the number with {@code t}'s precision nearest to {@code value}, correctly rounded. */
    private double rounded(WholeFormat f, FloatingFormat t, long value) {
        boolean negative = f.isSigned() && value < 0;
        long magnitude = negative ? -value : value;
        int precision = t.fractionBits() + 1;
        int shift = 64 - Long.numberOfLeadingZeros(magnitude) - precision;
        long kept = magnitude;
        if (shift > 0) {
            kept = magnitude >>> shift;
            long rest = magnitude & (1L << shift) - 1;
            long half = 1L << shift - 1;
            boolean up =
                    switch (rounding) {
                        case NEAREST_EVEN -> rest > half || rest == half && (kept & 1) == 1;
                        case NEAREST_AWAY -> rest >= half;
                        case TOWARDS_ZERO -> false;
                        case TOWARDS_POSITIVE -> rest != 0 && !negative;
                        case TOWARDS_NEGATIVE -> rest != 0 && negative;
                    };
            kept += up ? 1 : 0;
        }
        double result = Math.scalb((double) kept, Math.max(shift, 0));
        return negative ? -result : result;
    }

    private double inRange(FloatingFormat t, double rounded) {
        if (Math.abs(rounded) <= t.largest()) {
            return rounded;
        } else if (range == OutOfRange.CLAMP) {
            return Math.copySign(t.hasInfinity() ? Double.POSITIVE_INFINITY : t.largest(), rounded);
        }
        throw new NoCounterpart("out of range");
    }

    private void floatingToWhole(WholeFormat t, double[] values, ByteBuffer out) {
        long[] results = new long[values.length];
        for (int i = 0; i < values.length; i++) {
            int mapped = map.find(values[i]);
            try {
                results[i] = mapped >= 0 ? map.whole(mapped) : whole(t, values[i]);
            } catch (NoCounterpart e) {
                throw refuse(Double.toString(values[i]), e);
            }
        }
        Numbers.store(to.carrier().wordSize(), results, out);
    }

    private long whole(WholeFormat t, double value) {
        if (!Double.isFinite(value)) {
            throw new NoCounterpart("no finite number");
        }
        double rounded = FloatingFormat.integral(value, rounding.mode());
        double end = Math.scalb(1.0, t.isSigned() ? t.bits() - 1 : t.bits());
        if (rounded >= (t.isSigned() ? -end : 0) && rounded < end) {
            return rounded < 0x1p63 ? (long) rounded : (long) (rounded - 0x1p63) ^ Long.MIN_VALUE;
        }
        return switch (range) {
            case CLAMP -> rounded < 0 ? t.least() : t.most();
            case WRAP -> t.value(lowest(rounded));
            case REFUSE -> throw new NoCounterpart("out of range");
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

    private void floatingToFloating(FloatingFormat t, double[] values, ByteBuffer out) {
        for (int i = 0; i < values.length; i++) {
            int mapped = map.find(values[i]);
            try {
                values[i] = mapped >= 0 ? map.floating(mapped) : floating(t, values[i]);
            } catch (NoCounterpart e) {
                throw refuse(Double.toString(values[i]), e);
            }
        }
        Numbers.store(t, to.carrier().wordSize(), values, out);
    }

    private double floating(FloatingFormat t, double value) {
        if (Double.isFinite(value)) {
            return inRange(t, t.round(value, rounding.mode()));
        } else if (Double.isNaN(value) ? t.hasNan() : t.hasInfinity()) {
            return value;
        }
        throw new NoCounterpart("no finite number");
    }
}
