package dev.shardkit.store.file;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.file.disk.FileTimes;
import dev.shardkit.store.file.disk.ReservedFiles;
import dev.shardkit.store.file.patch.JournalDirectory;
import dev.shardkit.store.filesystem.DirectoryOpener;
import dev.shardkit.store.filesystem.OpenFileReplacement;
import dev.shardkit.store.keys.Keys;
import dev.shardkit.store.policy.Durability;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Stores objects atomically: writes a new file beside the target and moves it. Thread-safe. */
final class AtomicPut {
    private static final String TEMPORARY = Keys.RESERVED + "-tmp-";
    /** The pause between two sweeps of one directory. */
    private static final Duration SWEEP_PAUSE = Duration.ofHours(1);

    /** The maximum number of files that one sweep checks. */
    private static final int SWEEP_AT_MOST = 10_000;

    /** The maximum number of directories in {@link #swept}. */
    private static final int REMEMBERED_SWEEPS = 10_000;

    private final StoreDirectory tree;
    private final DeferredClose replaced;
    private final DirectoryEntrySync entries;
    /** The times of the last sweeps, by directory. */
    private final ConcurrentHashMap<Path, Instant> swept = new ConcurrentHashMap<>();

    AtomicPut(StoreDirectory tree, DeferredClose replaced, DirectoryEntrySync entries) {
        this.tree = tree;
        this.replaced = replaced;
        this.entries = entries;
    }

    /**
     * Stores an object.
     *
     * @param patience how long the move may wait for programs that have the old file open (on Windows)
     */
    @SuppressWarnings("try")
    void put(Path path, String key, Content content, Durability durability, Duration patience) throws IOException {
        Path target = target(tree.createDirectory(path.getParent()).resolve(path.getFileName()), key);
        Path parent = target.getParent();
        sweep(parent);
        Path temporary = parent.resolve(TEMPORARY + UUID.randomUUID());
        boolean moved = false;
        UnfinishedPuts.ofProcess().begin(temporary);
        try {
            CreatedFile created = CreatedFile.of(temporary, target, content, tree);
            try (SeekableByteChannel out = created.out()) {
                write(out, key, content);
                if (created.finalRights().isPresent()) {
                    created.finalRights().get().applyTo(temporary);
                }
                if (durability == Durability.FORCED && out instanceof FileChannel file) {
                    file.force(true);
                }
            }
            publish(temporary, target, durability, patience);
            moved = true;
        } finally {
            if (!moved) {
                discard(temporary);
            }
            UnfinishedPuts.ofProcess().ended(temporary);
        }
        if (durability == Durability.FORCED) {
            entries.forceNew(target);
        }
    }

    /**
     * Moves a complete file to its place. Gives it a modification time that the replaced file did not have, so that
     * readers notice the change. Removes the journals of the replaced file.
     */
    @SuppressWarnings("try")
    private void publish(Path temporary, Path target, Durability durability, Duration patience) throws IOException {
        FileTime modified = OpenFileReplacement.retrying(target, () -> FileTimes.ofNext(target));
        OpenFileReplacement.retrying(temporary, () -> Files.setLastModifiedTime(temporary, modified));
        try (Closeable heldFile = replaced.hold(target)) {
            move(temporary, target, durability, patience);
        }
        JournalDirectory.of(target).removeJournals();
    }

    /**
     * Creates a temporary file beside the place of an object, into which the caller writes the object step by step.
     *
     * @param patience returns how long the move to the object's place may take; called before the move
     */
    StagedFile stage(Path path, String key, Supplier<Duration> patience) throws IOException {
        Path target = target(tree.createDirectory(path.getParent()).resolve(path.getFileName()), key);
        sweep(target.getParent());
        Path temporary = target.resolveSibling(TEMPORARY + UUID.randomUUID());
        boolean staged = false;
        UnfinishedPuts.ofProcess().stage(temporary);
        try {
            CreatedFile created = CreatedFile.of(temporary, target, Content.of(Bytes.EMPTY), tree);
            if (!(created.out() instanceof FileChannel out)) {
                created.out().close();
                throw new UnsupportedException("the file system of " + tree.describe() + " has no file channels");
            }
            staged = true;
            return new StagedFile(temporary, created, out, new StagedFile.Store() {
                @Override
                public void move(StagedFile file, Durability durability) throws IOException {
                    moveStaged(temporary, target(path, key), durability, patience.get());
                }

                @Override
                public void put(Content content, Durability durability) throws IOException {
                    AtomicPut.this.put(path, key, content, durability, patience.get());
                }
            });
        } finally {
            if (!staged) {
                discard(temporary);
                UnfinishedPuts.ofProcess().unstaged(temporary);
            }
        }
    }

    private void moveStaged(Path temporary, Path target, Durability durability, Duration patience) throws IOException {
        UnfinishedPuts.ofProcess().begin(temporary);
        try {
            publish(temporary, target, durability, patience);
        } finally {
            UnfinishedPuts.ofProcess().ended(temporary);
        }
        if (durability == Durability.FORCED) {
            entries.forceNew(target);
        }
    }

    /**
     * Hard-links the file at {@code existing}, replacing any file at {@code path}; returns whether the file system
     * supports it.
     */
    boolean link(Path existing, Path path, String key, Durability durability) throws IOException {
        Path target = target(tree.createDirectory(path.getParent()).resolve(path.getFileName()), key);
        boolean linked;
        try {
            linked = hardLink(target, existing);
        } catch (FileAlreadyExistsException e) {
            // If both paths already are links of one file, there is nothing to do. A rename between two links of one
            // file does nothing on POSIX systems, so it would leave a temporary link.
            linked = Files.isSameFile(target, existing) || replaceByLink(existing, target, durability);
        }
        if (!linked) {
            return false;
        }
        JournalDirectory.of(target).removeJournals();
        if (durability == Durability.FORCED) {
            entries.forceNew(target);
        }
        return true;
    }

    /** Creates a hard link. Returns false if the file system does not support them. */
    private static boolean hardLink(Path link, Path existing) throws IOException {
        try {
            Files.createLink(link, existing);
            return true;
        } catch (FileAlreadyExistsException | NoSuchFileException e) {
            throw e;
        } catch (UnsupportedOperationException | FileSystemException e) {
            return false;
        }
    }

    /** Replaces a file by a hard link, which is created under a temporary name: links cannot replace files. */
    private boolean replaceByLink(Path existing, Path target, Durability durability) throws IOException {
        Path temporary = target.resolveSibling(TEMPORARY + UUID.randomUUID());
        boolean moved = false;
        UnfinishedPuts.ofProcess().begin(temporary);
        try {
            if (hardLink(temporary, existing)) {
                move(temporary, target, durability, OpenFileReplacement.PATIENCE);
                moved = true;
            }
            return moved;
        } finally {
            if (!moved) {
                discard(temporary);
            }
            UnfinishedPuts.ofProcess().ended(temporary);
        }
    }

    /** Returns the file that a put replaces. It is {@code path}, or the target of the link there. */
    private Path target(Path path, String key) throws IOException {
        Path target = path;
        try {
            target = Files.isSymbolicLink(path) ? tree.real(path) : path;
        } catch (NoSuchFileException e) {
            return path; // the link is dangling, so the put replaces the link
        }
        if (Files.isDirectory(target)) {
            throw new StoreException("writing " + key + " in " + tree.describe()
                    + ": expected a file or nothing, found a " + "directory");
        }
        return target;
    }

    private void write(SeekableByteChannel out, String key, Content content) throws IOException {
        content.writeTo(out);
        if (out.size() != content.size()) {
            throw new StoreException("writing " + key + " in " + tree.describe() + ": expected " + content.size()
                    + " bytes from the content, found " + out.size());
        }
    }

    private void move(Path source, Path target, Durability durability, Duration patience) throws IOException {
        try {
            OpenFileReplacement.change(
                    target,
                    patience,
                    () -> Files.move(
                            source, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING));
        } catch (AtomicMoveNotSupportedException | UnsupportedOperationException e) {
            if (durability != Durability.NONE) {
                throw new UnsupportedException(
                        "the file system of " + tree.describe() + " has no atomic move; durability " + durability
                                + " needs",
                        e);
            }
            OpenFileReplacement.change(
                    target, patience, () -> Files.move(source, target, StandardCopyOption.REPLACE_EXISTING));
        }
    }

    /**
     * Removes stale temporary files of killed writers from a directory. Runs at most once an hour for each directory,
     * and looks at a limited number of its files.
     */
    private void sweep(Path directory) {
        Instant now = Instant.now();
        Instant lastSweep = swept.get(directory);
        if (lastSweep != null && lastSweep.plus(SWEEP_PAUSE).isAfter(now)) {
            return;
        }
        if (swept.size() >= REMEMBERED_SWEEPS) {
            swept.clear();
        }
        swept.put(directory, now);
        try (DirectoryStream<Path> files = DirectoryOpener.open(directory)) {
            int count = 0;
            for (Path file : files) {
                if (++count > SWEEP_AT_MOST) {
                    return;
                }
                if (file.getFileName().toString().startsWith(TEMPORARY)
                        && Leftovers.isStaleTemporary(file, ReservedFiles.attributes(file))) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (FileSystemException | DirectoryIteratorException e) {
            return; // housekeeping must not make the write fail
        } catch (IOException e) {
            return;
        }
    }

    private static void discard(Path temporary) {
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException e) {
            return; // the caller reports the failure of the put; a later sweep removes the file
        }
    }
}
