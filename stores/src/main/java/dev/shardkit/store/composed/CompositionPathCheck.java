package dev.shardkit.store.composed;

import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.store.OwnNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Checks the paths in a {@link Composition}: their number, form and overlaps. Stateless. */
final class CompositionPathCheck {
    /** The maximum length of a path, which bounds the work of the checks. Keys of object stores are not longer. */
    private static final int LONGEST = 1024;

    private CompositionPathCheck() {}

    static void check(Set<String> mounts, Map<String, Map<String, Composition.StoredPart>> arrays) {
        List<String> paths = new ArrayList<>(mounts);
        paths.addAll(arrays.keySet());
        long parts =
                mounts.size() + arrays.values().stream().mapToLong(Map::size).sum();
        if (parts > Composition.MAX_PARTS) {
            throw new MetadataException(
                    "a composed store: expected at most " + Composition.MAX_PARTS + " parts, found " + parts);
        }
        paths.forEach(CompositionPathCheck::checkPath);
        refuseOverlaps(paths);
        arrays.forEach((path, shards) -> shards.keySet().forEach(indices -> {
            // An array has at most 32 dimensions, so there are at most 32 indices.
            if (!indices.matches("[0-9]{1,18}([/.][0-9]{1,18}){0,31}")) {
                throw new MetadataException("a composed store: expected the first indices of chunks of " + path
                        + ", such as 0/1, found " + indices);
            }
        }));
        arrays.forEach((path, shards) -> refuseOverlaps(shards.keySet().stream()
                .map(indices -> indices.replace('.', '/'))
                .toList()));
    }

    private static void checkPath(String path) {
        if (path.length() > LONGEST) {
            throw new MetadataException("a composed store: expected paths of at most " + LONGEST
                    + " characters, found one of " + path.length());
        }
        for (String name : path.split("/", -1)) {
            if (name.isEmpty() || name.matches("\\.+") || OwnNames.isOwn(name) || name.indexOf(0) >= 0) {
                throw new MetadataException("a composed store: expected paths of nodes, found \"" + path + "\"");
            }
        }
    }

    /** Refuses equal paths, and a path that lies below another one. */
    private static void refuseOverlaps(List<String> paths) {
        Set<String> allPaths = new TreeSet<>();
        for (String path : paths) {
            if (!allPaths.add(path)) {
                throw new MetadataException("a composed store: two parts have the path " + path);
            }
        }
        for (String path : paths) {
            for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
                if (allPaths.contains(path.substring(0, slash))) {
                    throw new MetadataException(
                            "a composed store: the part " + path + " lies below the part " + path.substring(0, slash));
                }
            }
        }
    }
}
