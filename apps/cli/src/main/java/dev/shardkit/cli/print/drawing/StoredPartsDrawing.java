package dev.shardkit.cli.print.drawing;

import dev.shardkit.ArrayStorage;
import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Draws which parts of an array are stored. Shows the inner chunks of all shards if they are few enough, otherwise one
 * character for each shard. Shards may have different shapes. Not thread-safe.
 */
public final class StoredPartsDrawing {
    /** The maximum number of inner chunks that are drawn one by one. */
    private static final long MAX_INNER_CHUNKS = 1 << 24;

    private final ZarrArray array;
    private final ArrayStorage storage;
    /** The shape of the chunk grid. */
    private final long[] cells;

    private final List<GridDrawing.Mark> marks = new ArrayList<>();
    /** The indices of the stored inner chunks of each shard; empty if inner chunks are not drawn. */
    private final List<BitSet> storedInnerChunks = new ArrayList<>();
    /** The shape of the grid of inner chunks in each shard; empty if inner chunks are not drawn. */
    private final List<long[]> innerGridShapes = new ArrayList<>();

    private @Nullable InnerChunkPositions firstShard;
    /** Whether inner chunks are drawn one by one. */
    private boolean showsInner;

    private long shownInnerChunks;
    private long storedChunkCount;
    private long storedBytes;
    private long innerChunkCount;
    private long storedInnerChunkCount;

    public StoredPartsDrawing(ZarrArray array) {
        this.array = array;
        this.storage = array.storage();
        this.cells = storage.gridShape();
    }

    /**
     * Adds the next cell of the chunk grid, in C order.
     *
     * @param shard the inner chunks of the shard; null if the chunk is not a shard
     * @param isStored whether the chunk or shard is stored
     * @param size the stored size in bytes
     */
    public void add(@Nullable InnerChunkPositions shard, boolean isStored, long size) {
        storedChunkCount += isStored ? 1 : 0;
        storedBytes += size;
        if (shard == null) {
            marks.add(isStored ? GridDrawing.Mark.ALL : GridDrawing.Mark.NONE);
            return;
        }
        if (firstShard == null) {
            firstShard = shard;
            showsInner = shard.hasArrayOrder();
        }
        long storedInShard = shard.storedCount();
        innerChunkCount += shard.innerChunkCount();
        storedInnerChunkCount += storedInShard;
        GridDrawing.Mark storedMark =
                storedInShard < shard.innerChunkCount() ? GridDrawing.Mark.SOME : GridDrawing.Mark.ALL;
        marks.add(storedInShard == 0 ? GridDrawing.Mark.NONE : storedMark);
        addInner(shard);
    }

    private void addInner(InnerChunkPositions shard) {
        long count = Shapes.count(shard.cells());
        showsInner = showsInner && count <= MAX_INNER_CHUNKS - shownInnerChunks;
        if (showsInner) {
            shownInnerChunks += count;
            storedInnerChunks.add(shard.storedIndices());
            innerGridShapes.add(shard.cells());
        } else {
            storedInnerChunks.clear();
            innerGridShapes.clear();
        }
    }

    /** Returns counts and sizes as lines of text. */
    public List<String> summaryLines() {
        List<String> lines = new ArrayList<>();
        String noun = array.isSharded() ? "shards" : "chunks";
        boolean isRegular = array.metadata().chunkGrid().name().equals("regular");
        String shape = isRegular ? "of shape " : "of different shapes, the first ";
        lines.add(String.format("%-12s ", noun) + Shapes.count(cells) + " " + shape
                + Arrays.toString(array.storedChunkShape()) + ", " + storedChunkCount + " stored, " + storedBytes
                + " bytes");
        if (firstShard != null) {
            lines.add("inner chunks " + innerChunkCount + ", " + storedInnerChunkCount + " stored"
                    + (showsInner ? "" : "; one character is one shard"));
        }
        return lines;
    }

    /** Returns the lines of the drawing. */
    public List<String> drawingLines() {
        if (!showsInner) {
            return GridDrawing.draw(cells, i -> marks.get((int) i));
        }
        long[][] starts = new long[cells.length][];
        long[] gridShape = new long[cells.length];
        // The last shards may extend beyond the array. Planes outside it are drawn only if something is stored there.
        boolean drawsOutside =
                storedInnerChunks.stream().mapToLong(BitSet::cardinality).sum() > storedInnerChunkCount;
        for (int d = 0; d < gridShape.length; d++) {
            starts[d] = innerStarts(d);
            gridShape[d] = starts[d][starts[d].length - 1];
            while (!drawsOutside
                    && d < gridShape.length - 2
                    && gridShape[d] > 0
                    && isOutside(d, gridShape[d] - 1, starts[d])) {
                gridShape[d]--;
            }
        }
        return GridDrawing.draw(gridShape, i -> markAt(Shapes.unravel(i, gridShape), starts));
    }

    /**
     * Returns the index of each shard's first inner chunk in a dimension. The last item is the total number of inner
     * chunks.
     */
    private long[] innerStarts(int dimension) {
        long[] starts = new long[(int) cells[dimension] + 1];
        long[] cell = new long[cells.length];
        for (int i = 0; i < cells[dimension]; i++) {
            cell[dimension] = i;
            starts[i + 1] = starts[i] + innerGridShapes.get((int) Shapes.ravel(cell, cells))[dimension];
        }
        return starts;
    }

    /** Whether the inner chunks at an index in a dimension lie outside the array. */
    private boolean isOutside(int dimension, long index, long[] starts) {
        long[] shard = new long[cells.length];
        shard[dimension] = shardOf(index, starts);
        Box box = storage.box(shard);
        long innerLength = box.shape(dimension) / innerGridShapes.get((int) Shapes.ravel(shard, cells))[dimension];
        return box.origin(dimension) + (index - starts[(int) shard[dimension]]) * innerLength
                >= array.shape()[dimension];
    }

    /** Returns the index of the shard that contains an inner chunk: the last shard that starts at or before it. */
    private static int shardOf(long innerChunk, long[] starts) {
        int searchResult = Arrays.binarySearch(starts, innerChunk);
        return searchResult >= 0 ? searchResult : -searchResult - 2;
    }

    /** Returns the mark of one inner chunk by its position in the grid of all inner chunks. */
    private GridDrawing.Mark markAt(long[] position, long[][] starts) {
        long[] shard = new long[position.length];
        for (int d = 0; d < position.length; d++) {
            shard[d] = shardOf(position[d], starts[d]);
        }
        int shardIndex = (int) Shapes.ravel(shard, cells);
        long[] innerGrid = innerGridShapes.get(shardIndex);
        long[] positionInShard = new long[position.length];
        boolean isOutside = false;
        for (int d = 0; d < position.length; d++) {
            positionInShard[d] = position[d] - starts[d][(int) shard[d]];
            long innerLength = storage.box(shard).shape(d) / innerGrid[d];
            isOutside |= storage.box(shard).origin(d) + positionInShard[d] * innerLength >= array.shape()[d];
        }
        boolean isStored = storedInnerChunks.get(shardIndex).get((int) Shapes.ravel(positionInShard, innerGrid));
        return isStored ? GridDrawing.Mark.ALL : isOutside ? GridDrawing.Mark.OUTSIDE : GridDrawing.Mark.NONE;
    }
}
