package dev.shardkit.codec.castvalue;

import dev.shardkit.codec.support.Elementwise;
import dev.shardkit.codec.support.NumberOrigin;
import dev.shardkit.codec.support.StoredNumbers;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.array.NumberCast;
import java.nio.ByteBuffer;

/**
 * Casts elements from one type to another, for {@link CastValueCodec}. A number that {@code map} lists becomes its
 * counterpart there; any other number is cast. Immutable and thread-safe.
 *
 * @param source the type of the input
 * @param target the type of the output
 * @param cast converts numbers
 * @param map the scalars that have counterparts in the configuration
 * @param direction tells errors whether the numbers come from the caller, a chunk or the fill value
 */
record ElementCast(DataType source, DataType target, NumberCast cast, ScalarMap map, NumberOrigin direction)
        implements Elementwise.Kernel {
    @Override
    public void run(ByteBuffer in, ByteBuffer out, int n) {
        if (source.number().equals(target.number()) && map.isEmpty()) {
            out.put(0, in, 0, in.limit());
        } else if (source.number().orElseThrow() instanceof IntegerFormat from) {
            long[] values = StoredNumbers.load(from, source.carrier().wordSize(), in, n);
            if (target.number().orElseThrow() instanceof IntegerFormat to) {
                wholeToWhole(from, to, values, out);
            } else {
                wholeToFloating(from, (FloatingFormat) target.number().orElseThrow(), values, out);
            }
        } else {
            FloatingFormat from = (FloatingFormat) source.number().orElseThrow();
            double[] values = StoredNumbers.load(from, source.carrier().wordSize(), in, n);
            if (target.number().orElseThrow() instanceof IntegerFormat to) {
                floatingToWhole(to, values, out);
            } else {
                floatingToFloating((FloatingFormat) target.number().orElseThrow(), values, out);
            }
        }
    }

    private RuntimeException refuse(String value, ArithmeticException e) {
        return direction.refuse("codec " + CastValueCodec.NAME + ": expected a number of " + source.name() + " that "
                + target.name() + " has, found " + value + ", which is " + e.getMessage());
    }

    private void wholeToWhole(IntegerFormat from, IntegerFormat to, long[] values, ByteBuffer out) {
        for (int i = 0; i < values.length; i++) {
            int mapped = map.find(values[i]);
            try {
                values[i] = mapped >= 0 ? map.wholeAt(mapped) : cast.toInteger(from, to, values[i]);
            } catch (ArithmeticException e) {
                throw refuse(from.text(values[i]), e);
            }
        }
        StoredNumbers.store(target.carrier().wordSize(), values, out);
    }

    private void wholeToFloating(IntegerFormat from, FloatingFormat to, long[] values, ByteBuffer out) {
        double[] results = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            int mapped = map.find(values[i]);
            try {
                results[i] = mapped >= 0 ? map.floatingAt(mapped) : cast.toFloating(from, to, values[i]);
            } catch (ArithmeticException e) {
                throw refuse(from.text(values[i]), e);
            }
        }
        StoredNumbers.store(to, target.carrier().wordSize(), results, out);
    }

    private void floatingToWhole(IntegerFormat to, double[] values, ByteBuffer out) {
        long[] results = new long[values.length];
        for (int i = 0; i < values.length; i++) {
            int mapped = map.find(values[i]);
            try {
                results[i] = mapped >= 0 ? map.wholeAt(mapped) : cast.toInteger(to, values[i]);
            } catch (ArithmeticException e) {
                throw refuse(Double.toString(values[i]), e);
            }
        }
        StoredNumbers.store(target.carrier().wordSize(), results, out);
    }

    private void floatingToFloating(FloatingFormat to, double[] values, ByteBuffer out) {
        for (int i = 0; i < values.length; i++) {
            int mapped = map.find(values[i]);
            try {
                values[i] = mapped >= 0 ? map.floatingAt(mapped) : cast.toFloating(to, values[i]);
            } catch (ArithmeticException e) {
                throw refuse(Double.toString(values[i]), e);
            }
        }
        StoredNumbers.store(to, target.carrier().wordSize(), values, out);
    }
}
