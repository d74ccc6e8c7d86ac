package dev.shardkit.store.cache;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts the bytes of a folder's files, in blocks of 4 KiB, and removes the least recently used files when a limit is
 * reached. Visits all files before the first write, and again after each sixteenth of the limit was written, because
 * other processes write too. Thread-safe.
 */
final class DiskSpace {
    private static final long BLOCK = 4096;
    /** All files are visited again after writes of 1/16 of the limit. */
    private static final int SCANS_PER_LIMIT = 16;
    /** If the folder is full, files of 1/8 of the limit are removed at once, because visiting all files takes long. */
    private static final int FREED = 8;

    /** Temporary files of this age belong to killed processes. */
    private static final Duration ABANDONED = Duration.ofHours(1);
    /** The time of the last use is updated at most once in this time. */
    private static final Duration TOUCHED = Duration.ofMinutes(1);

    private final Path root;
    /** The bytes on disk of all files; -1 before the first visit. */
    private long usedBytes = -1;
    /** The bytes that this process has reserved since the last visit. */
    private long bytesSinceScan;

    DiskSpace(Path root) {
        this.root = root;
    }

    private record Kept(Path file, long bytes, FileTime time) {}

    /** Returns the bytes on disk that a file of {@code size} bytes takes. */
    static long onDisk(long size) {
        return (size + BLOCK - 1) / BLOCK * BLOCK;
    }

    /**
     * Reserves room for a file of {@code size} bytes. Deletes cached files if necessary. Returns false if there cannot
     * be enough room.
     */
    synchronized boolean reserve(long size, long limit) {
        long bytes = onDisk(size);
        if (bytes > limit) {
            return false;
        }
        if (usedBytes < 0 || bytesSinceScan > limit / SCANS_PER_LIMIT) {
            scan();
        }
        if (usedBytes > limit - bytes) {
            // An eighth of the limit is freed at once, or more if the new file needs it.
            free(limit - bytes, Math.min(limit - bytes, limit - limit / FREED));
        }
        if (usedBytes > limit - bytes) {
            return false;
        }
        usedBytes += bytes;
        bytesSinceScan += bytes;
        return true;
    }

    /** Returns the bytes of all files that are kept now. */
    synchronized long usedBytes() {
        scan();
        return usedBytes;
    }

    /** Visits all files and counts their bytes. Returns the files. */
    private List<Kept> scan() {
        List<Kept> files = new ArrayList<>();
        Instant abandoned = Instant.now().minus(ABANDONED);
        walk(root.resolve(CacheFolder.TEMPORARY), (file, attributes) -> {
            if (attributes.lastModifiedTime().toInstant().isBefore(abandoned)) {
                CacheFolder.remove(file); // of a killed process
            } else {
                files.add(new Kept(file, onDisk(attributes.size()), FileTime.from(Instant.MAX))); // never removed
            }
        });
        walk(
                root.resolve(CacheFolder.OBJECTS),
                (file, attributes) ->
                        files.add(new Kept(file, onDisk(attributes.size()), attributes.lastModifiedTime())));
        usedBytes = files.stream().mapToLong(Kept::bytes).sum();
        bytesSinceScan = 0;
        return files;
    }

    /**
     * Visits all files. If they take more than {@code maxBytes} bytes, removes the least recently used ones until they
     * take {@code goal} bytes.
     */
    private void free(long maxBytes, long goal) {
        List<Kept> files = scan();
        if (usedBytes <= maxBytes) {
            return;
        }
        files.sort(Comparator.comparing(Kept::time));
        for (Kept file : files) {
            if (usedBytes <= goal || file.file().startsWith(root.resolve(CacheFolder.TEMPORARY))) {
                return;
            }
            if (CacheFolder.remove(file.file())) {
                usedBytes -= file.bytes();
                CacheFolder.remove(file.file().getParent()); // if it is empty now
            }
        }
    }

    /** Marks a file as used now. */
    static void touch(Path file, FileTime modified) {
        Instant now = Instant.now();
        if (modified.toInstant().isBefore(now.minus(TOUCHED))) {
            try {
                Files.setLastModifiedTime(file, FileTime.from(now));
            } catch (IOException e) {
                return; // removed meanwhile, or a folder that cannot be written: the order is only a help
            }
        }
    }

    private interface Visit {
        void file(Path file, BasicFileAttributes attributes);
    }

    /** Visits regular files; links are not followed, and files that vanish are skipped. */
    private static void walk(Path folder, Visit visit) {
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (attributes.isRegularFile()) {
                        visit.file(file, attributes);
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) {
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path inner, @Nullable IOException e) {
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            return; // the next visit counts files that this one has missed
        }
    }
}
