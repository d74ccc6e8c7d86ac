package dev.shardkit.store.file.lock;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.filesystem.OpenFileReplacement;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One user's reference to an open lock file, whose channel all stores of the JVM share ({@link LockRegistry}). Each
 * user closes its own reference. Thread-safe.
 */
public final class SharedLockFile {
    private static final Set<OpenOption> OLD =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    private static final Set<OpenOption> NEW = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    /** The number of times that a lock file is opened if it is deleted at the same time. */
    private static final int TRIES = 100;
    /** The length in bytes of the mark at the beginning of each lock file: a random UUID as text. */
    private static final int MARK = 36;

    private final LockRegistry registry;
    private final Path path;
    private final Object key;

    /** The shared channel; null if the file system has no locks among processes. */
    private final @Nullable AsynchronousFileChannel channel;

    private final LockRegistry.Leaving leaving = new LockRegistry.Leaving();
    private final AtomicBoolean isOpen = new AtomicBoolean(true);

    private SharedLockFile(LockRegistry registry, Path path, Object key, @Nullable AsynchronousFileChannel channel) {
        this.registry = registry;
        this.path = path;
        this.key = key;
        this.channel = channel;
    }

    /** Opens the lock file at a path, or joins its users. Creates the file if it is missing; its directory exists. */
    public static SharedLockFile open(Path path) throws IOException {
        LockRegistry registry = LockRegistry.enter();
        Optional<SharedLockFile> opened = Optional.empty();
        try {
            for (int i = 0; i < TRIES && opened.isEmpty(); i++) {
                opened = OpenFileReplacement.retrying(path, () -> openOrCreate(registry, path));
            }
            return opened.orElseThrow(() -> new IOException("the lock file " + path + " was deleted repeatedly"));
        } finally {
            if (opened.isEmpty()) {
                registry.leave();
            }
        }
    }

    /** Opens the lock file; empty if it did not exist and was created, or was deleted meanwhile. */
    private static Optional<SharedLockFile> openOrCreate(LockRegistry registry, Path path) throws IOException {
        Optional<Object> key = key(path);
        if (key.isPresent()) {
            return open(registry, path, key.get());
        }
        create(registry, path);
        return Optional.empty();
    }

    private static Optional<SharedLockFile> open(LockRegistry registry, Path path, Object key) throws IOException {
        // The inner value is empty if the file system has no locks among processes.
        Optional<Optional<AsynchronousFileChannel>> joined = registry.join(key);
        if (joined.isPresent()) {
            return Optional.of(
                    new SharedLockFile(registry, path, key, joined.get().orElse(null)));
        }
        AsynchronousFileChannel channel = null;
        try {
            channel = LockChannels.open(path, OLD);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (UnsupportedOperationException e) {
            // the file system has no locks among processes
        }
        // If the path leads to another file now, it is unknown which file the channel has opened. Closing the channel
        // could drop locks, so it is kept.
        boolean isUnchanged = false;
        try {
            isUnchanged = key(path).equals(Optional.of(key));
        } finally {
            if (!isUnchanged && channel != null) {
                registry.keep(channel);
            }
        }
        return isUnchanged
                ? Optional.of(new SharedLockFile(
                        registry, path, key, registry.add(key, channel).orElse(null)))
                : Optional.empty();
    }

    /**
     * Creates a lock file under a temporary name, closes it, and then gives it its final name by a hard link. From then
     * on another thread may lock the file, and closing it would drop that lock.
     */
    private static void create(LockRegistry registry, Path path) throws IOException {
        Path temporary = path.resolveSibling(path.getFileName() + "-" + UUID.randomUUID());
        try {
            Files.createFile(temporary);
            mark(temporary);
            Files.createLink(path, temporary);
        } catch (FileAlreadyExistsException e) {
            return; // another process was faster
        } catch (UnsupportedOperationException | FileSystemException e) {
            createWithoutLinks(registry, path);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private static void createWithoutLinks(LockRegistry registry, Path path) throws IOException {
        try {
            AsynchronousFileChannel created = LockChannels.open(path, NEW);
            registry.keep(created);
            LockChannels.write(created, ByteBuffer.wrap(newMark()));
        } catch (FileAlreadyExistsException e) {
            return; // another process was faster
        } catch (UnsupportedOperationException e) {
            Files.createFile(path);
            mark(path);
        }
    }

    /** Marks a new lock file, because the system may reuse the identity of an earlier one. */
    private static void mark(Path file) {
        try {
            Files.write(file, newMark());
        } catch (IOException e) {
            // The disk may be full. A lock file without a mark must do then, so that arrays can still be made smaller.
            System.getLogger("dev.shardkit.store.file").log(System.Logger.Level.DEBUG, "marking a lock file failed", e);
        }
    }

    private static byte[] newMark() {
        return UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns a text that distinguishes this lock file from all others at its path, earlier and later. */
    public String generation() throws IOException {
        if (channel == null) {
            return key + " " + markOf(path);
        }
        byte[] mark = new byte[MARK];
        int size = LockChannels.read(channel, ByteBuffer.wrap(mark));
        return key + " " + text(mark, size);
    }

    private static String markOf(Path path) throws IOException {
        try (InputStream in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
            byte[] mark = new byte[MARK];
            return text(mark, in.readNBytes(mark, 0, MARK));
        }
    }

    private static String text(byte[] mark, int size) {
        return new String(mark, 0, Math.max(0, size), StandardCharsets.ISO_8859_1);
    }

    /** Returns the identity of a lock file; empty if it is missing. */
    private static Optional<Object> key(Path path) throws IOException {
        try {
            BasicFileAttributes file = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!file.isRegularFile()) { // opening a pipe or a device could block forever
                String kind = file.isDirectory()
                        ? "a directory"
                        : file.isSymbolicLink() ? "a symbolic link" : "a pipe or a device";
                throw new StoreException("locking by " + path + ": expected a regular file, found " + kind
                        + "; remove it, and the next write creates a lock file");
            }
            // If the file system has no identities, the mark distinguishes the lock file from later ones at its path.
            return Optional.of(
                    file.fileKey() != null
                            ? LockRegistry.key(path, file.fileKey())
                            : LockRegistry.markedKey(path, markOf(path)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** Returns whether the file system of the lock file has locks among processes. */
    boolean isLockable() {
        return channel != null;
    }

    /**
     * Locks a byte; null if another process or another class loader of this JVM has locked it, or if the file system
     * has no locks.
     */
    @Nullable
    FileLock tryLock(long slot) throws IOException {
        return tryLock(slot, 1);
    }

    /**
     * Locks all bytes after the mark; null if one is locked or the file system has no locks. The mark must stay
     * readable, and on Windows other processes cannot read locked bytes. So the lock does not cover the first 36 of the
     * 2^62 slots ({@code KeyLockRanges.slot}). No known key has one of these slots.
     */
    @Nullable
    FileLock tryLockAll() throws IOException {
        return tryLock(MARK, Long.MAX_VALUE - MARK);
    }

    private @Nullable FileLock tryLock(long offset, long size) throws IOException {
        try {
            return channel == null ? null : channel.tryLock(offset, size, false); // not shared: an exclusive lock
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    /** Returns whether the path still leads to this file, so that other processes lock the same one. */
    boolean isCurrent() throws IOException {
        return key(path).equals(Optional.of(key));
    }

    /** Releases this use of the lock file. A second call does nothing. */
    public void close() throws IOException {
        if (isOpen.compareAndSet(true, false)) {
            try {
                registry.remove(key, leaving);
            } finally {
                registry.leave();
            }
        }
    }
}
