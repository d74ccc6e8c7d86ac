package dev.shardkit.store.file;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.ObjectChangedException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** Opens files, when nobody is changing them in place. Immutable. */
final class Opening {
    private static final int TRIES = 100;
    private static final long FIRST_PAUSE = 50_000;
    private static final long LONGEST_PAUSE = 10_000_000;

    private final Tree tree;
    private final Duration patience;

    /**
     * Opens files below {@code tree}.
     *
     * @param patience how long a patch that is under way may stand still
     */
    Opening(Tree tree, Duration patience) {
        this.tree = tree;
        this.patience = patience;
    }

    /** The file at {@code path} for a reader, who waits for a patch that is under way. */
    Optional<FileSnapshot> forReader(Path path, String key) throws IOException {
        long pause = FIRST_PAUSE;
        long since = System.nanoTime();
        String seen = "";
        while (true) {
            Optional<FileSnapshot> found = open(path, key);
            if (found.isEmpty() || !found.get().isBeingPatched()) {
                return found;
            }
            found.get().close();
            if (!seen.equals(found.get().version())) {
                seen = found.get().version(); // whoever writes gets on
                since = System.nanoTime();
            } else if (System.nanoTime() - since > patience.toNanos()) {
                if (Recovery.isOfOthers(PatchPlace.of(tree.real(path)))) {
                    return open(path, key);
                }
                throw new StoreException(
                        "a change in place of " + key + " in " + tree.describe() + " was cut short, or stands "
                                + "still for " + patience + ": the next write to it, or shardkit repair, ends it");
            }
            LockSupport.parkNanos(pause);
            if (Thread.currentThread().isInterrupted()) {
                throw new StoreException("interrupted while waiting for a change in place of " + key);
            }
            pause = Math.min(LONGEST_PAUSE, pause * 2);
        }
    }

    /** The state of the file at {@code real}, a real path; empty for a directory, which is no object. */
    Optional<FileState> look(Path real, String key) throws IOException {
        FileState file = FileState.of(real);
        if (file.kind() == FileState.Kind.DIRECTORY) {
            return Optional.empty();
        } else if (file.kind() != FileState.Kind.FILE) {
            throw new StoreException(
                    "reading " + key + " in " + tree.describe() + ": expected a file, found something else");
        }
        return Optional.of(file);
    }

    /** The file at {@code path} as it is. */
    Optional<FileSnapshot> open(Path path, String key) throws IOException {
        for (int i = 1; ; i++) {
            Path real = tree.real(path);
            Optional<FileState> file = look(real, key);
            if (file.isEmpty()) {
                return Optional.empty();
            }
            try {
                return Optional.of(FileSnapshot.open(real, FileTimes.settled(real, file.get())));
            } catch (ObjectChangedException e) {
                if (i == TRIES) {
                    throw e;
                }
            }
        }
    }
}
