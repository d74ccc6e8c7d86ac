package dev.shardkit.maintenance.chunks;

import dev.shardkit.maintenance.local.LocalFolders;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Commits;
import dev.shardkit.store.Content;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Copies objects to the same keys of another store before a repair changes them. Never replaces an object of an earlier
 * backup. Stateless.
 */
public final class ObjectBackup {
    private static final int PIECE = 1 << 16;

    private ObjectBackup() {}

    /**
     * Copies an object; no-op if it does not exist, or if the backup already has the same bytes. If the backup is an
     * archive, publishes the copy at once.
     *
     * @throws StoreException if the backup has an object with other content under the key
     */
    public static void backUp(BlockingStore from, String key, Store backup, Durability durability) throws IOException {
        Optional<ObjectSnapshot> found = from.openToChange(key);
        if (found.isEmpty()) {
            return;
        }
        BlockingStore to = BlockingStore.to(backup);
        try (ObjectSnapshot object = found.get()) {
            if (isBackedUp(object, to, key)) {
                return;
            }
            // Without atomic puts, a crash could leave a partial copy, and every later run would refuse to replace it.
            Durability atLeastAtomic = durability == Durability.NONE ? Durability.ATOMIC : durability;
            to.put(key, Content.of(object), atLeastAtomic);
        }
        Optional<Commits> archive = backup.find(Commits.class);
        if (archive.isPresent()) {
            archive.get().commit();
        }
    }

    private static boolean isBackedUp(ObjectSnapshot object, BlockingStore to, String key) throws IOException {
        Optional<ObjectSnapshot> found = to.open(key);
        if (found.isEmpty()) {
            return false;
        }
        try (ObjectSnapshot other = found.get()) {
            if (!isEqual(object, other)) {
                throw new StoreException("the backup " + to.describe() + " has another object " + key
                        + " already, perhaps of an earlier repair; give another place for the backup");
            }
            return true;
        }
    }

    /** Returns whether two objects have the same bytes. */
    static boolean isEqual(ObjectSnapshot one, ObjectSnapshot other) throws IOException {
        if (one.size() != other.size()) {
            return false;
        }
        for (long at = 0; at < one.size(); at += PIECE) {
            int length = (int) Math.min(PIECE, one.size() - at);
            if (!readPiece(one, at, length).equals(readPiece(other, at, length))) {
                return false;
            }
        }
        return true;
    }

    private static ByteBuffer readPiece(ObjectSnapshot object, long at, int length) throws IOException {
        ByteBuffer piece = ByteBuffer.allocate(length);
        object.read(at, piece);
        return piece.flip();
    }

    /**
     * Refuses a backup that lies inside the data or around it. A backup in the same archive is always refused, because
     * data and backup would overwrite each other's changes.
     *
     * @param data the location of the data, as its store describes it
     * @throws IllegalArgumentException if the two locations overlap
     */
    public static void refuseOverlap(Store store, String data, Store backup) {
        Optional<Path> from = LocalFolders.folderOrArchive(data);
        Optional<Path> to = LocalFolders.folderOrArchive(backup.describe());
        boolean overlap = from.isPresent() && to.isPresent()
                ? LocalFolders.overlap(from.get(), to.get())
                : overlapByDescription(store, data, backup);
        if (overlap) {
            throw new IllegalArgumentException("data and backup overlap: " + data + ", " + backup.describe());
        }
    }

    /** Returns whether one store lies in the other by their descriptions. Stores in memory are compared by identity. */
    private static boolean overlapByDescription(Store store, String data, Store backup) {
        String to = backup.describe();
        if (to.startsWith("memory:")) {
            return store == backup;
        }
        return (data + "/").startsWith(to + "/") || (to + "/").startsWith(data + "/");
    }
}
