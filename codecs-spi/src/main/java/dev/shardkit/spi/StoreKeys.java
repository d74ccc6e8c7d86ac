package dev.shardkit.spi;

import java.util.List;

/**
 * Joins and divides the keys of a store and the paths of nodes: names that are separated by slashes, {@code a/b/c}. An
 * empty text is the root. The names are not checked.
 */
public final class StoreKeys {
    /** The schemes of locations that name a file with nodes inside. */
    private static final List<String> IN_FILES = List.of("zip:", "hdf5:", "b2nd:", "reference:");

    private StoreKeys() {}

    /** Returns the key of {@code name} below {@code path}. Each of the two may be empty or have several names. */
    public static String join(String path, String name) {
        return path.isEmpty() || name.isEmpty() ? path + name : path + "/" + name;
    }

    /** Returns the common prefix of the keys of all objects below {@code path}: {@code a/b/}; empty for the root. */
    public static String prefix(String path) {
        return path.isEmpty() ? "" : path + "/";
    }

    /** Returns the rest of {@code key}, which is below {@code path}. */
    public static String relative(String path, String key) {
        return key.substring(prefix(path).length());
    }

    /** Returns the path without its last name; the root's parent is the root. */
    public static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }

    /** Returns the last name of {@code key}; empty for the root. */
    public static String name(String key) {
        return key.substring(key.lastIndexOf('/') + 1);
    }

    /** Returns the location of {@code path} in the store or archive at {@code root}, in the form that messages show. */
    public static String location(String root, String path) {
        boolean isSeparated = path.isEmpty() || root.endsWith("/") || root.endsWith("!");
        return isSeparated ? root + path : root + (isWholeFile(root) ? "!" : "/") + path;
    }

    /** Returns whether a location names a file that holds nodes, such as an archive; a path in it follows after "!". */
    private static boolean isWholeFile(String location) {
        return IN_FILES.stream().anyMatch(location::startsWith) && location.indexOf('!') < 0;
    }
}
