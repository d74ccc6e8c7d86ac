package dev.shardkit.it.stores;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.ResizePolicy;
import dev.shardkit.ShardMargins;
import dev.shardkit.SliceOptions;
import dev.shardkit.SliceWriter;
import dev.shardkit.Transaction;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.store.WriteOnceStore;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Arrays in stores that keep each object as it was first put. */
@Timeout(120)
class WriteOnceStoreTest {
    private static final int SHARD = 8;

    @TempDir
    Path dir;

    /** The stores behind. */
    enum Behind {
        FILES,
        MEMORY,
        CONDITIONAL,
        REMOTE
    }

    private Store store(Behind behind) {
        return WriteOnceStore.over(
                switch (behind) {
                    case FILES -> FileStore.at(dir.resolve("files"));
                    case MEMORY -> MemoryStore.create();
                    case CONDITIONAL -> MemoryStore.conditional("local");
                    case REMOTE -> RemoteAdapter.of(MemoryStore.conditional("remote"));
                });
    }

    private static ZarrArray create(Store store) {
        ArraySpec spec =
                ArraySpec.of("int32", 10 * SHARD, 4).withChunkShape(2, 2).withShardShape(SHARD, 4);
        return Zarr.createArray(store, "a", spec, IfExists.REFUSE, ZarrOptions.defaults());
    }

    private static Box shards(int first, int count) {
        return Box.of(new long[] {(long) first * SHARD, 0}, new long[] {(long) count * SHARD, 4});
    }

    private static int[] filled(int shards, int value) {
        int[] all = new int[shards * SHARD * 4];
        Arrays.fill(all, value);
        return all;
    }

    private static void assertRefused(String key, Executable call) {
        UnsupportedException e = assertThrows(UnsupportedException.class, call);
        assertTrue(e.getMessage().contains("write-once") && e.getMessage().contains(key), e.getMessage());
    }

    @ParameterizedTest
    @EnumSource(Behind.class)
    void wholeShards_areAppended_andReadBack(Behind behind) throws Exception {
        try (Store store = store(behind);
                ZarrArray array = create(store)) {
            array.write(shards(0, 2), filled(2, 1), 0);
            array.writeAsync(shards(2, 1), NdArray.of(array.dataType(), new long[] {SHARD, 4}, filled(1, 2)))
                    .get();
            try (Transaction writes = array.transaction(1 << 20)) {
                for (int row = 0; row < SHARD; row++) {
                    writes.write(
                            Box.of(new long[] {3L * SHARD + row, 0}, new long[] {1, 4}), new int[] {3, 3, 3, 3}, 0);
                }
                writes.commit();
            }
            try (SliceWriter slices = array.slices(
                    0, SliceOptions.defaults().withRegion(shards(4, 2)).withBudgetBytes(1 << 20))) {
                for (int i = 0; i < 2 * SHARD; i++) {
                    slices.write(new int[] {4, 4, 4, 4}, 0);
                }
            }
            int[] expected = new int[10 * SHARD * 4];
            for (int i = 0; i < expected.length; i++) {
                int shard = i / (SHARD * 4);
                expected[i] = shard < 2 ? 1 : shard < 4 ? shard : shard < 6 ? 4 : 0;
            }
            assertArrayEquals(expected, array.read().ints());
            assertEquals(0, Verification.of(array).run(f -> {}).errors());
            array.erase(shards(7, 2)); // nothing is stored there
        }
    }

    @ParameterizedTest
    @EnumSource(Behind.class)
    void replacing_isRefused_beforeAnythingIsWritten(Behind behind) throws Exception {
        try (Store store = store(behind);
                ZarrArray array = create(store)) {
            array.write(shards(4, 1), filled(1, 9), 0);
            assertRefused("a/c/4/0", () -> array.write(shards(2, 5), filled(5, 1), 0));
            ExecutionException later = assertThrows(ExecutionException.class, () -> array.writeAsync(
                            shards(3, 2), NdArray.of(array.dataType(), new long[] {2 * SHARD, 4}, filled(2, 1)))
                    .get());
            assertTrue(later.getCause().getMessage().contains("a/c/4/0"), later.getCause()::getMessage);
            ZarrArray appending = array.with(
                    o -> o.withWritePolicy(ShardWritePolicy.defaults().withStrategy(ShardWritePolicy.Strategy.APPEND)));
            assertRefused(
                    "a/c/4/0",
                    () -> appending.write(Box.of(new long[] {4 * SHARD, 0}, new long[] {1, 1}), new int[] {1}, 0));
            assertRefused("a/c/4/0", () -> array.write(shards(4, 1), filled(1, 0), 0)); // would be a deletion
            assertRefused("a/c/4/0", () -> array.erase(shards(0, 10)));
            assertRefused(
                    "a/c/4/0",
                    () -> array.writeMargins(new long[] {4, 0}, new ShardMargins(new byte[] {1}, new byte[0])));
            assertRefused("a/zarr.json", () -> array.resize(new long[] {20 * SHARD, 4}, ResizePolicy.REMOVE));
            assertRefused("a/c/4/0", () -> array.resize(new long[] {SHARD, 4}, ResizePolicy.REMOVE));
            assertRefused(
                    "a/zarr.json", () -> array.replaceAttributes(Json.object().with("k", Json.of(1))));
            assertRefused(
                    "extends an array",
                    () -> array.slices(0, SliceOptions.defaults().withGrowth(SliceOptions.Growth.GROW)));
            assertThrows(UnsupportedException.class, array::delete);
            assertOnlyShardFour(array, store);
        }
    }

    private static void assertOnlyShardFour(ZarrArray array, Store store) throws IOException {
        int[] expected = new int[10 * SHARD * 4];
        Arrays.fill(expected, 4 * SHARD * 4, 5 * SHARD * 4, 9);
        assertArrayEquals(expected, array.read().ints());
        for (int shard = 0; shard < 10; shard++) {
            assertEquals(
                    shard == 4,
                    BlockingStore.to(store).version("a/c/" + shard + "/0").isPresent(),
                    "shard " + shard);
        }
        try (ZarrArray again = Zarr.openArray(store, "a", ZarrOptions.defaults())) {
            assertArrayEquals(new long[] {10 * SHARD, 4}, again.shape());
        }
    }

    @ParameterizedTest
    @EnumSource(Behind.class)
    void nodes_areCreatedOnce(Behind behind) {
        try (Store store = store(behind)) {
            ZarrGroup group = Zarr.createGroup(store, "", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
            create(store);
            assertEquals(1, group.children().size());
            assertThrows(
                    UnsupportedException.class,
                    () -> Zarr.createArray(
                            store,
                            "a",
                            ArraySpec.of("int8", 4).withChunkShape(2),
                            IfExists.OVERWRITE,
                            ZarrOptions.defaults()));
            assertRefused("zarr.json", group::consolidate);
        }
    }

    @Test
    void consolidatedGroups_getNoNewNodes_andNothingIsStored() throws IOException {
        MemoryStore behind = MemoryStore.create();
        Zarr.createGroup(behind, "", Json.object(), IfExists.REFUSE, ZarrOptions.defaults())
                .consolidate();
        try (Store store = WriteOnceStore.over(behind)) {
            ArraySpec spec = ArraySpec.of("int8", 4).withChunkShape(2);
            assertRefused(
                    "zarr.json", () -> Zarr.createArray(store, "a", spec, IfExists.REFUSE, ZarrOptions.defaults()));
            assertTrue(BlockingStore.to(store).version("a/zarr.json").isEmpty());
        }
    }

    @ParameterizedTest
    @EnumSource(Behind.class)
    void copy_isRefused_beforeAnythingIsWritten(Behind behind) throws IOException {
        MemoryStore source = MemoryStore.create();
        try (ZarrArray array = create(source);
                Store store = store(behind)) {
            array.write(shards(0, 10), filled(10, 1), 0);
            assertThrows(UnsupportedException.class, () -> Copy.of(array).to(store, ZarrOptions.defaults()));
            BlockingStore access = BlockingStore.to(store);
            assertTrue(access.version("__unfinished").isEmpty());
            assertTrue(access.version("zarr.json").isEmpty());
        }
    }
}
