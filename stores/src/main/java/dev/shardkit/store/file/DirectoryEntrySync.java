package dev.shardkit.store.file;

import dev.shardkit.store.file.disk.DirectorySync;
import dev.shardkit.store.file.disk.ReservedFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Forces the directory entries that lead to a file to the disk, so that the file can be found after a power failure. An
 * existing directory may have an entry that was never forced: acquiring a lock creates the directory before the first
 * write, and another writer may have created it. So each call forces every entry between the root and the file, except
 * those that this object forced before; it compares the identity of the file behind an entry. Thread-safe.
 */
final class DirectoryEntrySync {
    /** The maximum number of entries in {@link #forcedIdentities}. */
    private static final int REMEMBERED = 10_000;

    private final StoreDirectory tree;
    /** The identities of the files whose entries this object has forced, by path. */
    private final ConcurrentHashMap<Path, Object> forcedIdentities = new ConcurrentHashMap<>();

    /** Creates an instance for the entries of a tree. */
    DirectoryEntrySync(StoreDirectory tree) {
        this.tree = tree;
    }

    /** Forces the entries that lead to {@code path}, a real path of an existing file or directory. */
    void force(Path path) throws IOException {
        Path root = tree.realRoot();
        for (Path entry = path; entry.startsWith(root) && !entry.equals(root); entry = entry.getParent()) {
            Object identity = ReservedFiles.attributes(entry).fileKey();
            if (identity == null || !identity.equals(forcedIdentities.get(entry))) {
                DirectorySync.force(entry.getParent(), 0);
                remember(entry, identity);
            }
        }
        // The root and the folders above it, if this store created them.
        for (Path created : tree.unforced()) {
            DirectorySync.force(created.getParent(), 0);
            tree.recordForced(created);
        }
        if (!path.startsWith(root)) {
            DirectorySync.force(path.getParent(), 0); // a link leads out of the root
        }
    }

    /**
     * Forces the entries that lead to a new file, always including its own entry: the file's identity may be reused.
     */
    void forceNew(Path path) throws IOException {
        forcedIdentities.remove(path);
        force(path);
    }

    private void remember(Path path, @Nullable Object identity) {
        if (identity != null) {
            if (forcedIdentities.size() >= REMEMBERED) {
                forcedIdentities.clear();
            }
            forcedIdentities.put(path, identity);
        }
    }
}
