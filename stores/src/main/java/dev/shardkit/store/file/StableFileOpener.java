package dev.shardkit.store.file;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.UnfinishedChangeException;
import dev.shardkit.store.file.disk.FileState;
import dev.shardkit.store.file.disk.FileTimes;
import dev.shardkit.store.file.open.FileSnapshot;
import dev.shardkit.store.file.open.FileStateCache;
import dev.shardkit.store.file.open.OpenFiles;
import dev.shardkit.store.file.patch.JournalDirectory;
import dev.shardkit.store.file.patch.Recovery;
import dev.shardkit.store.filesystem.OpenFileReplacement;
import dev.shardkit.store.keys.Keys;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** Opens the files of a store, for readers only when no patch is changing them in place. Thread-safe. */
final class StableFileOpener {
    /** How often a file that is replaced during the opening is opened again. */
    private static final int TRIES = 100;

    /** The first pause of a reader that waits for a patch, in nanoseconds; each further one is twice as long. */
    private static final long FIRST_PAUSE = 50_000;

    private static final long LONGEST_PAUSE = 10_000_000;

    private final StoreDirectory tree;
    private final FoldedNames names;
    private final LockedObjects lockedKeys;
    private final int maxLooks;
    private final FileStateCache states = new FileStateCache();

    /**
     * Creates an opener of the files below {@code tree}.
     *
     * @param maxLooks how often a reader checks a patch that makes no progress before the read fails. This is a count
     *     and not a time, because on a busy machine both the writer and the reader get slower
     */
    StableFileOpener(StoreDirectory tree, FoldedNames names, LockedObjects lockedKeys, int maxLooks) {
        this.tree = tree;
        this.names = names;
        this.lockedKeys = lockedKeys;
        this.maxLooks = maxLooks;
    }

    /** Opens an object for a reader and keeps its file open; waits for a running patch. */
    Optional<ObjectSnapshot> forReader(String key, OpenFiles openFiles) {
        return call(key, path -> forReader(path, key).map(file -> openFiles.keep(key, path, file)));
    }

    /** Opens an object for a writer, without waiting for a patch. */
    Optional<ObjectSnapshot> toChange(String key) {
        return call(key, path -> open(() -> lockedKeys.real(key, path), key).map(file -> file));
    }

    /** Returns the version of an object. */
    Optional<String> version(String key) {
        return call(key, path -> states.version(key, path, () -> stateOf(lockedKeys.real(key, path), key)));
    }

    private <T> Optional<T> call(String key, Opener<T> opener) {
        Path path = tree.path(key);
        if (tree.isMissing(path)) {
            return Optional.empty();
        }
        return tree.call(path, "opening", key, Optional.empty(), () -> {
            if (Keys.isDocument(key)) {
                names.refuseOtherToRead(key, path);
            }
            return OpenFileReplacement.retrying(path, () -> opener.open(path));
        });
    }

    /** Opens or inspects the file at a path; empty if there is none. */
    private interface Opener<T> {
        Optional<T> open(Path path) throws IOException;
    }

    /** Opens the file at {@code path} for a reader; waits for a running patch. */
    Optional<FileSnapshot> forReader(Path path, String key) throws IOException {
        long pause = FIRST_PAUSE;
        int looksWithoutProgress = 0;
        String lastVersion = "";
        while (true) {
            Optional<FileSnapshot> snapshot = open(path, key);
            if (snapshot.isEmpty() || !isBeingPatched(snapshot.get())) {
                return snapshot;
            }
            snapshot.get().close();
            if (!lastVersion.equals(snapshot.get().version())) {
                lastVersion = snapshot.get().version(); // the writer makes progress
                looksWithoutProgress = 0;
            } else if (++looksWithoutProgress > maxLooks) {
                // If another program has written the file since, the journal does not apply to the file any more.
                if (Recovery.isOfOthers(JournalDirectory.of(tree.real(path)))) {
                    return open(path, key);
                }
                throw new UnfinishedChangeException("a change in place of " + key + " in " + tree.describe()
                        + " was interrupted, or made no progress in " + maxLooks + " attempts to read it"
                        + ": the next write to it, or shardkit repair, completes it or rolls it back");
            }
            LockSupport.parkNanos(pause);
            if (Thread.currentThread().isInterrupted()) {
                throw new StoreException("interrupted while waiting for a change in place of " + key);
            }
            pause = Math.min(LONGEST_PAUSE, pause * 2);
        }
    }

    /** Returns whether a change in place of the file is under way. Closes the file if the check fails. */
    private static boolean isBeingPatched(FileSnapshot file) throws IOException {
        boolean isKnown = false;
        try {
            boolean isBeingPatched = file.isBeingPatched();
            isKnown = true;
            return isBeingPatched;
        } finally {
            if (!isKnown) {
                file.close();
            }
        }
    }

    /** Returns the state of the file at {@code real}, a real path; empty for a directory, which is not an object. */
    private Optional<FileState> stateOf(Path real, String key) throws IOException {
        FileState file = FileState.of(real);
        if (file.kind() == FileState.Kind.DIRECTORY) {
            return Optional.empty();
        } else if (file.kind() != FileState.Kind.FILE) {
            throw new StoreException(
                    "reading " + key + " in " + tree.describe() + ": expected a file, found something else");
        }
        return Optional.of(file);
    }

    /** Opens the file at {@code path} without waiting. */
    private Optional<FileSnapshot> open(Path path, String key) throws IOException {
        return open(() -> tree.real(path), key);
    }

    /** Resolves the links in a path; called for each attempt. */
    private interface Resolving {
        Path real() throws IOException;
    }

    private Optional<FileSnapshot> open(Resolving resolving, String key) throws IOException {
        for (int attempt = 1; ; attempt++) {
            Path real = resolving.real();
            Optional<FileState> file = stateOf(real, key);
            if (file.isEmpty()) {
                return Optional.empty();
            }
            try {
                return Optional.of(FileSnapshot.open(real, FileTimes.settled(real, file.get())));
            } catch (ObjectChangedException e) {
                if (attempt == TRIES) {
                    throw e;
                }
            }
        }
    }
}
