package dev.shardkit.region.stream;

import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.ElementCopy;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.UnsupportedException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Assembles a slice from tiles that callers write one by one, in a buffer of its own. Records in a bit for each element
 * whether a tile has covered it, because a list of covered boxes would grow without limit if tiles are small. Not
 * thread-safe.
 */
public final class TiledSlice {
    private final DataType type;
    private final FillValue fill;
    private final long[] shape;
    private final ByteBuffer memory;
    private final BitSet covered;
    private final int count;
    /** All elements before this one are covered. */
    private int firstMissing;

    /**
     * Allocates the buffer of a slice in which no element is covered.
     *
     * @param shape the shape of the slice, with length 1 in the dimension of the stream
     */
    public TiledSlice(ArrayMetadata array, long[] shape) {
        this.type = array.dataType();
        this.fill = array.fillValue();
        this.shape = shape.clone();
        this.memory = TileMemory.ofProcess().take(Math.toIntExact(bytes(type, shape)));
        this.count = Math.toIntExact(Shapes.count(shape));
        this.covered = new BitSet(count);
    }

    /**
     * Returns the size of a slice in bytes.
     *
     * @throws UnsupportedException if slices of this type or size cannot be put together from tiles
     */
    public static long bytes(DataType type, long[] shape) {
        int word = type.carrier().wordSize();
        if (type.number().isEmpty() || type.elementSize().orElse(0) != word) {
            throw new UnsupportedException("data type " + type.name()
                    + ": only slices of numbers can be written in tiles; write whole slices");
        }
        long most = Integer.MAX_VALUE / word;
        if (Shapes.count(shape) > most) {
            throw new UnsupportedException("a slice of shape " + Arrays.toString(shape) + " of " + type.name()
                    + ": only slices of less than 2 GiB can be written in tiles; write parts of the array instead");
        }
        return Shapes.count(shape) * word;
    }

    /** Returns the number of bytes that record which elements of a slice are covered, one bit for each. */
    public static long coverageBytes(long[] shape) {
        return Shapes.count(shape) / Byte.SIZE;
    }

    /** Copies a tile. It replaces elements of earlier tiles. */
    public void put(Box part, Feed tile) {
        long[] strides = Shapes.strides(shape);
        tile.get(Box.of(part.shape()), Elements.Fixed.in(type, memory), part.firstIn(shape), strides);
        forEachRow(part, (begin, end) -> {
            covered.set(begin, end);
            return true;
        });
        firstMissing = covered.nextClearBit(firstMissing);
    }

    /** Returns whether a tile has covered an element of {@code part}. */
    public boolean touches(Box part) {
        return !forEachRow(part, (begin, end) -> {
            int next = covered.nextSetBit(begin);
            return next < 0 || next >= end;
        });
    }

    /** Returns whether tiles have covered all elements. */
    public boolean isComplete() {
        return firstMissing >= count;
    }

    /** Visits a row: consecutive elements of the slice in memory. */
    private interface Row {
        /** Visits the elements from {@code begin} to {@code end}. Returns whether to visit the next row. */
        boolean visit(int begin, int end);
    }

    /** Visits the rows of a box. Returns false if a visit returned false, which skips the remaining rows. */
    private boolean forEachRow(Box part, Row row) {
        int first = shape.length; // from this dimension on, the elements of the box are consecutive
        long length = 1;
        while (first > 0) {
            first--;
            length *= part.shape(first);
            if (part.shape(first) != shape[first]) {
                break;
            }
        }
        long[] rows = part.shape();
        Arrays.fill(rows, first, rows.length, 1);
        Box begins = Box.of(part.origin(), rows); // the first element of each row
        for (long i = 0; i < begins.count(); i++) {
            int begin = Math.toIntExact(Shapes.ravel(begins.at(i), shape));
            if (!row.visit(begin, Math.toIntExact(begin + length))) {
                return false;
            }
        }
        return true;
    }

    /** Returns the elements in C order, little-endian. Elements that no tile has covered become the fill value. */
    public ByteBuffer elements() {
        long[] ones = {1};
        Elements.Fixed all = Elements.Fixed.in(type, memory);
        for (int begin = firstMissing; begin < count; begin = covered.nextClearBit(begin)) {
            int next = covered.nextSetBit(begin);
            int end = next < 0 ? count : next;
            ElementCopy.fill(fill, all, begin, ones, new long[] {end - begin});
            begin = end;
        }
        return memory.duplicate().order(memory.order()).clear();
    }

    /**
     * Shares the buffer between two users: the stream, and the caller that passes the elements to the stream. Returns
     * the action that each of them runs when it is done. The second run releases the buffer. A stream that refuses the
     * elements runs the action too, so call this again before another attempt.
     */
    public Runnable share() {
        AtomicInteger ended = new AtomicInteger();
        return () -> {
            if (ended.incrementAndGet() == 2) {
                TileMemory.ofProcess().release(List.of(memory));
            }
        };
    }
}
