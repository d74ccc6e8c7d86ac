package dev.shardkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.shardkit.spi.array.Box;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * More calls wait for the lock of one shard than there are threads for waiting calls. Whoever gets the lock needs no
 * further such thread, so all of them end.
 */
@Timeout(300)
class ManyWaitersTest {
    private static final int CALLS = 200;
    private static final Box FIRST_SHARD = Box.of(new long[] {0, 0}, new long[] {8, 8});
    private static final Box LAST_SHARD = Box.of(new long[] {8, 8}, new long[] {8, 8});

    @TempDir
    Path dir;

    @Test
    void callsThatWaitForOneLock_allEnd_files() throws Exception {
        check(FileStore.at(dir));
    }

    @Test
    void callsThatWaitForOneLock_allEnd_farStoreWithLocks() throws Exception {
        check(RemoteAdapter.of(MemoryStore.create()).keeping(Set.of(Locks.class)));
    }

    @SuppressWarnings("try")
    private static void check(Store store) throws Exception {
        ZarrOptions options = ZarrOptions.defaults()
                .withDurability(Durability.NONE)
                .withParallelism(2)
                .withLockPatience(Duration.ofMinutes(5));
        ZarrArray array = Zarr.createArray(
                store,
                "a",
                ArraySpec.of("uint8", 16, 16).withChunkShape(4, 4).withShardShape(8, 8),
                IfExists.REFUSE,
                options);
        List<CompletableFuture<?>> all = new ArrayList<>();
        try (Locks.Lock held = BlockingStore.to(store).lock("a", "a/c/0/0", Duration.ZERO)) {
            for (int i = 0; i < CALLS; i++) {
                all.add(call(array, i));
            }
            // neither reads nor a blocking call about another shard need one of these threads
            assertEquals(0, array.readAsync(FIRST_SHARD).get().longAt(0, 0));
            array.write(LAST_SHARD, filled(array, LAST_SHARD, 7));
            assertEquals(7, array.read(LAST_SHARD).longAt(0, 0));
            all.forEach(call -> assertFalse(call.isDone()));
        }
        for (CompletableFuture<?> call : all) {
            call.get();
        }
        assertEquals(16, array.shape()[0]);
    }

    private static NdArray filled(ZarrArray array, Box region, int value) {
        byte[] elements = new byte[64];
        Arrays.fill(elements, (byte) value);
        return NdArray.of(array.dataType(), region.shape(), elements);
    }

    private static CompletableFuture<?> call(ZarrArray array, int number) {
        return switch (number % 3) {
            case 0 -> array.writeAsync(FIRST_SHARD, filled(array, FIRST_SHARD, number));
            case 1 -> array.eraseAsync(FIRST_SHARD);
            default -> {
                Transaction transaction = array.transaction(1 << 20);
                transaction.write(FIRST_SHARD, filled(array, FIRST_SHARD, number));
                transaction.write(LAST_SHARD, filled(array, LAST_SHARD, 7));
                yield transaction.commitAsync();
            }
        };
    }
}
