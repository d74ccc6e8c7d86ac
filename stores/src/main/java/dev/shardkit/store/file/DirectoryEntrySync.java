package dev.shardkit.store.file;

import dev.shardkit.store.file.disk.DirectorySync;
import dev.shardkit.store.file.disk.ReservedFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Forces the directory entries that lead to files. A directory that exists may have an entry that was never forced:
 * acquiring a lock creates the directory before the first write, and another writer may have created it. So each call
 * forces every entry between the root and the file, except entries that this object forced before, which it recognizes
 * by the identity of their file. Thread-safe.
 */
final class DirectoryEntrySync {
    private static final int REMEMBERED = 10_000;

    private final StoreDirectory tree;
    private final ConcurrentHashMap<Path, Object> forcedIdentities = new ConcurrentHashMap<>();

    /** Entries of a tree. */
    DirectoryEntrySync(StoreDirectory tree) {
        this.tree = tree;
    }

    /** Forces the entries that lead to {@code path}, a real path of an existing file or directory. */
    void force(Path path) throws IOException {
        Path root = tree.realRoot();
        for (Path p = path; p.startsWith(root) && !p.equals(root); p = p.getParent()) {
            Object identity = ReservedFiles.attributes(p).fileKey();
            if (identity == null || !identity.equals(forcedIdentities.get(p))) {
                DirectorySync.force(p.getParent(), 0);
                remember(p, identity);
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

    /** Forces the entries that lead to {@code path} after a new file was created there; always forces its own entry. */
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
