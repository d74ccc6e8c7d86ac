package dev.shardkit.serve;

import dev.shardkit.NdArray;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.base.SparseReads;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.type.MissingValues;
import java.util.Arrays;

/**
 * A two-dimensional plane of an array of any rank. In arrays of rank 0 and 1 the missing dimensions have one element.
 *
 * @param array the array
 * @param x the dimension that is drawn from left to right; -1 for none
 * @param y the dimension that is drawn from top to bottom; -1 for none
 * @param at the position in the other dimensions; that in {@code x} and {@code y} has no meaning
 */
record Plane(ZarrArray array, int x, int y, long[] at) {
    /** From this number of stored chunks on, listing them costs less than a look at each. */
    private static final int MANY = 1024;

    /** Returns the plane that a query names; by default the first one of the last two dimensions. */
    static Plane of(ZarrArray array, Query query) throws Refused {
        if (array.dataType().elementSize().isEmpty()) {
            throw noNumbers(array.dataType()); // before reading elements of any size
        }
        long[] shape = array.shape();
        int x = (int) query.integer("x", shape.length - 1, -1, shape.length - 1);
        int y = (int) query.integer("y", Math.max(-1, shape.length - 2), -1, shape.length - 1);
        long[] at = query.integers("at");
        if (at.length == 0) {
            at = new long[shape.length];
        }
        if (at.length != shape.length || x == y && x >= 0) {
            throw new Refused(400, "expected two dimensions and a position of " + shape.length + " numbers");
        }
        for (int d = 0; d < at.length; d++) {
            if (d != x && d != y && (at[d] < 0 || at[d] >= shape[d])) {
                throw new Refused(400, "the position is outside of the array");
            }
        }
        return new Plane(array, x, y, at);
    }

    private static Refused noNumbers(DataType type) {
        return new Refused(422, "elements of type " + type.name() + " are not numbers");
    }

    /** Returns the number of elements from left to right. */
    long width() {
        return x < 0 ? 1 : array.shape()[x];
    }

    /** Returns the number of elements from top to bottom. */
    long height() {
        return y < 0 ? 1 : array.shape()[y];
    }

    /** Returns the memory in bytes that reading a rectangle takes, at most. */
    long memory(long left, long top, int width, int height) {
        return ReadMemory.of(array, box(left, top, width, height));
    }

    /** Reads a rectangle, which must be inside the plane. */
    Elements read(long left, long top, int width, int height) throws Refused {
        Box box = box(left, top, width, height);
        return new Elements(this, chunks(box) > MANY ? new SparseReads(array, box).read(box) : array.read(box));
    }

    private double chunks(Box box) {
        long[] chunk = array.storedChunkShape();
        double count = 1;
        for (int d = 0; d < chunk.length; d++) {
            count *= 1 + (double) box.shape(d) / chunk[d];
        }
        return count;
    }

    private Box box(long left, long top, int width, int height) {
        long[] origin = at.clone();
        long[] shape = new long[origin.length];
        Arrays.fill(shape, 1);
        set(origin, left, top);
        set(shape, width, height);
        return Box.of(origin, shape);
    }

    private void set(long[] position, long across, long down) {
        if (x >= 0) {
            position[x] = across;
        }
        if (y >= 0) {
            position[y] = down;
        }
    }

    /** The elements of a rectangle as numbers. Used by one thread. */
    static final class Elements {
        private final Plane plane;
        private final NdArray values;
        private final MissingValues missing;
        private final long[] position;

        private Elements(Plane plane, NdArray values) throws Refused {
            this.plane = plane;
            this.values = values;
            this.missing =
                    MissingValues.of(plane.array().dataType(), plane.array().attributes());
            this.position = new long[plane.at().length];
            if (!(values.array() instanceof boolean[]) && values.count() > 0) {
                try {
                    values.doubleAt(position);
                } catch (IllegalArgumentException e) {
                    throw noNumbers(values.dataType());
                }
            }
        }

        /** Returns a number, or NaN for a missing element ({@code _FillValue}). */
        double at(int across, int down) {
            double number = numberAt(across, down);
            return isMissing(number) ? Double.NaN : number;
        }

        boolean isMissing(double number) {
            return missing.containsNumber(number);
        }

        /** Returns the stored number. */
        double numberAt(int across, int down) {
            plane.set(position, across, down);
            if (values.array() instanceof boolean[] bits) {
                // a rectangle has two dimensions at most, in the order of the array
                boolean rows = plane.y() < plane.x();
                long width = plane.x() < 0 ? 1 : values.shape()[plane.x()];
                long height = plane.y() < 0 ? 1 : values.shape()[plane.y()];
                return bits[(int) (rows ? down * width + across : across * height + down)] ? 1 : 0;
            }
            return values.doubleAt(position);
        }
    }
}
