package dev.shardkit.cli.base;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.print.Output;
import dev.shardkit.maintenance.tree.ParentGroups;
import dev.shardkit.registry.NamedFormat;
import dev.shardkit.store.Store;

/** Creates missing groups and the root document above a new node, and reports them to the user. Stateless. */
public final class ParentGroupCreation {
    private ParentGroupCreation() {}

    /** Creates the missing groups above the node at {@code url}. The node must be complete and its store closed. */
    public static void createMissing(String url, ZarrOptions options, Output output) {
        ParentGroups groups;
        try (Store store = Zarr.openStore(url, options)) {
            groups = ParentGroups.above(store);
        }
        groups.make(options)
                .forEach(group -> output.printMessage("made the group " + group.replaceFirst("^file:", "")));
    }

    /**
     * Creates the root document above a new node whose location names a format. Reports a problem with that document.
     *
     * @return whether the location names a format
     */
    public static boolean createRoot(Store node, ZarrOptions options, Output output) {
        ParentGroups.makeRoot(node, options).ifPresent(problem -> output.printMessage("note: " + problem));
        return NamedFormat.name(node).isPresent();
    }
}
