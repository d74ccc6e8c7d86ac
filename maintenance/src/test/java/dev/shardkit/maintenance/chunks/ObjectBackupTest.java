package dev.shardkit.maintenance.chunks;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A repair changes an object only when the backup has all of its bytes. */
class ObjectBackupTest {
    private static final String KEY = "a/c/0";
    /** Larger than the pieces by which objects are compared. */
    private static final byte[] OBJECT = new byte[200_000];

    static {
        new Random(5).nextBytes(OBJECT);
    }

    private final MemoryStore data = MemoryStore.create();
    private final MemoryStore backup = MemoryStore.create();

    private void backUp() throws IOException {
        data.put(KEY, Content.of(Bytes.of(OBJECT)), Durability.NONE);
        ObjectBackup.backUp(BlockingStore.to(data), KEY, backup, Durability.NONE);
    }

    private byte[] kept() throws IOException {
        try (ObjectSnapshot object = BlockingStore.to(backup).open(KEY).orElseThrow()) {
            ByteBuffer bytes = ByteBuffer.allocate((int) object.size());
            object.read(0, bytes);
            return bytes.array();
        }
    }

    @Test
    void object_isCopied_andTheSameIsKept() throws IOException {
        backUp();
        assertArrayEquals(OBJECT, kept());
        backUp();
        assertArrayEquals(OBJECT, kept());
    }

    @Test
    void otherBackup_isNeverReplaced_whereverItDiffers() throws IOException {
        for (int at : new int[] {0, 65_535, 65_536, 131_072, OBJECT.length - 1}) {
            byte[] other = OBJECT.clone();
            other[at] ^= 1;
            assertRefused(other);
        }
        assertRefused(Arrays.copyOf(OBJECT, OBJECT.length - 1));
        assertRefused(Arrays.copyOf(OBJECT, OBJECT.length + 1));
    }

    private void assertRefused(byte[] other) throws IOException {
        backup.put(KEY, Content.of(Bytes.of(other)), Durability.NONE);
        StoreException e = assertThrows(StoreException.class, this::backUp);
        assertTrue(e.getMessage().contains("has another object " + KEY + " already"), e.getMessage());
        assertArrayEquals(other, kept());
    }
}
