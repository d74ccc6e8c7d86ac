package dev.shardkit.store.file;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Locks;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.file.disk.FileState;
import dev.shardkit.store.file.open.FileSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A file system gives the identity (inode) of a replaced file to a new file, which may be a lock file. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "files have no identity in Java; closing one handle keeps its locks")
class ReusedIdentityTest {
    @TempDir
    Path dir;

    @Test
    @SuppressWarnings("try") // a lock is held, not used
    void fileThatWasReplaced_andWhoseIdentityIsNowThatOfALock_isOpenedAgain() throws IOException {
        try (FileStore store = FileStore.at(dir);
                Locks.Lock held = store.lock("a", "a/c/0", Duration.ZERO)) {
            Path file = Files.createDirectories(dir.resolve("a/c")).resolve("0");
            FileState before = FileState.of(dir.resolve("a/__shardkit/lock"));
            Files.createLink(file, dir.resolve("a/__shardkit/lock"));
            assertThrows(StoreException.class, () -> FileSnapshot.open(file, FileState.of(file)));
            Files.delete(file);
            Files.writeString(file, "new");
            assertThrows(ObjectChangedException.class, () -> FileSnapshot.open(file, before));
        }
    }
}
