package dev.shardkit.cli.base;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.print.Output;
import dev.shardkit.maintenance.tree.ParentGroups;
import dev.shardkit.registry.NamedFormat;
import dev.shardkit.store.Store;

/** Makes the groups and the root document that are missing above a new node, and says so. Stateless. */
public final class GroupsAbove {
    private GroupsAbove() {}

    /** Makes the missing groups above the node at {@code url}, which is complete and whose store is closed. */
    public static void make(String url, ZarrOptions options, Output output) {
        ParentGroups groups;
        try (Store store = Zarr.openStore(url, options)) {
            groups = ParentGroups.above(store);
        }
        groups.make(options).forEach(group -> output.message("made the group " + group.replaceFirst("^file:", "")));
    }

    /**
     * Says if the root document of the tree of a new node, whose location names a format, is missing or incomplete.
     *
     * @return whether the location names a format
     */
    public static boolean noteRoot(Store node, ZarrOptions options, Output output) {
        ParentGroups.makeRoot(node, options).ifPresent(problem -> output.message("note: " + problem));
        return NamedFormat.name(node).isPresent();
    }
}
