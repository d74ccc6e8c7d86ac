package dev.shardkit;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * A bitmap of the chunks that exist in a box of a chunk grid, with 64-bit indices. If few chunks exist,
 * {@link ChunkPresence#stream} needs less memory. Immutable and thread-safe after it is returned.
 */
public final class ChunkBitmap {
    private final Box cells;
    private final long count;
    /** The bits: chunk n is bit n % 64, counted from the least significant, of word n / 64. */
    private final long[] words;

    ChunkBitmap(Box cells, long maxBytes) {
        this.cells = cells;
        this.count = checkedCount(cells, maxBytes);
        this.words = new long[(int) ((count + 63) >>> 6)];
    }

    /** Returns the number of cells. Throws if their bits do not fit into {@code maxBytes} and one Java array. */
    private static long checkedCount(Box cells, long maxBytes) {
        // the largest array that all JVMs can allocate
        long limit = Math.min(maxBytes, (Integer.MAX_VALUE - 8L) * Long.BYTES);
        long count = Long.MAX_VALUE;
        try {
            count = cells.count();
        } catch (ArithmeticException e) {
            // more than 2^63-1 cells, which the limit refuses below
        }
        if (limit < 0 || count >>> 3 > limit || ((count + 63) >>> 6) * Long.BYTES > limit) {
            throw new IllegalArgumentException("a bitmap of " + (count == Long.MAX_VALUE ? "more than 2^63-1" : count)
                    + " chunks (" + cells + ") does not fit into " + limit
                    + " bytes: allow more, ask for a smaller region, or go "
                    + "through the chunks that exist one by one");
        }
        return count;
    }

    void set(long[] cell) {
        long number = number(cell);
        words[(int) (number >>> 6)] |= 1L << number; // a shift of a long uses number % 64
    }

    /** Returns the position of a cell in C order within the box. */
    private long number(long[] cell) {
        long number = 0;
        for (int d = 0; d < cell.length; d++) {
            number = number * cells.shape(d) + cell[d] - cells.origin(d);
        }
        return number;
    }

    /** Returns the cells that the bitmap covers. */
    public Box cells() {
        return cells;
    }

    /**
     * Returns whether the chunk at {@code cell} exists.
     *
     * @throws IndexOutOfBoundsException if the cell is not in {@link #cells}
     */
    public boolean get(long... cell) {
        boolean inside = cell.length == cells.rank();
        for (int d = 0; inside && d < cell.length; d++) {
            inside = cell[d] >= cells.origin(d) && cell[d] < cells.end(d);
        }
        if (!inside) {
            throw new IndexOutOfBoundsException("cell " + Arrays.toString(cell) + " of " + cells);
        }
        return get(number(cell));
    }

    private boolean get(long number) {
        return (words[(int) (number >>> 6)] >>> number & 1) != 0;
    }

    /** Returns the number of cells. */
    public long size() {
        return count;
    }

    /** Returns the number of chunks that exist. */
    public long cardinality() {
        return Arrays.stream(words).map(Long::bitCount).sum();
    }

    /**
     * Returns the numbers of the chunks that exist, ascending. The number of a chunk is its position in C order within
     * {@link #cells}.
     */
    public LongStream numbers() {
        return LongStream.range(0, words.length).flatMap(w -> {
            long word = words[(int) w];
            return LongStream.range(0, 64)
                    .filter(bit -> (word >>> bit & 1) != 0)
                    .map(bit -> (w << 6) + bit);
        });
    }

    /**
     * Returns all bits. The bit of chunk n is bit n % 8, counted from the least significant, of byte n / 8.
     *
     * @throws IllegalArgumentException if they do not fit into a Java array
     */
    public byte[] bytes() {
        long size = (count + 7) >>> 3;
        if (size > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException("a bitmap of " + size + " bytes does not fit into a Java array");
        }
        byte[] bytes = new byte[(int) size];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (words[i >>> 3] >>> (8 * (i & 7)));
        }
        return bytes;
    }

    /** Returns the coordinates of the chunk with {@code number}, in the grid over the whole array. */
    public long[] cell(long number) {
        if (number < 0 || number >= count) {
            throw new IndexOutOfBoundsException("chunk " + number + " of " + count);
        }
        long[] cell = Shapes.unravel(number, cells.shape());
        for (int d = 0; d < cell.length; d++) {
            cell[d] += cells.origin(d);
        }
        return cell;
    }

    @Override
    public String toString() {
        return cardinality() + " of the " + count + " chunks " + cells;
    }
}
