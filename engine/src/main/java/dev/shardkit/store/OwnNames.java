package dev.shardkit.store;

import java.util.regex.Pattern;

/**
 * The names of shardkit's own files and folders beside the objects of arrays and groups: locks, journals, temporary
 * files and marks of unfinished work. All begin with {@code __}, which Zarr v3 reserves. Other names with this
 * beginning are ordinary names: Zarr v2 and HDF5 allow them, and programs use them. Stateless.
 */
public final class OwnNames {
    private static final Pattern OWN = Pattern.compile("__shardkit.*|__relayout|__rechunk|__access|__growth|"
            + "__spark_append|__concatenated-zarr\\.json|__concatenation-probe|__probe-.*|"
            + "__unfinished(_part.*)?");

    private OwnNames() {}

    /** Returns whether a name, which has no slash, is one of shardkit's own. */
    public static boolean isOwn(String name) {
        return name.startsWith("__") && OWN.matcher(name).matches();
    }

    /** Returns whether one of the names in {@code key} is one of shardkit's own. */
    public static boolean isBelowOwn(String key) {
        // checks the first name, and each later one that begins with two underscores
        for (int index = 0; index >= 0; index = key.indexOf("/__", index) < 0 ? -1 : key.indexOf("/__", index) + 1) {
            int slash = key.indexOf('/', index);
            if (isOwn(key.substring(index, slash < 0 ? key.length() : slash))) {
                return true;
            }
        }
        return false;
    }
}
