package dev.shardkit.session;

import dev.shardkit.metadata.NodePath;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Prunes;

/** Makes room for a new node. Stateless, thread-safe. */
public final class NewNode {
    private NewNode() {}

    /** Throws if a node cannot be created at this path, or if one exists. */
    public static void refuseExisting(StoredNode node) {
        check(node);
        EnclosingArray.refuse(node);
        if (node.exists()) {
            throw node.located(
                    new StoreException("an array or group already exists here; Existing.OVERWRITE replaces it"));
        }
    }

    /** Removes everything at and below this path. Throws if a node cannot be created there. */
    public static void deleteExisting(StoredNode node) {
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
