package dev.shardkit.serve;

import dev.shardkit.StoredChunks;
import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.codec.Partitioned.Layout;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The stored size of the chunks or shards of a plane, from the shard indexes alone. */
final class StorageMap {
    private static final int MOST_CELLS = 4096;

    private StorageMap() {}

    /** Returns one entry for each chunk or shard that the plane meets, row by row. */
    static Json of(Plane plane) throws Refused {
        ZarrArray array = plane.array();
        StoredChunks chunks = array.storedChunks();
        long[] cells = chunks.cells();
        long columns = plane.x() < 0 ? 1 : cells[plane.x()];
        long rows = plane.y() < 0 ? 1 : cells[plane.y()];
        if (columns > MOST_CELLS || rows > MOST_CELLS || columns * rows > MOST_CELLS) {
            throw new Refused(
                    422,
                    "the plane meets " + columns + " x " + rows + " stored chunks; the map shows at most "
                            + MOST_CELLS);
        }
        List<Json> entries = new ArrayList<>();
        if (columns * rows > 0) {
            long[] cell = first(plane, chunks);
            for (long i = 0; i < columns * rows; i++) {
                if (plane.x() >= 0) {
                    cell[plane.x()] = i % columns;
                }
                if (plane.y() >= 0) {
                    cell[plane.y()] = i / columns;
                }
                entries.add(entry(array, cell));
            }
        }
        return Json.object()
                .with("columns", Json.of(columns))
                .with("rows", Json.of(rows))
                .with("sharded", Json.of(array.isSharded()))
                .with("entries", new Json.Arr(entries));
    }

    /** Returns the cell of the plane's first element. */
    private static long[] first(Plane plane, StoredChunks chunks) {
        long[] origin = plane.at().clone();
        long[] one = origin.clone();
        for (int d = 0; d < origin.length; d++) {
            origin[d] = d == plane.x() || d == plane.y() ? 0 : origin[d];
            one[d] = 1;
        }
        return chunks.touched(Box.of(origin, one)).origin();
    }

    private static Json entry(ZarrArray array, long[] cell) {
        StoredChunks chunks = array.storedChunks();
        Json.Obj entry = Json.object()
                .with("cell", Json.of(cell))
                .with("key", Json.of(chunks.key(cell)))
                .with("raw", Json.of(rawBytes(array, chunks.box(cell))));
        if (chunks.codec(cell).partitioned().isEmpty()) {
            return entry.with("size", Json.of(chunks.storedSize(cell).orElse(0)));
        }
        Optional<Layout> layout = chunks.layout(cell);
        return layout.isEmpty() ? entry.with("size", Json.of(0)) : shard(entry, layout.get());
    }

    /** Adds the number of inner chunks, and the bytes that belong to none. */
    private static Json shard(Json.Obj entry, Layout layout) {
        List<Extent> extents = new ArrayList<>();
        for (long i = 0; i < layout.count(); i++) {
            layout.extent(i).ifPresent(extents::add);
        }
        int stored = extents.size();
        extents.add(layout.index());
        extents.sort(Comparator.comparingLong(Extent::offset));
        long end = 0;
        long unused = 0;
        for (Extent extent : extents) {
            unused += Math.max(0, extent.offset() - end);
            end = Math.max(end, extent.offset() + extent.size());
        }
        return entry.with("size", Json.of(layout.shardSize()))
                .with("inner_chunks", Json.of(layout.count()))
                .with("inner_chunks_stored", Json.of(stored))
                .with("unused", Json.of(unused + Math.max(0, layout.shardSize() - end)));
    }

    /** Returns the decoded size of the chunk's part inside the array; 0 if elements have no fixed size. */
    private static long rawBytes(ZarrArray array, Box box) {
        OptionalInt size = array.dataType().elementSize();
        return size.isEmpty() ? 0 : box.intersect(array.domain()).count() * size.getAsInt();
    }
}
