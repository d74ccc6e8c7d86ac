package dev.shardkit.cli.print;

import dev.shardkit.StoredChunks;
import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A map of the stored parts of a whole array: the inner chunks of all its shards if there are few enough, otherwise one
 * character for each shard. Shards may have different shapes. Not thread-safe.
 */
public final class ArrayMap {
    private static final long MAX_INNER_CHUNKS = 1 << 24;

    private final ZarrArray array;
    private final StoredChunks stored;
    private final long[] cells;
    private final List<Drawing.Mark> marks = new ArrayList<>();
    private final List<BitSet> inner = new ArrayList<>();
    private final List<long[]> innerCells = new ArrayList<>();
    private @Nullable ShardMap first;
    private boolean showsInner;
    private long innerCount;
    private long chunks;
    private long bytes;
    private long places;
    private long storedPlaces;

    public ArrayMap(ZarrArray array) {
        this.array = array;
        this.stored = array.storedChunks();
        this.cells = stored.cells();
    }

    /** Adds the next chunk, in C order. */
    public void add(@Nullable ShardMap shard, boolean isStored, long size) {
        chunks += isStored ? 1 : 0;
        bytes += size;
        if (shard == null) {
            marks.add(isStored ? Drawing.Mark.ALL : Drawing.Mark.NONE);
            return;
        }
        if (first == null) {
            first = shard;
            showsInner = shard.isAsInArray();
        }
        long some = shard.stored();
        places += shard.places();
        storedPlaces += some;
        marks.add(some == 0 ? Drawing.Mark.NONE : some < shard.places() ? Drawing.Mark.SOME : Drawing.Mark.ALL);
        addInner(shard);
    }

    private void addInner(ShardMap shard) {
        long count = Shapes.count(shard.cells());
        showsInner = showsInner && count <= MAX_INNER_CHUNKS - innerCount;
        if (showsInner) {
            innerCount += count;
            inner.add(shard.storedCells());
            innerCells.add(shard.cells());
        } else {
            inner.clear();
            innerCells.clear();
        }
    }

    /** Returns counts and sizes, one fact a line. */
    public List<String> facts() {
        List<String> lines = new ArrayList<>();
        String word = array.isSharded() ? "shards" : "chunks";
        boolean regular = array.metadata().chunkGrid().name().equals("regular");
        String shape = regular ? "of shape " : "of different shapes, the first ";
        lines.add(String.format("%-12s ", word) + Shapes.count(cells) + " " + shape
                + Arrays.toString(array.storedChunkShape()) + ", " + chunks + " stored, " + bytes + " bytes");
        if (first != null) {
            lines.add("inner chunks " + places + ", " + storedPlaces + " stored"
                    + (showsInner ? "" : "; one character is one shard"));
        }
        return lines;
    }

    /** Returns the lines of the drawing. */
    public List<String> drawing() {
        if (!showsInner) {
            return Drawing.of(cells, i -> marks.get((int) i));
        }
        long[][] starts = new long[cells.length][];
        long[] all = new long[cells.length];
        // Planes outside the array, which the last shards may have, are drawn only if places outside it are stored.
        boolean drawsOutside = inner.stream().mapToLong(BitSet::cardinality).sum() > storedPlaces;
        for (int d = 0; d < all.length; d++) {
            starts[d] = starts(d);
            all[d] = starts[d][starts[d].length - 1];
            while (!drawsOutside && d < all.length - 2 && all[d] > 0 && isOutside(d, all[d] - 1, starts[d])) {
                all[d]--;
            }
        }
        return Drawing.of(all, i -> mark(Shapes.unravel(i, all), starts));
    }

    /** Returns the number of each shard's first inner chunk in dimension {@code d}, and the total at the end. */
    private long[] starts(int d) {
        long[] starts = new long[(int) cells[d] + 1];
        long[] cell = new long[cells.length];
        for (int i = 0; i < cells[d]; i++) {
            cell[d] = i;
            starts[i + 1] = starts[i] + innerCells.get((int) Shapes.ravel(cell, cells))[d];
        }
        return starts;
    }

    /** Whether the inner chunks with index {@code at} in dimension {@code d} lie outside the array. */
    private boolean isOutside(int d, long at, long[] starts) {
        int found = Arrays.binarySearch(starts, at);
        long[] shard = new long[cells.length];
        shard[d] = found >= 0 ? found : -found - 2;
        Box box = stored.box(shard);
        long length = box.shape(d) / innerCells.get((int) Shapes.ravel(shard, cells))[d];
        return box.origin(d) + (at - starts[(int) shard[d]]) * length >= array.shape()[d];
    }

    /** Returns the mark of one inner chunk by its position in the grid of all inner chunks. */
    private Drawing.Mark mark(long[] at, long[][] starts) {
        long[] shard = new long[at.length];
        for (int d = 0; d < at.length; d++) {
            int found = Arrays.binarySearch(starts[d], at[d]);
            shard[d] = found >= 0 ? found : -found - 2;
        }
        int number = (int) Shapes.ravel(shard, cells);
        long[] per = innerCells.get(number);
        long[] within = new long[at.length];
        boolean outside = false;
        for (int d = 0; d < at.length; d++) {
            within[d] = at[d] - starts[d][(int) shard[d]];
            long innerLength = stored.box(shard).shape(d) / per[d];
            outside |= stored.box(shard).origin(d) + within[d] * innerLength >= array.shape()[d];
        }
        boolean isStored = inner.get(number).get((int) Shapes.ravel(within, per));
        return isStored ? Drawing.Mark.ALL : outside ? Drawing.Mark.OUTSIDE : Drawing.Mark.NONE;
    }
}
