package dev.shardkit.serve;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ome.metadata.Axis;
import dev.shardkit.ome.metadata.Multiscale;
import dev.shardkit.ome.metadata.OmeMetadata;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the dimension names for arrays of Zarr v2 that are levels of OME-Zarr images, so that the server can present
 * them as OME-Zarr 0.5. There, levels have dimension names, which equal the axes of the image. In 0.4, which requires
 * Zarr v2, only the image names the axes. Caches the groups of one request. Not thread-safe.
 */
final class ImageAxes {
    private final StoredNodes nodes;
    /** The names of axes by the path of a group, then by the path of a level below the group. */
    private final Map<String, Map<String, List<String>>> levelsByGroup = new HashMap<>();

    ImageAxes(StoredNodes nodes) {
        this.nodes = nodes;
    }

    /** Adds an open group to the cache. */
    void add(ZarrGroup group) {
        levelsByGroup.put(group.path(), axesByLevel(group));
    }

    /**
     * Returns the names of the axes of an array, if the array has no dimension names and is a level of an image above
     * it.
     */
    Optional<List<String>> axisNames(ZarrArray array) {
        if (array.dimensionNames().isPresent()) {
            return Optional.empty();
        }
        for (String groupPath = array.path(); !groupPath.isEmpty(); ) {
            groupPath = StoreKeys.parent(groupPath);
            List<String> names = levelsByGroup
                    .computeIfAbsent(groupPath, this::readLevels)
                    .get(StoreKeys.relative(groupPath, array.path()));
            if (names != null) {
                return names.size() == array.shape().length ? Optional.of(names) : Optional.empty();
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the levels of the image at a path; none if there is no image.
     *
     * @throws StoreException if the store cannot read the group, because the array might get wrong names without it
     */
    private Map<String, List<String>> readLevels(String path) {
        try {
            return nodes.cachedNode(path) instanceof ZarrGroup group ? axesByLevel(group) : Map.of();
        } catch (StoreException e) {
            throw e;
        } catch (HttpError | ZarrException e) {
            return Map.of(); // a folder without metadata, or with wrong metadata, is not an image
        }
    }

    /** Returns the names of axes for the path of each level below a group. */
    private static Map<String, List<String>> axesByLevel(ZarrGroup group) {
        Map<String, List<String>> axesByLevel = new HashMap<>();
        try {
            for (Multiscale image : OmeMetadata.find(group.attributes(), group.location())
                    .map(OmeMetadata::multiscales)
                    .orElse(List.of())) {
                List<String> names = image.axes().stream().map(Axis::name).toList();
                image.datasets().forEach(level -> axesByLevel.putIfAbsent(level.path(), names));
            }
        } catch (ZarrException e) {
            return Map.of(); // the metadata is wrong, or of an unknown version
        }
        return axesByLevel;
    }
}
