package dev.shardkit.maintenance.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.tree.Removal;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objects of other programs whose names begin with two underscores are not removed silently. */
class ReservedNamesTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();

    @TempDir
    private Path folder;

    private static void assertNamed(Store store) throws IOException {
        BlockingStore access = BlockingStore.to(store);
        Zarr.createArray(store, "", ArraySpec.of("int8", 4), IfExists.REFUSE, OPTIONS);
        for (String key : new String[] {"__x/y", "c/__z", "__relayout/data"}) {
            access.put(key, Content.of(Bytes.of(new byte[1])), Durability.ATOMIC);
        }
        StoreException e =
                assertThrows(StoreException.class, () -> Removal.of(store).run(OPTIONS));
        assertTrue(e.getMessage().contains(": __x/y, c/__z; they would be removed too"), e.getMessage());
        assertTrue(access.open("__x/y").isPresent());
        Removal.of(store).includingOtherFiles().run(OPTIONS);
        assertTrue(access.open("__x/y").isEmpty());
        assertEquals(0, count(access));
    }

    private static int count(BlockingStore access) throws IOException {
        int[] count = new int[1];
        access.listAll("", entry -> count[0]++);
        return count[0];
    }

    @Test
    void inMemory() throws IOException {
        assertNamed(MemoryStore.create());
    }

    @Test
    void inFiles() throws IOException {
        assertNamed(Zarr.openStore(folder.resolve("a").toString(), OPTIONS));
    }

    @Test
    void inAnArchive() throws IOException {
        try (Store archive = Zarr.openStore(folder.resolve("a.zip").toString(), OPTIONS)) {
            assertNamed(archive);
        }
    }
}
