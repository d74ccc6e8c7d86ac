package dev.shardkit.cli.print;

import dev.shardkit.StoredChunks;
import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.ArrayToArrayCodec;
import dev.shardkit.spi.codec.Partitioned;
import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.codec.Partitioned.Layout;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The positions of one shard's inner chunks, from its index. Inner chunks are those of the outermost level. Cells and
 * shapes are those of the shard as stored.
 */
public final class ShardMap {
    private final long[] cell;
    private final String key;
    private final Box box;
    private final Box inside;
    private final boolean asInArray;
    private final Partitioned shard;
    private final @Nullable Layout layout;
    private long stored;
    private long storedBytes;
    private long gaps;
    private long gapBytes;
    private long overlaps;

    private ShardMap(ZarrArray array, long[] cell, Partitioned shard) {
        StoredChunks chunks = array.storedChunks();
        this.cell = cell.clone();
        this.key = chunks.key(cell);
        this.box = chunks.box(cell);
        this.inside = box.intersect(array.domain());
        this.asInArray = array.metadata().codecs().codecs().stream().noneMatch(c -> c instanceof ArrayToArrayCodec);
        this.shard = shard;
        this.layout = chunks.layout(cell).orElse(null);
        if (layout != null) {
            measure(layout);
        }
    }

    /** Returns the map of the shard at {@code cell}; empty if the array is not sharded. */
    public static Optional<ShardMap> of(ZarrArray array, long[] cell) {
        return array.storedChunks().codec(cell).partitioned().map(shard -> new ShardMap(array, cell, shard));
    }

    /** Returns the number of stored inner chunks that overlap the array; cubes of wkw store those outside too. */
    long stored() {
        return stored;
    }

    /** Returns the number of inner chunks that overlap the array. */
    long places() {
        return asInArray ? touched().count() : Shapes.count(shard.cells());
    }

    /** Returns the size of the shard; 0 if it is not stored. */
    long size() {
        return layout == null ? 0 : layout.shardSize();
    }

    /** Returns the stored inner chunks by linear index. */
    BitSet storedCells() {
        BitSet ones = new BitSet();
        for (int i = 0; layout != null && i < layout.count(); i++) {
            ones.set(i, layout.extent(i).isPresent());
        }
        return ones;
    }

    /** Returns the number of inner chunks in each dimension. */
    long[] cells() {
        return shard.cells();
    }

    /** Whether inner chunks have the same order in the array as in the shard. A transposition changes it. */
    boolean isAsInArray() {
        return asInArray;
    }

    /** Returns the inner chunks that overlap the array. */
    private Box touched() {
        Box part = inside.relativeTo(box);
        long[] inner = shard.innerShape();
        long[] count = new long[inner.length];
        for (int d = 0; d < count.length; d++) {
            count[d] = part.shape(d) == 0 ? 0 : (part.shape(d) - 1) / inner[d] + 1;
        }
        return Box.of(count);
    }

    private void measure(Layout l) {
        List<Extent> extents = new ArrayList<>();
        Box touched = touched();
        long[] cells = shard.cells();
        for (long i = 0; i < l.count(); i++) {
            Optional<Extent> extent = l.extent(i);
            extent.ifPresent(extents::add);
            boolean counts = !asInArray || touched.contains(Box.of(Shapes.unravel(i, cells), ones(cells.length)));
            stored += extent.isPresent() && counts ? 1 : 0;
        }
        storedBytes = extents.stream().mapToLong(Extent::size).sum();
        extents.add(l.index());
        extents.sort(Comparator.comparingLong(Extent::offset));
        long end = 0;
        for (Extent e : extents) {
            if (e.offset() > end) {
                gaps++;
                gapBytes += e.offset() - end;
            } else if (e.offset() < end && e.size() > 0) {
                overlaps++;
            }
            end = Math.max(end, e.offset() + e.size());
        }
        if (l.shardSize() > end) {
            gaps++;
            gapBytes += l.shardSize() - end;
        }
    }

    /** Returns the drawing, with a legend. */
    public List<String> drawing() {
        long[] cells = shard.cells();
        Box touched = touched();
        return Drawing.of(cells, i -> {
            if (layout != null && layout.extent(i).isPresent()) {
                return Drawing.Mark.ALL;
            }
            boolean reached = !asInArray || touched.contains(Box.of(Shapes.unravel(i, cells), ones(cells.length)));
            return reached ? Drawing.Mark.NONE : Drawing.Mark.OUTSIDE;
        });
    }

    private static long[] ones(int rank) {
        long[] ones = new long[rank];
        Arrays.fill(ones, 1);
        return ones;
    }

    /** Returns counts and sizes, one fact a line. */
    public List<String> facts() {
        List<String> lines = new ArrayList<>();
        lines.add("shard        " + Arrays.toString(cell) + ", key " + key + ", elements " + box);
        lines.add("inner chunks " + places() + " of shape " + Arrays.toString(shard.innerShape()) + ", " + stored
                + " stored" + (shard.inner().partitioned().isPresent() ? "; they are shards themselves" : ""));
        if (layout == null) {
            lines.add("size         not stored: all elements are the fill value");
            return lines;
        }
        Extent index = layout.index();
        lines.add("size         " + size() + " bytes: inner chunks " + storedBytes + ", index " + index.size() + " at "
                + index.offset() + ", gaps " + gapBytes + (gaps > 0 ? " (" + NodeFacts.count(gaps, "gap") + ")" : ""));
        if (overlaps > 0) {
            lines.add("overlaps     " + overlaps);
        }
        return lines;
    }

    /** Returns the same facts without the position of each inner chunk. */
    public Json.Obj summary() {
        Json.Obj json = Json.object()
                .with("cell", Json.of(cell))
                .with("key", Json.of(key))
                .with("stored", Json.of(layout != null))
                .with("size", Json.of(size()))
                .with("inner_chunks_stored", Json.of(stored))
                .with("inner_chunks_empty", Json.of(Math.max(0, places() - stored)));
        if (layout == null) {
            return json;
        }
        return json.with("inner_chunk_bytes", Json.of(storedBytes))
                .with("index", extent(layout.index()))
                .with("gaps", Json.of(gaps))
                .with("gap_bytes", Json.of(gapBytes))
                .with("overlaps", Json.of(overlaps));
    }

    /** Returns all facts as a document. */
    public Json.Obj json() {
        List<Json> entries = new ArrayList<>();
        for (long i = 0; layout != null && i < layout.count(); i++) {
            Json at = Json.of(Shapes.unravel(i, shard.cells()));
            layout.extent(i)
                    .ifPresent(e -> entries.add(Json.object()
                            .with("cell", at)
                            .with("offset", Json.of(e.offset()))
                            .with("size", Json.of(e.size()))));
        }
        return summary()
                .with("origin", Json.of(box.origin()))
                .with("shape", Json.of(box.shape()))
                .with("inner_chunk_shape", Json.of(shard.innerShape()))
                .with("cells", Json.of(shard.cells()))
                .with("entries", new Json.Arr(entries));
    }

    private static Json extent(Extent extent) {
        return Json.object().with("offset", Json.of(extent.offset())).with("size", Json.of(extent.size()));
    }
}
