package dev.shardkit.region.resize;

import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.region.ChunkPlans;
import dev.shardkit.region.box.Boxes;
import dev.shardkit.region.feed.ClearingFeed;
import dev.shardkit.region.feed.WritePart;
import dev.shardkit.region.write.RegionWrites;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkGrid;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Clears the elements that an array gains when it grows, so that they read as the fill value. Programs that shrink an
 * array may leave old elements outside its shape: in the chunks on the edge, or in whole chunks. Only chunks that reach
 * beyond the old shape are visited; if there are many, only the stored ones. A chunk is written only if it holds old
 * elements there.
 *
 * <p>The clearing precedes the change of the shape. So an interrupted resize never makes old elements visible.
 */
public final class GrowthClearing {
    private GrowthClearing() {}

    /**
     * Clears the elements that the array gains when its shape becomes {@code shape}. On a store without locks, each
     * change is conditional on the chunk that was read, and the stored shape is checked between the read and the
     * change. A writer that makes the array longer changes the shape before it stores elements there, so this method
     * never removes them.
     *
     * @param stored the metadata as they are stored
     * @return whether the array still had the shape of {@code stored}; if not, the caller reads the metadata again and
     *     repeats the call
     */
    public static boolean clear(StoredNode node, ArrayMetadata stored, long[] shape) {
        ArrayMetadata grown = stored.withShape(shape);
        List<Box> cells = beyond(grown, stored.shape());
        if (cells.isEmpty()) {
            return true;
        }
        Box old = Box.of(stored.shape());
        ArrayMetadata extended = grown.withShape(chunkEnds(grown));
        AtomicBoolean resized = new AtomicBoolean();
        RegionWrites writes = RegionWrites.beyond(node, stored, extended, new ChunkPlans(extended, node))
                .checkedBeforeEach(() -> {
                    ArrayMetadata current = node.current(stored);
                    if (!Arrays.equals(current.shape(), stored.shape())) {
                        resized.set(true);
                        throw node.located(new StoreException("another writer resized the array"));
                    }
                });
        writes.check("clearing elements outside the old shape");
        try {
            writes.eraseCells(cells, (i, cell) -> {
                Box chunk = extended.chunkGrid().chunk(cell);
                return new WritePart(
                        chunk, new ClearingFeed(Boxes.minus(chunk, old), chunk.origin(), stored.fillValue()));
            });
        } catch (ZarrException e) {
            if (!resized.get()) {
                throw e;
            }
            return false;
        }
        return true;
    }

    /** Returns the cells of chunks that reach outside {@code shape}, in disjoint boxes. */
    public static List<Box> beyond(ArrayMetadata array, long[] shape) {
        ChunkGrid grid = array.chunkGrid();
        long[] cells = grid.gridShape();
        long[] inside = new long[cells.length];
        for (int d = 0; d < cells.length; d++) {
            inside[d] = shape[d] >= array.shape()[d] ? cells[d] : wholeChunks(grid, d, cells, shape[d]);
        }
        return Boxes.minus(Box.of(cells), Box.of(inside));
    }

    /** Returns the number of chunks in dimension {@code d} that end at or before {@code length}. */
    private static long wholeChunks(ChunkGrid grid, int d, long[] cells, long length) {
        if (length == 0 || Box.of(cells).isEmpty()) {
            return 0;
        }
        long[] origin = new long[cells.length];
        long[] ones = new long[cells.length];
        Arrays.fill(ones, 1);
        origin[d] = length - 1; // the last chunk before the length ends at it, or reaches beyond it
        long[] cell = grid.touched(Box.of(origin, ones)).origin();
        return cell[d] + (grid.chunk(cell).end(d) <= length ? 1 : 0);
    }

    /** Returns the ends of the last chunks: the shape, rounded up to whole chunks. */
    public static long[] chunkEnds(ArrayMetadata array) {
        ChunkGrid grid = array.chunkGrid();
        long[] last = grid.gridShape();
        if (Box.of(last).isEmpty()) {
            return array.shape();
        }
        for (int d = 0; d < last.length; d++) {
            last[d]--;
        }
        Box chunk = grid.chunk(last);
        long[] ends = new long[last.length];
        for (int d = 0; d < ends.length; d++) {
            ends[d] = Math.max(array.shape()[d], chunk.end(d));
        }
        return ends;
    }
}
