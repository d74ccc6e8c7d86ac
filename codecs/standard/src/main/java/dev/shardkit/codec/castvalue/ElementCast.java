package dev.shardkit.codec.castvalue;

import dev.shardkit.codec.support.Elementwise;
import dev.shardkit.codec.support.NumberSource;
import dev.shardkit.codec.support.Numbers;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.NumberCast;
import dev.shardkit.spi.array.WholeFormat;
import java.nio.ByteBuffer;

/** Casts elements from one type to another. Immutable and thread-safe. */
record ElementCast(DataType from, DataType to, NumberCast cast, ScalarMap map, NumberSource way)
        implements Elementwise.Kernel {
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

    private RuntimeException refuse(String value, ArithmeticException e) {
        return way.refuse("codec " + CastValueCodec.NAME + ": expected a number of " + from.name() + " that "
                + to.name() + " has, found " + value + ", which is " + e.getMessage());
    }

    private void wholeToWhole(WholeFormat f, WholeFormat t, long[] values, ByteBuffer out) {
        for (int i = 0; i < values.length; i++) {
            int mapped = map.find(values[i]);
            try {
                values[i] = mapped >= 0 ? map.whole(mapped) : cast.whole(f, t, values[i]);
            } catch (ArithmeticException e) {
                throw refuse(f.text(values[i]), e);
            }
        }
        Numbers.store(to.carrier().wordSize(), values, out);
    }

    private void wholeToFloating(WholeFormat f, FloatingFormat t, long[] values, ByteBuffer out) {
        double[] results = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            int mapped = map.find(values[i]);
            try {
                results[i] = mapped >= 0 ? map.floating(mapped) : cast.floating(f, t, values[i]);
            } catch (ArithmeticException e) {
                throw refuse(f.text(values[i]), e);
            }
        }
        Numbers.store(t, to.carrier().wordSize(), results, out);
    }

    private void floatingToWhole(WholeFormat t, double[] values, ByteBuffer out) {
        long[] results = new long[values.length];
        for (int i = 0; i < values.length; i++) {
            int mapped = map.find(values[i]);
            try {
                results[i] = mapped >= 0 ? map.whole(mapped) : cast.whole(t, values[i]);
            } catch (ArithmeticException e) {
                throw refuse(Double.toString(values[i]), e);
            }
        }
        Numbers.store(to.carrier().wordSize(), results, out);
    }

    private void floatingToFloating(FloatingFormat t, double[] values, ByteBuffer out) {
        for (int i = 0; i < values.length; i++) {
            int mapped = map.find(values[i]);
            try {
                values[i] = mapped >= 0 ? map.floating(mapped) : cast.floating(t, values[i]);
            } catch (ArithmeticException e) {
                throw refuse(Double.toString(values[i]), e);
            }
        }
        Numbers.store(t, to.carrier().wordSize(), values, out);
    }
}
