package dev.shardkit.store.file;

import dev.shardkit.store.file.disk.ReservedFiles;
import dev.shardkit.store.file.lock.ArrayRemovalLock;
import dev.shardkit.store.filesystem.OpenFileReplacement;
import dev.shardkit.store.keys.Keys;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.UUID;

/**
 * Excludes writers from the arrays and groups of a tree before the tree is removed. In each directory with a lock file,
 * the exclusion sets the documents (such as {@code zarr.json}) aside by renaming them, so that no write begins there,
 * and waits until no lock is held. If a lock is not released in time, or anything else fails, the documents get their
 * names back, and all nodes are as before.
 */
final class WriterExclusion extends LockFileWalk {
    /** The prefix of a document that was set aside. It differs from that of temporary files, which writers sweep. */
    private static final String ASIDE = Keys.RESERVED + "-deleted-";

    private final ArrayRemovalLock.Deadline deadline;
    /** The documents that were set aside, latest first. */
    private final Deque<Moved> moved = new ArrayDeque<>();

    private record Moved(Path document, Path aside) {}

    WriterExclusion(Duration patience) {
        this.deadline = ArrayRemovalLock.Deadline.in(patience);
    }

    /**
     * Excludes all writers at and below a directory; fails if not all locks are free within {@code patience}.
     * Afterwards the documents are set aside in their directories. The removal deletes them last, so they mark a
     * removal that was killed.
     */
    static void exclude(Path directory, Duration patience) throws IOException {
        WriterExclusion exclusion = new WriterExclusion(patience);
        boolean excluded = false;
        try {
            Files.walkFileTree(directory, exclusion);
            excluded = true;
        } finally {
            if (!excluded) {
                exclusion.undo();
            }
        }
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) throws IOException {
        if (directory.endsWith(Keys.RESERVED) || ReservedFiles.isJunction(attributes)) {
            return FileVisitResult.SKIP_SUBTREE;
        }
        Optional<Path> lock = lockFile(directory);
        if (lock.isPresent()) {
            for (String name : Keys.documents()) {
                moveAside(directory.resolve(name));
            }
            try {
                // Waiting once is enough: without the documents, no new write begins.
                ArrayRemovalLock.acquire(lock.get(), deadline).close();
            } catch (NoSuchFileException e) {
                // another thread or process also removes the array
            }
        }
        return FileVisitResult.CONTINUE;
    }

    /** Sets aside also the documents of nodes without a lock file, such as nodes that other programs wrote. */
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        if (Keys.documents().contains(file.getFileName().toString())) {
            moveAside(file);
        }
        return FileVisitResult.CONTINUE;
    }

    /** Returns whether a file is a document that a removal has set aside. */
    static boolean isSetAside(Path file) {
        return file.getFileName().toString().startsWith(ASIDE);
    }

    private void moveAside(Path document) throws IOException {
        if (!ReservedFiles.isFile(document)) {
            return;
        }
        Path aside = document.resolveSibling(ASIDE + UUID.randomUUID());
        moved.addFirst(new Moved(document, aside)); // first, because a move may throw after it was made
        try {
            OpenFileReplacement.change(
                    document,
                    OpenFileReplacement.PATIENCE,
                    () -> Files.move(document, aside, StandardCopyOption.ATOMIC_MOVE));
        } catch (NoSuchFileException e) {
            // another thread or process also removes the array
        }
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException failure) throws IOException {
        if (failure != null && !(failure instanceof NoSuchFileException)) {
            throw failure;
        }
        return FileVisitResult.CONTINUE;
    }

    /** Moves the documents back, except where another writer has stored one meanwhile. Throws nothing. */
    private void undo() {
        for (Moved document : moved) {
            try {
                putBack(document);
            } catch (IOException | RuntimeException e) {
                System.getLogger("dev.shardkit.store.file")
                        .log(
                                System.Logger.Level.WARNING,
                                "the document " + document.document() + " is left at " + document.aside(),
                                e);
            }
        }
    }

    private static void putBack(Moved moved) throws IOException {
        if (!ReservedFiles.isFile(moved.aside())) {
            return; // it was not moved, or another removal has deleted it
        }
        try {
            try {
                Files.createLink(moved.document(), moved.aside());
            } catch (FileAlreadyExistsException e) {
                throw e;
            } catch (UnsupportedOperationException | FileSystemException e) { // no hard links, as on FAT
                Files.move(moved.aside(), moved.document()); // fails if there is another document
            }
        } catch (FileAlreadyExistsException e) {
            // Another writer has stored a newer document, which stays.
        }
        Files.deleteIfExists(moved.aside());
    }
}
