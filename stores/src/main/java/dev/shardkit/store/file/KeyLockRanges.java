package dev.shardkit.store.file;

import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Locks;
import dev.shardkit.store.file.disk.ReservedFiles;
import dev.shardkit.store.file.lock.LockFile;
import dev.shardkit.store.keys.KeyLocks;
import dev.shardkit.store.keys.Keys;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Locks keys of a tree: maps each key to a byte of its array's lock file, which {@link LockFile} locks. Two keys may
 * share a byte, and then wait for each other. Immutable.
 */
record KeyLockRanges(StoreDirectory tree) {
    /** Acquires the lock of a key, see {@link Locks#lock}. */
    Locks.Lock acquire(String array, String key, Duration patience) {
        Path directory = tree.directory(array);
        Keys.check(key);
        String name = "the lock of " + key + " of array \"" + array + "\" in " + tree.describe();
        try {
            Path file = reserved(tree.createDirectory(directory)).resolve("lock");
            String relativeKey = key.startsWith(array + "/") ? StoreKeys.relative(array, key) : key;
            return LockFile.acquire(
                    file,
                    slot(relativeKey),
                    KeyLocks.nanos(patience),
                    holder -> new StoreException(
                            name + " was not free for " + KeyLocks.text(patience) + ": it is held by " + holder));
        } catch (NoSuchFileException e) {
            if (tree.fileAt(directory).isPresent()) { // Windows throws this exception for a path below a file, too
                throw tree.failed("locking", key, e);
            }
            throw new StoreException(name + " cannot be acquired: the array was deleted", e);
        } catch (IOException e) {
            throw tree.failed("locking", key, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while waiting for " + name, e);
        }
    }

    /** Returns the directory for lock files in {@code directory}, a real path; creates it if necessary. */
    private static Path reserved(Path directory) throws IOException {
        Path reserved = directory.resolve(Keys.RESERVED);
        if (!ReservedFiles.isDirectory(reserved) && !ReservedFiles.make(reserved)) {
            throw new StoreException("locking in " + reserved + ": expected a directory, found something else; remove "
                    + "it, and the next write creates the directory");
        }
        return reserved;
    }

    /**
     * Returns the offset of a key's byte in the lock file, 0 to 2^62-1: the hash FNV-1a over the key's UTF-16 units,
     * then mixed. All processes must agree on it, so it must never change.
     */
    static long slot(String key) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < key.length(); i++) {
            hash = (hash ^ key.charAt(i)) * 0x100000001b3L;
        }
        hash = (hash ^ (hash >>> 32)) * 0xd6e8feb86659fd93L;
        return (hash ^ (hash >>> 32)) >>> 2;
    }
}
