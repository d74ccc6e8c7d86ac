package dev.shardkit.cli;

import dev.shardkit.maintenance.AllOrNothing;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Snapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreAccess;
import java.io.IOException;
import java.util.Optional;

/** Makes a node at the root of a store, or nothing: a failing store, such as a full disk, leaves no folder. */
final class NewNode {
    private static final String DOCUMENT = "zarr.json";

    private NewNode() {}

    /** Runs work that makes the node. */
    static <T> void make(Store store, AllOrNothing.Work<T, IOException> work) throws IOException {
        MadeFolders folders = MadeFolders.before(store);
        try {
            AllOrNothing.run(store, work);
        } catch (StoreException e) {
            if (folders.isNew()) {
                remove(store, folders, e);
            }
            throw e;
        }
    }

    private static void remove(Store store, MadeFolders folders, StoreException failure) {
        try {
            StoreAccess access = StoreAccess.to(store);
            Optional<Snapshot> document = access.open(DOCUMENT);
            if (document.isPresent()) {
                document.get().close(); // another program was faster
                return;
            }
            access.deleteAll("");
            folders.removeEmpty();
        } catch (IOException | ZarrException e) {
            failure.addSuppressed(e);
        }
    }
}
