package dev.shardkit.cli.print.drawing;

import dev.shardkit.ArrayStorage;
import dev.shardkit.ZarrArray;
import dev.shardkit.cli.print.NodeText;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.ArrayToArrayCodec;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.codec.ShardAccess.Layout;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The positions of a shard's inner chunks, read from its index. In nested shards, only the outermost level counts.
 * Cells and shapes are those of the stored shard, before array->array codecs.
 */
public final class InnerChunkPositions {
    private final long[] cell;
    private final String key;
    /** The elements of the shard, also those outside the array. */
    private final Box box;

    private final Box boxInArray;
    private final boolean hasArrayOrder;
    private final ShardAccess shard;
    /** The positions; null if the shard is not stored. */
    private final @Nullable Layout layout;

    private long storedCount;
    /** The bytes of all stored inner chunks, also of those outside the array. */
    private long storedBytes;
    /** The number of ranges of the shard that neither an inner chunk nor the index uses. */
    private long gaps;

    private long gapBytes;
    /** The number of extents, the index included, that begin before the end of another one. */
    private long overlaps;

    private InnerChunkPositions(ZarrArray array, long[] cell, ShardAccess shard) {
        ArrayStorage chunks = array.storage();
        this.cell = cell.clone();
        this.key = chunks.key(cell);
        this.box = chunks.box(cell);
        this.boxInArray = box.intersect(array.domain());
        this.hasArrayOrder = array.metadata().codecs().codecs().stream().noneMatch(c -> c instanceof ArrayToArrayCodec);
        this.shard = shard;
        this.layout = chunks.layout(cell).orElse(null);
        if (layout != null) {
            collectStatistics(layout);
        }
    }

    /** Returns the positions in the shard at {@code cell}; empty if the array is not sharded. */
    public static Optional<InnerChunkPositions> of(ZarrArray array, long[] cell) {
        return array.storage().codec(cell).shardAccess().map(shard -> new InnerChunkPositions(array, cell, shard));
    }

    /**
     * Returns the number of stored inner chunks that overlap the array. Cubes of wkw also store inner chunks outside
     * it.
     */
    long storedCount() {
        return storedCount;
    }

    /** Returns the number of inner chunks that overlap the array; of all if their order differs from the array's. */
    long innerChunkCount() {
        return hasArrayOrder ? chunksInArray().count() : Shapes.count(shard.gridShape());
    }

    /** Returns the size of the shard; 0 if it is not stored. */
    long size() {
        return layout == null ? 0 : layout.shardSize();
    }

    /** Returns the linear indices of stored inner chunks. */
    BitSet storedIndices() {
        BitSet indices = new BitSet();
        for (int i = 0; layout != null && i < layout.count(); i++) {
            indices.set(i, layout.extent(i).isPresent());
        }
        return indices;
    }

    /** Returns the number of inner chunks in each dimension. */
    long[] cells() {
        return shard.gridShape();
    }

    /** Whether inner chunks have the same order in the array as in the shard. The transpose codec changes the order. */
    boolean hasArrayOrder() {
        return hasArrayOrder;
    }

    /** Returns the cells of the inner chunks that overlap the array. Without {@link #hasArrayOrder}, meaningless. */
    private Box chunksInArray() {
        Box relativeBox = boxInArray.relativeTo(box);
        long[] innerShape = shard.innerShape();
        long[] count = new long[innerShape.length];
        for (int d = 0; d < count.length; d++) {
            count[d] = relativeBox.shape(d) == 0 ? 0 : (relativeBox.shape(d) - 1) / innerShape[d] + 1;
        }
        return Box.of(count);
    }

    /** Counts stored inner chunks, and the gaps and overlaps between all extents in the order of their offsets. */
    private void collectStatistics(Layout storedLayout) {
        List<Extent> extents = new ArrayList<>();
        Box chunksInArray = chunksInArray();
        long[] cells = shard.gridShape();
        for (long i = 0; i < storedLayout.count(); i++) {
            Optional<Extent> extent = storedLayout.extent(i);
            extent.ifPresent(extents::add);
            storedCount += extent.isPresent() && isInArray(i, cells, chunksInArray) ? 1 : 0;
        }
        storedBytes = extents.stream().mapToLong(Extent::size).sum();
        extents.add(storedLayout.index());
        extents.sort(Comparator.comparingLong(Extent::offset));
        long end = 0;
        for (Extent extent : extents) {
            if (extent.offset() > end) {
                gaps++;
                gapBytes += extent.offset() - end;
            } else if (extent.offset() < end && extent.size() > 0) {
                overlaps++;
            }
            end = Math.max(end, extent.offset() + extent.size());
        }
        if (storedLayout.shardSize() > end) {
            gaps++;
            gapBytes += storedLayout.shardSize() - end;
        }
    }

    /** Returns the lines of the drawing. */
    public List<String> drawingLines() {
        long[] cells = shard.gridShape();
        Box chunksInArray = chunksInArray();
        return GridDrawing.draw(cells, i -> {
            if (layout != null && layout.extent(i).isPresent()) {
                return GridDrawing.Mark.ALL;
            }
            return isInArray(i, cells, chunksInArray) ? GridDrawing.Mark.NONE : GridDrawing.Mark.OUTSIDE;
        });
    }

    /**
     * Whether an inner chunk overlaps the array. True for all if their order in the array is not that in the shard.
     *
     * @param innerChunk its linear index in the shard
     * @param cells the number of inner chunks in each dimension
     */
    private boolean isInArray(long innerChunk, long[] cells, Box chunksInArray) {
        return !hasArrayOrder
                || chunksInArray.contains(Box.of(Shapes.unravel(innerChunk, cells), onesOf(cells.length)));
    }

    private static long[] onesOf(int rank) {
        long[] shape = new long[rank];
        Arrays.fill(shape, 1);
        return shape;
    }

    /** Returns counts and sizes as lines of text. */
    public List<String> summaryLines() {
        List<String> lines = new ArrayList<>();
        lines.add("shard        " + Arrays.toString(cell) + ", key " + key + ", elements " + box);
        lines.add("inner chunks " + innerChunkCount() + " of shape " + Arrays.toString(shard.innerShape()) + ", "
                + storedCount + " stored"
                + (shard.inner().shardAccess().isPresent() ? "; they are shards themselves" : ""));
        if (layout == null) {
            lines.add("size         not stored: all elements are the fill value");
            return lines;
        }
        Extent index = layout.index();
        lines.add("size         " + size() + " bytes: inner chunks " + storedBytes + ", index " + index.size() + " at "
                + index.offset() + ", gaps " + gapBytes + (gaps > 0 ? " (" + NodeText.count(gaps, "gap") + ")" : ""));
        if (overlaps > 0) {
            lines.add("overlaps     " + overlaps);
        }
        return lines;
    }

    /** Returns counts and sizes as a JSON object. */
    public Json.Obj summary() {
        Json.Obj members = Json.object()
                .with("cell", Json.of(cell))
                .with("key", Json.of(key))
                .with("stored", Json.of(layout != null))
                .with("size", Json.of(size()))
                .with("inner_chunks_stored", Json.of(storedCount))
                .with("inner_chunks_empty", Json.of(Math.max(0, innerChunkCount() - storedCount)));
        if (layout == null) {
            return members;
        }
        return members.with("inner_chunk_bytes", Json.of(storedBytes))
                .with("index", toJson(layout.index()))
                .with("gaps", Json.of(gaps))
                .with("gap_bytes", Json.of(gapBytes))
                .with("overlaps", Json.of(overlaps));
    }

    /** Returns counts, sizes and the position of each inner chunk as a JSON object. */
    public Json.Obj toJson() {
        List<Json> entries = new ArrayList<>();
        for (long i = 0; layout != null && i < layout.count(); i++) {
            Json cellJson = Json.of(Shapes.unravel(i, shard.gridShape()));
            layout.extent(i)
                    .ifPresent(extent -> entries.add(Json.object()
                            .with("cell", cellJson)
                            .with("offset", Json.of(extent.offset()))
                            .with("size", Json.of(extent.size()))));
        }
        return summary()
                .with("origin", Json.of(box.origin()))
                .with("shape", Json.of(box.shape()))
                .with("inner_chunk_shape", Json.of(shard.innerShape()))
                .with("cells", Json.of(shard.gridShape()))
                .with("entries", new Json.Arr(entries));
    }

    private static Json toJson(Extent extent) {
        return Json.object().with("offset", Json.of(extent.offset())).with("size", Json.of(extent.size()));
    }
}
