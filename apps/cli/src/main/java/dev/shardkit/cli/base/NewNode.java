package dev.shardkit.cli.base;

import dev.shardkit.maintenance.base.AllOrNothing;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Store;
import java.io.IOException;

/** Makes a node at the root of a store, or nothing: a failing store, such as a full disk, leaves no empty folder. */
public final class NewNode {
    private NewNode() {}

    /**
     * Runs work that makes the node. If it fails, the folders that it made are removed, but no files: another program
     * may have begun to store a node there.
     */
    public static <T> void make(Store store, AllOrNothing.Work<T, IOException> work) throws IOException {
        MadeFolders folders = MadeFolders.before(store);
        try {
            AllOrNothing.run(store, work);
        } catch (StoreException e) {
            try {
                folders.removeEmpty();
            } catch (IOException again) {
                e.addSuppressed(again);
            }
            throw e;
        }
    }
}
