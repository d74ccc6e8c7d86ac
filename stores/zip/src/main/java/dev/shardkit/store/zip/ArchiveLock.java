package dev.shardkit.store.zip;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.filesystem.OpenFileReplacement;
import dev.shardkit.store.keys.KeyLocks;
import dev.shardkit.store.keys.Keys;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
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
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The lock under which a writer checks that an archive is unchanged and replaces it. Excludes the other threads of this
 * process, and other processes by a lock file beside the archive. The holder deletes that file before it releases the
 * lock. A waiter that then locks the deleted file notices that its path leads elsewhere, and tries again.
 */
final class ArchiveLock {
    /** The maximum wait in nanoseconds. A holder needs far less time. */
    private static final long PATIENCE = TimeUnit.MINUTES.toNanos(1);

    private static final long PAUSE_NANOS = 2_000_000;
    /** Lock files have fewer bytes than this; see {@link #isAt}. */
    private static final int LONGEST = 4096;

    private static final Set<OpenOption> OPTIONS = Set.of(
            StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    private static final KeyLocks<Path> PROCESS_LOCKS = new KeyLocks<>();

    private final Path path;
    private final FileChannel channel;
    private final KeyLocks<Path>.Held localLock;

    private ArchiveLock(Path path, FileChannel channel, KeyLocks<Path>.Held localLock) {
        this.path = path;
        this.channel = channel;
        this.localLock = localLock;
    }

    /** Acquires the lock of an archive, and waits for it if necessary. The folder of the archive must exist. */
    static ArchiveLock acquire(Path archive) throws IOException {
        long start = System.nanoTime();
        Path folder = archive.toAbsolutePath().getParent().toRealPath();
        Path path = folder.resolve(Keys.RESERVED + "-archive-lock-" + archive.getFileName());
        KeyLocks<Path>.Held localLock = acquireLocal(path);
        Optional<FileChannel> locked = Optional.empty();
        try {
            while (locked.isEmpty()) {
                locked = OpenFileReplacement.retrying(path, () -> tryLock(path)); // its last holder may be deleting it
                if (locked.isEmpty()) {
                    pause(path, start);
                }
            }
            return new ArchiveLock(path, locked.get(), localLock);
        } finally {
            if (locked.isEmpty()) {
                localLock.release();
            }
        }
    }

    private static KeyLocks<Path>.Held acquireLocal(Path path) {
        try {
            return PROCESS_LOCKS.acquire(path, PATIENCE).orElseThrow(() -> busy(path));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while waiting for the lock " + path, e);
        }
    }

    private static void pause(Path path, long start) {
        if (System.nanoTime() - start > PATIENCE) {
            throw busy(path);
        }
        LockSupport.parkNanos(PAUSE_NANOS);
        if (Thread.currentThread().isInterrupted()) {
            throw new StoreException("interrupted while waiting for the lock " + path);
        }
    }

    private static StoreException busy(Path path) {
        return new StoreException("the lock " + path + " was not free for " + TimeUnit.NANOSECONDS.toSeconds(PATIENCE)
                + " seconds: another program holds it");
    }

    /** Locks the file at {@code path}; empty if it is locked or was deleted. */
    private static Optional<FileChannel> tryLock(Path path) throws IOException {
        Optional<BasicFileAttributes> attributesBefore = attributes(path);
        if (attributesBefore.isPresent() && !attributesBefore.get().isRegularFile()) {
            throw new StoreException("locking by " + path + ": expected a regular file, found something else");
        }
        FileChannel channel = FileChannel.open(path, OPTIONS);
        boolean locked = false;
        try {
            Optional<FileLock> lock = Optional.ofNullable(channel.tryLock());
            if (lock.isPresent()) {
                refuseOtherFile(path, channel);
                locked = isAt(path, channel, attributesBefore);
            }
            return locked ? Optional.of(channel) : Optional.empty();
        } catch (OverlappingFileLockException e) {
            return Optional.empty(); // another class loader of this process holds it
        } finally {
            if (!locked) {
                channel.close();
            }
        }
    }

    /** Refuses a file that another program made: taking and releasing the lock would destroy it. */
    private static void refuseOtherFile(Path path, FileChannel channel) throws IOException {
        ByteBuffer content = ByteBuffer.allocate(LONGEST);
        boolean isOurs = channel.size() < LONGEST && hasOneName(path);
        while (isOurs && channel.read(content, content.position()) > 0) {
            continue;
        }
        content.flip();
        if (!isOurs || !content.equals(ByteBuffer.allocate(content.limit()))) { // a new buffer has only zeros
            throw new StoreException("locking by " + path + ": expected a lock file, which has only zeros and no other "
                    + "name; another program made this file: move it elsewhere");
        }
    }

    /** Returns whether the file has no other hard link. */
    private static boolean hasOneName(Path path) throws IOException {
        if (!path.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            return true;
        }
        try {
            return Files.getAttribute(path, "unix:nlink", LinkOption.NOFOLLOW_LINKS)
                    .equals(1);
        } catch (NoSuchFileException e) {
            return true; // its last holder deleted it: isAt notices
        }
    }

    /**
     * Returns whether the path still leads to the file of the channel. A channel does not reveal its file. So this
     * method gives the file a random size through the channel, and compares it with the size of the file at the path.
     */
    private static boolean isAt(Path path, FileChannel channel, Optional<BasicFileAttributes> attributesBefore)
            throws IOException {
        int size = ThreadLocalRandom.current().nextInt(1, LONGEST);
        channel.truncate(0);
        channel.write(ByteBuffer.allocate(size), 0);
        Optional<BasicFileAttributes> attributesAfter = attributes(path);
        return attributesAfter.isPresent()
                && attributesAfter.get().size() == size
                && (attributesBefore.isEmpty() || key(attributesBefore.get()).equals(key(attributesAfter.get())));
    }

    private static Optional<Object> key(BasicFileAttributes file) {
        return Optional.ofNullable(file.fileKey());
    }

    private static Optional<BasicFileAttributes> attributes(Path path) throws IOException {
        try {
            return Optional.of(Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** Releases the lock; call it once. */
    void close() throws IOException {
        try (channel) {
            Files.deleteIfExists(path); // on Windows, it keeps its name until the channel is closed
        } catch (FileSystemException e) {
            if (!OpenFileReplacement.isRefusal(path, e)) {
                throw e;
            } // another program reads it: the next holder deletes it
        } finally {
            localLock.release();
        }
    }
}
