package dev.shardkit.cli.base;

import dev.shardkit.maintenance.publish.AllOrNothing;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Store;
import java.io.IOException;

/**
 * Runs work that creates a node at the root of a store, and cleans up: if the store fails, for example because the disk
 * is full, no empty folders remain. The work itself decides whether to replace an existing node.
 */
public final class NodeCreation {
    private NodeCreation() {}

    /**
     * Runs work that creates the node. If it fails, removes the folders that it created, unless they contain files:
     * another program may have started to store a node there.
     */
    public static <T> void create(Store store, AllOrNothing.Work<T, IOException> work) throws IOException {
        CreatedFolders folders = CreatedFolders.before(store);
        try {
            AllOrNothing.run(store, work);
        } catch (StoreException e) {
            try {
                folders.removeEmpty();
            } catch (IOException cleanupFailure) {
                e.addSuppressed(cleanupFailure);
            }
            throw e;
        }
    }
}
