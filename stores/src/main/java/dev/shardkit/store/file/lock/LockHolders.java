package dev.shardkit.store.file.lock;

import dev.shardkit.store.file.disk.Channels;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Records the latest holders of locks in a file beside the lock file, for messages only: the operating system alone
 * knows which locks are held. Locks share a limited number of records, so one lock's record may overwrite another's.
 * Invalid records are ignored. The records are not in the lock file itself, because an interrupt closes a writer's
 * channel, and this would drop all locks of its process on that file. Immutable.
 *
 * <p>A record has 256 bytes: the CRC-32C of the rest, the slot, the process id, the time in milliseconds since 1970,
 * and two texts (host and thread), each with one byte for its length.
 *
 * @param path the file of records
 */
record LockHolders(Path path) {
    private static final int RECORDS = 1024;
    /** The size in bytes of a record. */
    private static final int SIZE = 256;
    /** The maximum size in bytes of a text. */
    private static final int MAX_TEXT = 100;

    private static final String HOST = host();

    /** Returns the holders of the locks of a lock file. */
    static LockHolders beside(Path lockFile) {
        return new LockHolders(lockFile.resolveSibling("lock-holders"));
    }

    /** Records that the calling thread has acquired a lock. Ignores failures. */
    void recordHolder(long slot) {
        ByteBuffer record = ByteBuffer.allocate(SIZE);
        record.position(4).putLong(slot).putLong(ProcessHandle.current().pid()).putLong(System.currentTimeMillis());
        putText(record, HOST);
        putText(record, Thread.currentThread().getName());
        record.putInt(0, crc(record)).clear();
        if (!mayBeOpened()) {
            return;
        }
        // Opened for reading, too: then opening a pipe that has replaced the file does not wait for its reader.
        try (FileChannel out = FileChannel.open(
                path,
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS)) {
            out.write(record, recordOffset(slot));
        } catch (IOException | UnsupportedOperationException e) {
            return; // the lock is held all the same; only messages lack its holder
        }
    }

    /** Describes the latest holder of a lock. */
    Optional<String> lastHolder(long slot) {
        return records(in -> record(in, recordOffset(slot))
                .filter(record -> slot(record) == slot)
                .map(LockHolders::describe));
    }

    /** Describes the holder of one lock of {@code file} that is held now by another process. */
    Optional<String> anyOf(SharedLockFile file) {
        return records(in -> {
            long end = Math.min(in.size(), (long) RECORDS * SIZE); // a file of another program may be larger
            for (long offset = 0; offset < end; offset += SIZE) {
                Optional<ByteBuffer> record = record(in, offset);
                if (record.isPresent() && isLocked(file, slot(record.get()))) {
                    return record.map(LockHolders::describe);
                }
            }
            return Optional.empty();
        });
    }

    private static boolean isLocked(SharedLockFile file, long slot) throws IOException {
        FileLock lock = slot < 0 ? null : file.tryLock(slot);
        if (lock != null) {
            lock.release();
        }
        return slot >= 0 && lock == null;
    }

    /** Reads the file of records. */
    private interface Reading {
        Optional<String> read(FileChannel records) throws IOException;
    }

    private Optional<String> records(Reading reading) {
        if (!mayBeOpened()) {
            return Optional.empty();
        }
        try (FileChannel in = FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            return reading.read(in);
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.empty();
        }
    }

    /** Returns the record at a position, if it is whole and valid. */
    private static Optional<ByteBuffer> record(FileChannel in, long offset) throws IOException {
        ByteBuffer record = ByteBuffer.allocate(SIZE);
        return Channels.read(in, offset, record) && record.getInt(0) == crc(record)
                ? Optional.of(record)
                : Optional.empty();
    }

    private static long slot(ByteBuffer record) {
        return record.getLong(4);
    }

    private static String describe(ByteBuffer record) {
        record.position(4 + Long.BYTES);
        long pid = record.getLong();
        Instant acquired = Instant.ofEpochMilli(record.getLong());
        return "process " + pid + " on host " + nextText(record) + " (thread " + nextText(record)
                + "), which took it at " + acquired;
    }

    /** Returns whether the file is regular or missing; opening a pipe or a device could block forever. */
    private boolean mayBeOpened() {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .isRegularFile();
        } catch (NoSuchFileException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static long recordOffset(long slot) {
        return slot % RECORDS * SIZE;
    }

    private static int crc(ByteBuffer record) {
        CRC32C crc = new CRC32C();
        crc.update(record.array(), 4, SIZE - 4);
        return (int) crc.getValue();
    }

    private static void putText(ByteBuffer record, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, MAX_TEXT);
        record.put((byte) length).put(bytes, 0, length);
    }

    private static String nextText(ByteBuffer record) {
        int length = Math.max(0, Math.min(record.get(), Math.min(MAX_TEXT, record.remaining())));
        byte[] bytes = new byte[length];
        record.get(bytes);
        StringBuilder text = new StringBuilder();
        new String(bytes, StandardCharsets.UTF_8).chars().forEach(c -> text.append(c < ' ' ? '?' : (char) c));
        return text.toString();
    }

    /** Returns the name of this host, without a network lookup, which could take seconds. */
    private static String host() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException | RuntimeException e) {
            return Optional.ofNullable(System.getenv("HOSTNAME"))
                    .or(() -> Optional.ofNullable(System.getenv("COMPUTERNAME")))
                    .orElse("?");
        }
    }
}
