package dev.shardkit.serve;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ome.Axis;
import dev.shardkit.ome.Multiscale;
import dev.shardkit.ome.OmeMetadata;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The OME-Zarr images that arrays are levels of. OME-Zarr 0.5 names the dimensions of levels by the axes of the image.
 * In 0.4, which belongs to Zarr v2, only the image names the axes, in the order of the dimensions. Remembers the groups
 * of one request. Not thread-safe.
 */
final class ImageAxes {
    private final StoredNodes nodes;
    private final Map<String, Map<String, List<String>>> groups = new HashMap<>();

    ImageAxes(StoredNodes nodes) {
        this.nodes = nodes;
    }

    /** Remembers a group that is open. */
    void add(ZarrGroup group) {
        groups.put(group.path(), levels(group));
    }

    /**
     * Returns the names of the axes of an array without names of dimensions, if an image above it has it as a level.
     */
    Optional<List<String>> axisNames(ZarrArray array) {
        if (array.dimensionNames().isPresent()) {
            return Optional.empty();
        }
        for (String above = array.path(); !above.isEmpty(); ) {
            above = StoreKeys.parent(above);
            List<String> names = groups.computeIfAbsent(above, this::find).get(StoreKeys.relative(above, array.path()));
            if (names != null) {
                return names.size() == array.shape().length ? Optional.of(names) : Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** @throws StoreException if the store cannot say what the group is: an answer without names would be a guess */
    private Map<String, List<String>> find(String path) {
        try {
            return nodes.kept(path) instanceof ZarrGroup group ? levels(group) : Map.of();
        } catch (StoreException e) {
            throw e;
        } catch (Refused | ZarrException e) {
            return Map.of(); // a folder without metadata, or with metadata that are wrong, is no image
        }
    }

    /** Returns the names of the axes of all levels in a group, by the paths of their arrays below the group. */
    private static Map<String, List<String>> levels(ZarrGroup group) {
        Map<String, List<String>> levels = new HashMap<>();
        try {
            for (Multiscale image : OmeMetadata.find(group.attributes(), group.location())
                    .map(OmeMetadata::multiscales)
                    .orElse(List.of())) {
                List<String> names = image.axes().stream().map(Axis::name).toList();
                image.datasets().forEach(level -> levels.putIfAbsent(level.path(), names));
            }
        } catch (ZarrException e) {
            return Map.of(); // the metadata is wrong, or of an unknown version
        }
        return levels;
    }
}
