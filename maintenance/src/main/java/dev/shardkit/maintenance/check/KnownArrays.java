package dev.shardkit.maintenance.check;

import dev.shardkit.ZarrArray;
import java.util.HashSet;
import java.util.Set;

/**
 * The arrays that a walk has opened, so that a later walk, which is for groups and folders, does not read their
 * documents again. Remembers a limited number, because a tree may have any number of arrays. Not thread-safe.
 */
final class KnownArrays {
    /** Takes about 10 MB. */
    private static final int MAX_REMEMBERED = 100_000;

    private final Set<String> paths = new HashSet<>();

    /** Remembers an array. Arrays of other formats may store their chunks elsewhere than at their path. */
    void add(ZarrArray array) {
        if (paths.size() < MAX_REMEMBERED && array.nodeFormat().isEmpty()) {
            paths.add(array.path());
        }
    }

    /** Returns whether an array is remembered. */
    boolean contains(String path) {
        return paths.contains(path);
    }
}
