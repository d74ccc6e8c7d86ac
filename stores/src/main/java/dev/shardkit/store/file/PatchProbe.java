package dev.shardkit.store.file;

import dev.shardkit.store.file.open.LocalDiskCheck;
import dev.shardkit.store.keys.Keys;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Tests with a temporary file in the root whether a file system supports changes in place. The first writer causes the
 * test. The process tests each local disk only once, because a store that is opened for a few changes should not wait
 * for the test. Thread-safe.
 */
final class PatchProbe {
    private static final Set<StandardOpenOption> NEW =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);

    /** The devices of local disks that passed the test. */
    private static final Set<Object> PASSED = ConcurrentHashMap.newKeySet();

    private final StoreDirectory tree;
    private final LocalDiskCheck local;
    /** The result of the test; null if it was not made or not possible. */
    private volatile @Nullable Boolean supported;

    PatchProbe(StoreDirectory tree, LocalDiskCheck local) {
        this.tree = tree;
        this.local = local;
    }

    /** Returns whether the file system has random access and times of microseconds. */
    boolean patches() {
        Boolean result = supported;
        if (result == null) {
            // If the root does not exist yet, its disk is unknown.
            Optional<Object> disk = Files.isDirectory(tree.root()) ? local.disk() : Optional.empty();
            result = disk.isPresent() && PASSED.contains(disk.get()) ? Boolean.TRUE : test();
            supported = result;
            if (disk.isPresent() && Boolean.TRUE.equals(result)) {
                PASSED.add(disk.get());
            }
        }
        // Without a root, or the permission to write there, the test is impossible. The default file system is then
        // trusted; a patch checks again before it writes.
        return result == null ? tree.root().getFileSystem() == FileSystems.getDefault() : result;
    }

    /** Returns the result of the test; null if the file cannot be created. */
    private @Nullable Boolean test() {
        Path file = tree.root().resolve(Keys.RESERVED + "-tmp-" + UUID.randomUUID());
        try {
            UnfinishedPuts.ofProcess().begin(file);
        } catch (CancellationException e) {
            return null; // the process is ending, and would leave the file
        }
        try {
            try (FileChannel channel = FileChannel.open(file, NEW)) {
                channel.truncate(0);
            }
            // An arbitrary time in microseconds that is not a whole number of milliseconds.
            FileTime time = FileTime.from(Instant.ofEpochSecond(1_000_000_007, 123_457_000));
            Files.setLastModifiedTime(file, time);
            return Files.getLastModifiedTime(file).equals(time);
        } catch (UnsupportedOperationException e) {
            return false;
        } catch (IOException e) {
            return null;
        } finally {
            discard(file);
            UnfinishedPuts.ofProcess().ended(file);
        }
    }

    private static void discard(Path file) {
        for (int attempt = 0; attempt < 2; attempt++) {
            try {
                Files.deleteIfExists(file);
                return;
            } catch (IOException e) {
                continue; // if the second attempt fails too, a later sweep removes the file
            }
        }
    }
}
