package dev.shardkit.region.write;

import dev.shardkit.region.ChunkPlans;
import dev.shardkit.region.ListedCells;
import dev.shardkit.region.box.Boxes;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import java.util.Arrays;
import java.util.List;

/**
 * Lists the cells of the chunk grid that lie in given boxes and hold a stored chunk, for erasures and resizes. The
 * store lists its objects, so the cost depends on the number of stored chunks and not on the size of the grid. The list
 * needs eight bytes for each chunk and dimension. Immutable after construction.
 */
public final class StoredCells {
    /** The largest number of chunks that are visited without a list, if the store cannot list objects. */
    private static final long MAX_UNLISTED = 1 << 20;

    private final int rank;
    /** The coordinates of all cells, one cell after the other. */
    private long[] cells = new long[16];

    private int count;

    private StoredCells(int rank) {
        this.rank = rank;
    }

    /**
     * Finds the stored chunks in disjoint boxes of the chunk grid.
     *
     * @throws UnsupportedException if the store cannot list and there are too many chunks to look up
     */
    public static StoredCells of(StoredNode node, ChunkPlans chunks, List<Box> boxes) {
        StoredCells found = new StoredCells(chunks.grid().gridShape().length);
        for (Box box : boxes) {
            int before = found.count;
            try {
                ListedCells listed = ListedCells.of(node, chunks, box);
                if (!listed.areListed()) {
                    refuseUnlisted(node, box);
                }
                listed.forEachRemaining(found::add);
            } catch (StoreException e) {
                if (Boxes.count(box) > MAX_UNLISTED) {
                    throw e;
                }
                // perhaps listing is forbidden: look up each chunk
                found.count = before;
                ListedCells.unlisted(Boxes.count(box), box::at).forEachRemaining(found::add);
            }
        }
        return found;
    }

    /** Throws if a store that lists no objects would be asked for too many chunks of a box of the grid. */
    public static void refuseUnlisted(StoredNode node, Box box) {
        if (Boxes.count(box) > MAX_UNLISTED) {
            throw node.located(new UnsupportedException(
                    "the store " + node.session().store().describe() + " cannot list objects, which finding "
                            + "the stored chunks of " + box + " needs: only up to " + MAX_UNLISTED
                            + " chunks are looked up one by one; change smaller regions"));
        }
    }

    private void add(long[] cell) {
        if ((count + 1) * (long) rank > cells.length) {
            cells = Arrays.copyOf(cells, Math.max(rank, 2 * cells.length));
        }
        System.arraycopy(cell, 0, cells, count * rank, rank);
        count++;
    }

    /** Returns the number of chunks. */
    public long count() {
        return count;
    }

    /** Returns the cell of chunk {@code i}. */
    public long[] at(long i) {
        int offset = (int) i * rank;
        return Arrays.copyOfRange(cells, offset, offset + rank);
    }
}
