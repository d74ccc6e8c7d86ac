package dev.shardkit;

import static dev.shardkit.testing.Values.at;
import static dev.shardkit.testing.Values.box;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A deletion that fails leaves whole nodes; one that breaks off leaves chunks that no new array shows. */
@Timeout(180)
class FailedDeletionTest {
    private static final ArraySpec SPEC =
            ArraySpec.of("int32", 8).withShardShape(4).withChunkShape(2);

    @TempDir
    Path dir;

    /** A deletion that waits for a lock, and ends without it. */
    @Test
    @SuppressWarnings("try")
    void deletionThatFails_leavesTheNodesWhole() throws Exception {
        for (Store store : List.of(FileStore.at(dir), MemoryStore.create())) {
            Zarr.createGroup(store, "g", Json.object(), IfExists.REFUSE, ZarrOptions.defaults())
                    .close();
            for (String path : List.of("g/a", "g/b")) {
                try (ZarrArray array = Zarr.createArray(store, path, SPEC, IfExists.REFUSE, ZarrOptions.defaults())) {
                    array.write(box(at(0), 8), new int[] {1, 2, 3, 4, 5, 6, 7, 8}, 0);
                }
            }
            for (String node : List.of("g/b", "g")) {
                try (Locks.Lock held = BlockingStore.to(store).lock("g/b", "g/b/c/0", Duration.ofMinutes(1))) {
                    Thread.currentThread().interrupt(); // ends the wait
                    assertThrows(RuntimeException.class, () -> BlockingStore.to(store)
                            .deleteAll(node));
                    assertTrue(Thread.interrupted());
                }
                for (String path : List.of("g/a", "g/b")) {
                    try (ZarrArray array = Zarr.openArray(store, path, ZarrOptions.defaults())) {
                        assertArrayEquals(
                                new int[] {1, 2, 3, 4, 5, 6, 7, 8}, array.read().ints());
                    }
                }
                Zarr.openGroup(store, "g", ZarrOptions.defaults()).close();
            }
            BlockingStore.to(store).deleteAll("g");
            assertTrue(Zarr.find(store, "g", ZarrOptions.defaults()).isEmpty());
        }
    }

    /** Chunks that a broken deletion left, or another program. */
    @Test
    void chunksWithoutAnArray_areNoElementsOfANewOne() throws Exception {
        for (Store store : List.of(FileStore.at(dir), MemoryStore.create())) {
            Zarr.createArray(store, "x", SPEC, IfExists.REFUSE, ZarrOptions.defaults())
                    .close();
            try (ZarrArray array = Zarr.openArray(store, "x", ZarrOptions.defaults())) {
                array.write(box(at(0), 8), new int[] {1, 2, 3, 4, 5, 6, 7, 8}, 0);
            }
            BlockingStore.to(store).delete("x/zarr.json");
            StoreException e = assertThrows(
                    StoreException.class,
                    () -> Zarr.createArray(store, "x", SPEC, IfExists.REFUSE, ZarrOptions.defaults()));
            assertTrue(e.getMessage().contains("chunks without an array exist here, such as c/"), e.getMessage());
            try (ZarrArray array = Zarr.createArray(store, "x", SPEC, IfExists.OVERWRITE, ZarrOptions.defaults())) {
                assertArrayEquals(new int[8], array.read().ints());
            }
        }
    }
}
