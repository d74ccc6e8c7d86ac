package dev.shardkit.session;

import dev.shardkit.metadata.NodePath;
import dev.shardkit.registry.NamedFormat;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Prunes;

/** Makes room for a new node. Stateless, thread-safe. */
public final class NewNode {
    private NewNode() {}

    /** Throws if a node of Zarr v3 cannot be created at this path, or if a node exists. */
    public static void refuseExisting(StoredNode node) {
        NamedFormat.refuseZarr(node.session().store());
        refusePresent(node);
    }

    /** Throws if a node of any format cannot be created at this path, or if a node exists. */
    public static void refusePresent(StoredNode node) {
        check(node);
        EnclosingArray.refuse(node);
        if (node.exists()) {
            throw node.located(
                    new StoreException("an array or group already exists here; Existing.OVERWRITE replaces it"));
        }
    }

    /** Removes everything at and below this path. Throws if a node cannot be created there. */
    public static void deleteExisting(StoredNode node) {
        NamedFormat.refuseZarr(node.session().store());
        check(node);
        node.session().store().need(Prunes.class, "replacing an array or group");
        EnclosingArray.refuse(node);
        node.delete();
    }

    private static void check(StoredNode node) {
        NodePath.of(node.path());
        node.session().writable("creating an array or group");
    }
}
