package dev.shardkit.serve;

import dev.shardkit.ArrayStorage;
import dev.shardkit.ZarrArray;
import dev.shardkit.pictures.StoredCell;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.List;

/** Lists the stored sizes of the chunks or shards of a plane, for the server's page. Reads only the shards' indexes. */
final class StorageMap {
    /** The maximum number of chunks or shards. */
    private static final int MAX_CELLS = 4096;

    private StorageMap() {}

    /** Returns one entry for each chunk or shard that intersects the plane, row by row. */
    static Json compute(Plane plane) throws HttpError {
        ZarrArray array = plane.array();
        ArrayStorage chunks = array.storage();
        long[] cells = chunks.gridShape();
        long columns = plane.x() < 0 ? 1 : cells[plane.x()];
        long rows = plane.y() < 0 ? 1 : cells[plane.y()];
        if (columns > MAX_CELLS || rows > MAX_CELLS || columns * rows > MAX_CELLS) {
            throw new HttpError(
                    422,
                    "the plane meets " + columns + " x " + rows + " stored chunks; the map shows at most " + MAX_CELLS);
        }
        List<Json> entries = new ArrayList<>();
        if (columns * rows > 0) {
            long[] cell = firstCell(plane, chunks);
            for (long i = 0; i < columns * rows; i++) {
                if (plane.x() >= 0) {
                    cell[plane.x()] = i % columns;
                }
                if (plane.y() >= 0) {
                    cell[plane.y()] = i / columns;
                }
                entries.add(toJson(array, cell));
            }
        }
        return Json.object()
                .with("columns", Json.of(columns))
                .with("rows", Json.of(rows))
                .with("sharded", Json.of(array.isSharded()))
                .with("entries", new Json.Arr(entries));
    }

    /** Returns the cell in the chunk grid of the plane's first element. */
    private static long[] firstCell(Plane plane, ArrayStorage chunks) {
        long[] origin = plane.position().clone();
        long[] unitShape = new long[origin.length];
        for (int d = 0; d < origin.length; d++) {
            origin[d] = d == plane.x() || d == plane.y() ? 0 : origin[d];
            unitShape[d] = 1;
        }
        return chunks.touched(Box.of(origin, unitShape)).origin();
    }

    private static Json toJson(ZarrArray array, long[] cell) {
        StoredCell storedCell = StoredCell.of(array, cell);
        Json.Obj entry = Json.object()
                .with("cell", Json.of(cell))
                .with("key", Json.of(storedCell.key()))
                .with("raw", Json.of(storedCell.raw()))
                .with("size", Json.of(storedCell.size()));
        return storedCell
                .shard()
                .map(shard -> (Json) entry.with("inner_chunks", Json.of(shard.innerChunks()))
                        .with("inner_chunks_stored", Json.of(shard.stored()))
                        .with("unused", Json.of(shard.unused())))
                .orElse(entry);
    }
}
