package dev.shardkit.store.zip;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A full device is named as the reason, with the archive. */
class FullDeviceTest {
    private static final Path FULL = Path.of("/dev/full");

    @TempDir
    private Path folder;

    /** Content that answers a failure by writing its bytes once more, as a copy between files does. */
    private record Again(byte[] bytes) implements Content {
        @Override
        public long size() {
            return bytes.length;
        }

        @Override
        public void writeTo(WritableByteChannel out) throws IOException {
            try {
                out.write(ByteBuffer.wrap(bytes));
            } catch (IOException e) {
                out.write(ByteBuffer.wrap(bytes));
            }
        }
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "Linux has a device that is always full")
    void put_saysWhatIsFull() throws IOException {
        Path archive = folder.resolve("a.zip");
        try (ZipStore store = ZipStore.at(archive)) {
            BlockingStore access = BlockingStore.to(store);
            access.put("c/0", Content.of(Bytes.of(new byte[10])), Durability.ATOMIC);
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, DraftPaths.prefix(archive) + "*")) {
                Path draft = files.iterator().next();
                Files.delete(draft);
                Files.createSymbolicLink(draft, FULL);
            }
            StoreException e = assertThrows(
                    StoreException.class, () -> access.put("c/1", new Again(new byte[100]), Durability.ATOMIC));
            assertEquals("writing c/1 to the archive " + archive + " failed: No space left on device", e.getMessage());
            store.discard();
        }
    }
}
