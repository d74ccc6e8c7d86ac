package dev.shardkit.maintenance;

import dev.shardkit.session.UnfinishedNode;
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

    private ReservedNames() {}

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
