package dev.shardkit.store.file.open;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.filesystem.OpenFileReplacement;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Open objects whose files were released so that they can be replaced, as on Windows. */
class ReleasedSnapshotTest {
    private static final byte[] OLD = {1, 2, 3};

    private static byte[] read(ObjectSnapshot snapshot) throws IOException {
        ByteBuffer all = ByteBuffer.allocate((int) snapshot.size());
        snapshot.read(0, all);
        return all.array();
    }

    private static void put(FileStore store, byte[] bytes) {
        store.put("c/0", Content.of(Bytes.of(bytes)), Durability.ATOMIC);
    }

    /** Makes a change that is refused once. */
    private static void changed(Path file, OpenFileReplacement.Change change) throws IOException {
        int[] tries = {0};
        OpenFileReplacement.change(file, Duration.ZERO, () -> {
            if (++tries[0] == 1) {
                throw new AccessDeniedException(file.toString());
            }
            change.run();
        });
        assertEquals(2, tries[0]);
    }

    @Test
    void readerOpensItAgain_andNoticesAnotherFile() throws IOException {
        try (FileSystem windows = Jimfs.newFileSystem(Configuration.windows())) {
            Path root = windows.getPath("C:\\a");
            try (FileStore store = FileStore.at(root)) {
                put(store, OLD);
                Path file = root.resolve("c").resolve("0").toRealPath();
                try (ObjectSnapshot reader = store.open("c/0").orElseThrow()) {
                    changed(file, () -> {});
                    assertArrayEquals(OLD, read(reader));
                    changed(file, () -> put(store, new byte[] {9}));
                    assertThrows(ObjectChangedException.class, () -> read(reader));
                }
                try (ObjectSnapshot next = store.open("c/0").orElseThrow()) {
                    assertArrayEquals(new byte[] {9}, read(next));
                }
            }
        }
    }
}
