package dev.shardkit.region;

import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.UnsupportedException;
import java.util.Arrays;
import java.util.List;

/**
 * The stored chunks that a change of whole regions may concern: those that the store lists, so that a grid of any size
 * costs what is stored in it. Eight bytes a dimension each. Immutable once it is made.
 */
public final class ChangedCells {
    /** So many chunks are looked for one by one where nothing can be listed. */
    private static final long MOST_UNLISTED = 1 << 20;

    private final int rank;
    private long[] cells = new long[16];
    private int count;

    private ChangedCells(int rank) {
        this.rank = rank;
    }

    /**
     * Those of boxes of the chunk grid that have nothing in common.
     *
     * @throws UnsupportedException if they cannot be listed and are too many to be looked for
     */
    public static ChangedCells of(StoredNode node, Chunks chunks, List<Box> boxes) {
        ChangedCells all = new ChangedCells(chunks.grid().cells().length);
        for (Box box : boxes) {
            ListedCells some = ListedCells.of(node, chunks, box);
            if (!some.areListed() && Boxes.count(box) > MOST_UNLISTED) {
                throw node.located(new UnsupportedException(
                        "the store " + node.session().store().describe() + " cannot list objects, which erasing the "
                                + "chunks " + box + " needs: only up to " + MOST_UNLISTED
                                + " chunks are looked for one by one; change smaller regions"));
            }
            while (some.hasNext()) {
                all.add(some.next());
            }
        }
        return all;
    }

    private void add(long[] cell) {
        if ((count + 1) * (long) rank > cells.length) {
            cells = Arrays.copyOf(cells, Math.max(rank, 2 * cells.length));
        }
        System.arraycopy(cell, 0, cells, count * rank, rank);
        count++;
    }

    /** How many there are. */
    public long count() {
        return count;
    }

    /** The cell of one of them. */
    public long[] at(long i) {
        int from = (int) i * rank;
        return Arrays.copyOfRange(cells, from, from + rank);
    }
}
