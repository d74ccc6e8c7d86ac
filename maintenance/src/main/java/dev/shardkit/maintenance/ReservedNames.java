package dev.shardkit.maintenance;

import dev.shardkit.session.UnfinishedNode;
import dev.shardkit.spi.StoreKeys;
import java.util.regex.Pattern;

/**
 * Names that begin with {@code __}. Zarr reserves them for extensions, so other programs may use them too. Stateless.
 */
final class ReservedNames {
    /** The names of shardkit's own files and folders, and how the others begin. */
    private static final Pattern OURS = Pattern.compile(
            "__relayout|__access|__concatenated-zarr\\.json|__concatenation-probe|__probe-.*|__spark_append|"
                    + ReplacementFile.KEY + "|" + PartedRechunk.FOLDER + "|__shardkit.*|"
                    + UnfinishedNode.COPY_MARK + "(_part.*)?|" + UnfinishedNode.CONVERSION_MARK + "|"
                    + UnfinishedNode.CONCATENATION_MARK);

    /** A document of a node that is being removed: a store of local files moves it aside first. */
    private static final Pattern REMOVED = Pattern.compile("__shardkit-deleted-[0-9a-f-]{36}");

    private ReservedNames() {}

    /** Whether a key is that of a document whose node is being removed, or whose removal was interrupted. */
    static boolean isRemoved(String key) {
        return REMOVED.matcher(StoreKeys.name(key)).matches();
    }

    /**
     * Whether a key belongs to another program. Its topmost reserved name decides: a folder of another program may hold
     * anything.
     */
    static boolean isOfOthers(String key) {
        for (String name : key.split("/")) {
            if (name.startsWith("__")) {
                return !OURS.matcher(name).matches();
            }
        }
        return false;
    }
}
