package dev.shardkit.store.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The directory entries that lead to files, on the device. A directory may have been made by somebody who forced
 * nothing (a lock is taken before the first write), so all entries from the root are forced, but for those that were
 * already: a look at their identity tells. Thread-safe.
 */
final class Entries {
    private static final int REMEMBERED = 10_000;

    private final Tree tree;
    private final ConcurrentHashMap<Path, Object> forced = new ConcurrentHashMap<>();

    /** Entries of a tree. */
    Entries(Tree tree) {
        this.tree = tree;
    }

    /** Forces the entries that lead to {@code path}, a real path of something that is there. */
    void force(Path path) throws IOException {
        Path root = tree.realRoot();
        for (Path p = path; p.startsWith(root) && !p.equals(root); p = p.getParent()) {
            Optional<Object> identity =
                    Optional.ofNullable(Reserved.attributes(p).fileKey());
            if (identity.isEmpty() || !identity.get().equals(forced.get(p))) {
                Directories.force(p.getParent(), 0);
                remember(p, identity);
            }
        }
        for (Path made : tree.madeAbove()) {
            Directories.force(made.getParent(), 0);
            tree.forced(made);
        }
        if (!path.startsWith(root)) {
            Directories.force(path.getParent(), 0); // a link leads out of the root
        }
    }

    /** The same after {@code path} has got a file that is new there, so its entry is always forced. */
    void forceNew(Path path) throws IOException {
        forced.remove(path);
        force(path);
    }

    private void remember(Path path, Optional<Object> identity) {
        if (identity.isPresent()) {
            if (forced.size() >= REMEMBERED) {
                forced.clear();
            }
            forced.put(path, identity.get());
        }
    }
}
