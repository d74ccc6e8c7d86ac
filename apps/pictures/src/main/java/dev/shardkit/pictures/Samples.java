package dev.shardkit.pictures;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.SkippedElements;
import dev.shardkit.maintenance.chunks.StoredBoxes;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.array.NumberFormat;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.type.MissingValues;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Collects the samples of a region for a picture: each {@code step}-th element in the two drawn dimensions, as numbers.
 * A read passes decoded elements to this target, which keeps only the samples, so a region of any size needs little
 * memory.
 */
final class Samples implements Target {
    /** The maximum number of elements of one read. */
    private static final long MAX_ELEMENTS = 1 << 26;

    private final NumberFormat format;
    private final MissingValues missing;
    private final int step;
    /** The shape of the region. */
    private final long[] shape;
    /** The samples in C order. All targets of a region share this array. */
    private final double[] values;

    /** The dimension that is drawn vertically. */
    private final int y;
    /** The dimension that is drawn horizontally. */
    private final int x;

    /** The position in the region of the first element that this target receives. */
    private final long[] origin;

    private Samples(
            NumberFormat format,
            MissingValues missing,
            int step,
            long[] shape,
            double[] values,
            int y,
            int x,
            long[] origin) {
        this.format = format;
        this.missing = missing;
        this.step = step;
        this.shape = shape;
        this.values = values;
        this.y = y;
        this.x = x;
        this.origin = origin;
    }

    /**
     * Returns the format in which elements are numbers.
     *
     * @throws UnsupportedException if they are not numbers that can be drawn
     */
    static NumberFormat format(DataType type) {
        // complex numbers and records, for example, have several words
        boolean isOneWord = type.elementSize().orElse(-1) == type.carrier().wordSize();
        if (type.name().equals("bool")) {
            return new IntegerFormat(8, IntegerFormat.Sign.UNSIGNED);
        } else if (!isOneWord || type.number().isEmpty() || type.name().startsWith("numpy.")) {
            throw new UnsupportedException("elements of type " + type.name() + " are not numbers that can be drawn");
        }
        return type.number().get();
    }

    /** Returns the number of samples in a dimension of this length. */
    static int count(long length, int step) {
        return Math.toIntExact((length + step - 1) / step);
    }

    /**
     * Reads the samples of a region: each {@code step}-th element in the dimensions {@code y} and {@code x}, all
     * elements in the other dimensions. The samples have C order. Missing elements ({@code _FillValue}) are NaN.
     */
    static double[] read(ZarrArray array, Box region, int y, int x, int step) {
        long[] shape = region.shape();
        int count = 1;
        for (int d = 0; d < shape.length; d++) {
            count = Math.multiplyExact(count, d == y || d == x ? count(shape[d], step) : Math.toIntExact(shape[d]));
        }
        double[] values = new double[count];
        NumberFormat format = format(array.dataType());
        MissingValues missing = SkippedElements.MISSING.words(array);
        // receives the elements of all boxes, each at its position in the region
        Samples all = new Samples(format, missing, step, shape, values, y, x, new long[shape.length]);
        StoredBoxes.visit(
                array,
                region,
                MAX_ELEMENTS,
                box -> array.read(box, all.from(box.relativeTo(region).origin())),
                box -> all.fill(array.fillValue(), box.relativeTo(region)));
        return values;
    }

    /** Returns a target for elements that begin at a position of the region. */
    private Samples from(long[] begin) {
        return new Samples(format, missing, step, shape, values, y, x, begin);
    }

    @Override
    public void put(Elements from, long offset, long[] strides, Box at) {
        Elements.Fixed fixed = (Elements.Fixed) from;
        visit(at, position -> {
            long index = offset;
            for (int d = 0; d < position.length; d++) {
                index += (position[d] - at.origin(d)) * strides[d];
            }
            return value(word(fixed, index));
        });
    }

    @Override
    public void fill(FillValue value, Box at) {
        long word = 0;
        for (int i = value.size() - 1; i >= 0; i--) {
            word = word << 8 | value.byteAt(i) & 0xff;
        }
        double number = value(word);
        visit(at, position -> number);
    }

    /** Returns the value of an element by its position in the elements that this target receives. */
    private interface Value {
        double at(long[] position);
    }

    /** Stores the values of the samples in a box of the elements that this target receives. */
    private void visit(Box at, Value value) {
        long[] position = new long[shape.length];
        for (int d = 0; d < position.length; d++) {
            position[d] = first(at, d);
            if (position[d] >= at.end(d)) {
                return;
            }
        }
        while (true) {
            values[index(position)] = value.at(position);
            int d = position.length - 1;
            while (d >= 0 && (position[d] += step(d)) >= at.end(d)) {
                position[d] = first(at, d);
                d--;
            }
            if (d < 0) {
                return;
            }
        }
    }

    /** Returns the distance of samples in a dimension. */
    private int step(int d) {
        return d == y || d == x ? step : 1;
    }

    /**
     * Returns the first index of a box at which there is a sample. Samples are at multiples of the step, counted from
     * the start of the region.
     */
    private long first(Box at, int d) {
        long stepOfDimension = step(d);
        return (origin[d] + at.origin(d) + stepOfDimension - 1) / stepOfDimension * stepOfDimension - origin[d];
    }

    /** Returns the index in {@code values} of the sample at a position. */
    private int index(long[] position) {
        long index = 0;
        for (int d = 0; d < position.length; d++) {
            long positionInRegion = position[d] + origin[d];
            long length = d == y || d == x ? count(shape[d], step) : shape[d];
            index = index * length + positionInRegion / step(d);
        }
        return (int) index;
    }

    /** Returns the bits of an element in the low bits of a {@code long}; the other bits have no meaning. */
    private static long word(Elements.Fixed from, long index) {
        ByteBuffer bytes = from.bytes();
        int at = Math.toIntExact(index * from.elementSize());
        return switch (from.wordSize()) {
            case 1 -> bytes.get(at);
            case 2 -> bytes.getShort(at);
            case 4 -> bytes.getInt(at);
            default -> bytes.getLong(at);
        };
    }

    /** Returns an element as a number; NaN if it is missing. */
    private double value(long word) {
        if (missing.contains(word)) {
            return Double.NaN;
        }
        if (format instanceof FloatingFormat floating) {
            return floating.value(floating.cut(word));
        }
        IntegerFormat integers = (IntegerFormat) format;
        long number = integers.value(word);
        return integers.isSigned() || number >= 0 ? number : number + 0x1p64; // uint64 from 2^63 on is negative
    }

    /** Returns the two values between which the middle 99 % of the finite values lie; 0 and 1 if there are none. */
    static double[] contrast(double[] values) {
        double[] sorted =
                Arrays.stream(values).filter(Double::isFinite).sorted().toArray();
        if (sorted.length == 0) {
            return new double[] {0, 1};
        }
        int outliers = sorted.length / 200; // half a percent at each end
        double black = sorted[outliers];
        double white = sorted[sorted.length - 1 - outliers];
        // if the middle values are all equal, the outliers count too
        return black < white ? new double[] {black, white} : new double[] {sorted[0], sorted[sorted.length - 1]};
    }
}
