package dev.shardkit.store.file;

import dev.shardkit.store.file.disk.ReservedFiles;
import dev.shardkit.store.file.lock.ArrayRemovalLock;
import dev.shardkit.store.filesystem.DirectoryOpener;
import dev.shardkit.store.filesystem.OpenFileReplacement;
import dev.shardkit.store.keys.Keys;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Removes directories recursively. Links are removed, never followed. A removal first waits for the writers of all
 * arrays and groups with a lock file ({@link WriterExclusion}); if that fails, nothing is removed. It then removes the
 * files of each directory while it holds the directory's locks.
 */
final class TreeRemoval extends LockFileWalk {
    /** How often the walk is repeated if a directory is not empty at its end. */
    private static final int TRIES = 10;

    /** The first pause between two walks, in nanoseconds; each further one is twice as long. */
    private static final long FIRST_PAUSE = 1_000_000;

    /**
     * How long to wait for writers that hold a lock. Their calls fail soon, because the node's document is set aside.
     */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** A directory that stays while its content is removed; null if there is none. */
    private final @Nullable Path keptRoot;
    /**
     * Documents that were set aside, by their directory. They are removed last, so that they mark the directory as
     * partly removed if the process is killed.
     */
    private final Map<Path, List<Path>> setAside = new HashMap<>();
    /** The locks of the directories from the root to the current one. */
    private final Map<Path, ArrayRemovalLock> heldLocks = new LinkedHashMap<>();

    TreeRemoval(@Nullable Path keptRoot) {
        this.keptRoot = keptRoot;
    }

    /** Removes {@code path} and everything below it. Fails if a lock there is not released within {@code patience}. */
    static void removeTree(Path path, Duration patience) throws IOException {
        remove(path, new TreeRemoval(null), patience);
    }

    /** Removes everything below {@code directory}. Fails if a lock is not released within {@code patience}. */
    static void removeContents(Path directory, Duration patience) throws IOException {
        remove(directory, new TreeRemoval(directory), patience);
    }

    private static void remove(Path path, TreeRemoval removal, Duration patience) throws IOException {
        WriterExclusion.exclude(path, patience);
        for (int attempt = 1; ; attempt++) {
            try {
                Files.walkFileTree(path, removal);
                return;
            } catch (DirectoryNotEmptyException e) {
                if (attempt == TRIES) {
                    throw e; // another program keeps writing, or has a deleted file open
                }
            } finally {
                removal.releaseLocks();
            }
            // On Windows, deleted files keep their names until their readers close them.
            OpenFileReplacement.releaseBelow(path);
            LockSupport.parkNanos(OpenFileReplacement.hinder(path) ? FIRST_PAUSE << attempt : 0);
        }
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) throws IOException {
        if (ReservedFiles.isJunction(attributes)) {
            // This removes the link, not the directory to which it leads.
            OpenFileReplacement.retrying(directory, () -> Files.deleteIfExists(directory));
            return FileVisitResult.SKIP_SUBTREE;
        } else if (heldLocks.containsKey(directory.getParent()) && directory.endsWith(Keys.RESERVED)) {
            return FileVisitResult.SKIP_SUBTREE; // the lock files are removed last, see postVisitDirectory
        }
        Optional<Path> lock = lockFile(directory);
        if (lock.isPresent()) {
            removeFiles(directory);
            try {
                heldLocks.put(directory, ArrayRemovalLock.acquire(lock.get(), ArrayRemovalLock.Deadline.in(PATIENCE)));
            } catch (NoSuchFileException e) {
                // another thread or process also removes the array
            }
        }
        return FileVisitResult.CONTINUE;
    }

    private static void removeFiles(Path directory) throws IOException {
        try (DirectoryStream<Path> files = DirectoryOpener.open(directory, LinkOption.NOFOLLOW_LINKS)) {
            for (Path file : files) {
                if (ReservedFiles.isFile(file) && !WriterExclusion.isSetAside(file)) {
                    delete(file);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private static void delete(Path file) throws IOException {
        OpenFileReplacement.change(file, PATIENCE, () -> Files.deleteIfExists(file));
    }

    private void releaseLocks() throws IOException {
        for (ArrayRemovalLock lock : heldLocks.values()) {
            lock.close();
        }
        heldLocks.clear();
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        if (WriterExclusion.isSetAside(file)) {
            setAside.computeIfAbsent(file.getParent(), directory -> new ArrayList<>())
                    .add(file);
        } else {
            delete(file);
        }
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException failure) throws IOException {
        if (failure != null) {
            throw failure;
        }
        ArrayRemovalLock lock = heldLocks.remove(directory);
        if (lock != null) {
            Path reserved = directory.resolve(Keys.RESERVED);
            try (lock) {
                removeContents(reserved, PATIENCE);
            } catch (NoSuchFileException e) {
                // another thread or process also removes the array
            }
            // On Windows, the lock file exists until the lock is closed, so its directory can be removed only now.
            OpenFileReplacement.retrying(reserved, () -> Files.deleteIfExists(reserved));
        }
        for (Path document : Optional.ofNullable(setAside.remove(directory)).orElse(List.of())) {
            delete(document);
        }
        if (!directory.equals(keptRoot)) {
            OpenFileReplacement.retrying(directory, () -> Files.deleteIfExists(directory));
        }
        return FileVisitResult.CONTINUE;
    }
}
