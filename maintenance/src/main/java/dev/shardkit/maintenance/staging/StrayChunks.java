package dev.shardkit.maintenance.staging;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.region.StoredArray;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Recognizes stray chunks of an array: stored chunks that no reader finds. There are two kinds. An append that fails
 * leaves chunks outside the grid. A change of layout or a replacement that fails leaves objects with keys in another
 * chunk key encoding, which it uses temporarily. A stray chunk does not show which program wrote it. Immutable.
 */
public final class StrayChunks {
    /** The array with its own chunk key encoding. */
    private final StoredArray own;

    private final long[] grid;
    /** The array with each other encoding. */
    private final List<StoredArray> others;

    public StrayChunks(ZarrArray array) {
        own = ArrayInternals.of(array);
        grid = own.cells();
        others = otherEncodings(array);
    }

    /**
     * Returns the array with each chunk key encoding that a change of layout or a replacement may use; empty if its
     * layout cannot be changed.
     */
    private static List<StoredArray> otherEncodings(ZarrArray array) {
        if (array.nodeFormat().isPresent()) {
            return List.of();
        }
        List<Json> encodings;
        try {
            encodings = LayoutMembers.keyEncodings(array.metadata());
        } catch (UnsupportedException e) {
            return List.of();
        }
        List<StoredArray> others = new ArrayList<>();
        for (Json encoding : encodings) {
            Json.Obj document = LayoutMembers.withKeys(MetadataWriter.document(array.metadata()), encoding);
            others.add(ArrayInternals.of(Zarr.openArray(
                    ArrayInternals.of(array).node().session().store(),
                    array.path(),
                    LayoutChange.read(array, document),
                    array.options())));
        }
        return others;
    }

    /** Returns the reason why the object under a key is a stray chunk; empty if it is not. */
    public Optional<String> findReason(String key) {
        Optional<long[]> cell = own.cell(key);
        if (cell.isPresent()) {
            return isOutside(cell.get())
                    ? Optional.of("a chunk outside the grid of " + Arrays.toString(grid) + " chunks")
                    : Optional.empty();
        }
        return others.stream().anyMatch(other -> other.cell(key).isPresent())
                ? Optional.of("a chunk key of another encoding than the array's")
                : Optional.empty();
    }

    /** Returns whether a key has the array's own encoding and names a chunk outside the grid. */
    boolean isOutside(String key) {
        return own.cell(key).filter(this::isOutside).isPresent();
    }

    private boolean isOutside(long[] cell) {
        for (int d = 0; d < grid.length; d++) {
            if (cell[d] >= grid[d]) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the key of a stored chunk outside the grid of an array, whose elements no read returns. Empty if there is
     * none. Lists the objects of the array.
     *
     * @throws UnsupportedException if the store does not support listing
     */
    public static Optional<String> findOutside(ZarrArray array) {
        StrayChunks strays = new StrayChunks(array);
        List<String> outside = new ArrayList<>();
        ArrayInternals.of(array).objects(key -> {
            if (outside.isEmpty() && strays.isOutside(key)) {
                outside.add(key);
            }
        });
        return outside.stream().findFirst();
    }

    /**
     * Visits the stray chunks, each with its reason.
     *
     * @throws UnsupportedException if the store does not support listing
     */
    public void visit(BiConsumer<String, String> strays) {
        own.objects(key -> findReason(key).ifPresent(reason -> strays.accept(key, reason)));
    }
}
