package dev.shardkit.serve;

import dev.shardkit.NdArray;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.chunks.UnchangedArrayReads;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.type.MissingValues;
import java.util.Arrays;

/**
 * A two-dimensional plane of an array of any rank, which the server's page draws. For arrays of rank 0 and 1, the plane
 * is one element wide or high in the missing dimensions.
 *
 * @param array the array
 * @param x the dimension that is drawn from left to right; -1 for none
 * @param y the dimension that is drawn from top to bottom; -1 for none
 * @param position the position in the other dimensions; the indices at {@code x} and {@code y} are ignored
 */
record Plane(ZarrArray array, int x, int y, long[] position) {
    /** If a read touches more chunks than this, listing the stored chunks is cheaper than requesting each chunk. */
    private static final int MIN_CHUNKS_TO_LIST = 1024;

    /**
     * Returns the plane that a query selects by its parameters {@code x}, {@code y} and {@code at}, the position. By
     * default, it shows the last two dimensions at index 0 of the others.
     */
    static Plane of(ZarrArray array, Query query) throws HttpError {
        if (array.dataType().elementSize().isEmpty()) {
            throw notNumbers(array.dataType()); // before a read, because such elements may be of any size
        }
        long[] shape = array.shape();
        int x = (int) query.integer("x", shape.length - 1, -1, shape.length - 1);
        int y = (int) query.integer("y", Math.max(-1, shape.length - 2), -1, shape.length - 1);
        long[] position = query.integers("at");
        if (position.length == 0) {
            position = new long[shape.length];
        }
        if (position.length != shape.length || x == y && x >= 0) {
            throw new HttpError(400, "expected two dimensions and a position of " + shape.length + " numbers");
        }
        for (int d = 0; d < position.length; d++) {
            if (d != x && d != y && (position[d] < 0 || position[d] >= shape[d])) {
                throw new HttpError(400, "the position is outside of the array");
            }
        }
        return new Plane(array, x, y, position);
    }

    private static HttpError notNumbers(DataType type) {
        return new HttpError(422, "elements of type " + type.name() + " are not numbers");
    }

    /** Returns the number of elements from left to right. */
    long width() {
        return x < 0 ? 1 : array.shape()[x];
    }

    /** Returns the number of elements from top to bottom. */
    long height() {
        return y < 0 ? 1 : array.shape()[y];
    }

    /** Returns the maximum memory in bytes that reading a rectangle needs. */
    long memory(long left, long top, int width, int height) {
        return ReadMemory.estimate(array, toBox(left, top, width, height));
    }

    /** Reads a rectangle, which must be inside the plane. */
    Rectangle read(long left, long top, int width, int height) throws HttpError {
        Box box = toBox(left, top, width, height);
        return new Rectangle(
                this,
                countChunks(box) > MIN_CHUNKS_TO_LIST
                        ? new UnchangedArrayReads(array, box).read(box)
                        : array.read(box));
    }

    /** Estimates the number of chunks that a box touches. */
    private double countChunks(Box box) {
        long[] chunk = array.storedChunkShape();
        double count = 1;
        for (int d = 0; d < chunk.length; d++) {
            count *= 1 + (double) box.shape(d) / chunk[d];
        }
        return count;
    }

    private Box toBox(long left, long top, int width, int height) {
        long[] origin = position.clone();
        long[] shape = new long[origin.length];
        Arrays.fill(shape, 1);
        setPosition(origin, left, top);
        setPosition(shape, width, height);
        return Box.of(origin, shape);
    }

    /** Sets the numbers of the two drawn dimensions. */
    private void setPosition(long[] numbers, long column, long row) {
        if (x >= 0) {
            numbers[x] = column;
        }
        if (y >= 0) {
            numbers[y] = row;
        }
    }

    /** The elements of a rectangle as numbers. Used by one thread. */
    static final class Rectangle {
        private final Plane plane;
        private final NdArray values;
        private final MissingValues missingValues;
        /** The indices of an element relative to the rectangle; reused for each element that is read. */
        private final long[] cursor;

        private Rectangle(Plane plane, NdArray values) throws HttpError {
            this.plane = plane;
            this.values = values;
            this.missingValues =
                    MissingValues.of(plane.array().dataType(), plane.array().attributes());
            this.cursor = new long[plane.position().length];
            if (!(values.array() instanceof boolean[]) && values.count() > 0) {
                try {
                    values.doubleAt(cursor); // throws if elements are not numbers
                } catch (IllegalArgumentException e) {
                    throw notNumbers(values.dataType());
                }
            }
        }

        /** Returns the number of an element; NaN if the element is missing ({@code _FillValue}). */
        double numberOrNaN(int column, int row) {
            double number = storedNumber(column, row);
            return isMissing(number) ? Double.NaN : number;
        }

        boolean isMissing(double number) {
            return missingValues.containsNumber(number);
        }

        /** Returns the stored number of an element, even if it marks a missing element. */
        double storedNumber(int column, int row) {
            plane.setPosition(cursor, column, row);
            if (values.array() instanceof boolean[] booleans) {
                // At most two dimensions of the rectangle are longer than 1, so two lengths give an index.
                boolean isRowMajor = plane.y() < plane.x();
                long width = plane.x() < 0 ? 1 : values.shape()[plane.x()];
                long height = plane.y() < 0 ? 1 : values.shape()[plane.y()];
                return booleans[(int) (isRowMajor ? row * width + column : column * height + row)] ? 1 : 0;
            }
            return values.doubleAt(cursor);
        }
    }
}
