package dev.shardkit.remote;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Store;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Arrays in remote stores that have locks, or copy ranges. */
@Timeout(120)
class RemoteAbilitiesTest {
    private static final int CHUNK = 256;
    private static final int CHUNKS = 64;
    private static final int SHARD = CHUNK * CHUNKS;
    private static final ZarrOptions OPTIONS =
            ZarrOptions.defaults().withDurability(Durability.ATOMIC).withParallelism(2);

    private static ZarrArray create(Store store, int shards) {
        ArraySpec spec = ArraySpec.of("int32", (long) shards * SHARD)
                .withChunkShape(CHUNK)
                .withShardShape(SHARD)
                .withCodecs();
        return Zarr.createArray(store, "a", spec, IfExists.REFUSE, OPTIONS);
    }

    private static int[] numbered(int count) {
        int[] all = new int[count];
        Arrays.setAll(all, i -> i + 1);
        return all;
    }

    private static void write(ZarrArray array, int from, int count, int value) {
        int[] elements = new int[count];
        Arrays.fill(elements, value);
        array.write(Box.of(new long[] {from}, new long[] {count}), elements, 0);
    }

    /** Bytes that travel when one inner chunk of a full shard is written. */
    private static long carried(RemoteAdapter remote) {
        ZarrArray array = create(remote, 1);
        int[] model = numbered(SHARD);
        array.write(array.domain(), model, 0);
        long before = remote.bytesCarried();
        write(array, 5 * CHUNK, CHUNK, -7);
        Arrays.fill(model, 5 * CHUNK, 6 * CHUNK, -7);
        long carried = remote.bytesCarried() - before;
        assertArrayEquals(model, array.read().ints());
        return carried;
    }

    @Test
    void storeThatCopiesRanges_getsTheRestOfAShardFromItself() {
        RemoteAdapter copying =
                RemoteAdapter.of(MemoryStore.conditional("copying")).copyingRanges();
        long few = carried(copying);
        long many = carried(RemoteAdapter.of(MemoryStore.conditional("plain")));
        int shard = SHARD * Integer.BYTES;
        assertTrue(many >= 2L * (shard - CHUNK * Integer.BYTES), "read and put: " + many);
        assertTrue(few < shard / 4, "index, inner chunk: " + few);
        assertEquals(shard - CHUNK * Integer.BYTES, copying.bytesCopied());
    }

    /** Writes 700 elements until the call succeeds, and returns how often it failed. */
    private static int writeUntilStored(ZarrArray array, int from, int value) {
        for (int failures = 0; ; failures++) {
            try {
                write(array, from, 700, value);
                return failures;
            } catch (StoreException e) {
                assertTrue(failures < 10, e::toString);
            }
        }
    }

    @Test
    void lostAnswers_toPutsOfRanges_changeNothing() {
        RemoteAdapter remote =
                RemoteAdapter.of(MemoryStore.conditional("remote")).copyingRanges();
        ZarrArray array = create(remote, 2);
        int[] model = numbered(2 * SHARD);
        array.write(array.domain(), model, 0);
        AtomicInteger asked = new AtomicInteger();
        remote.loseAnswers(key -> RemoteAdapter.Answer.values()[asked.incrementAndGet() % 3]);
        int refused = 0;
        for (int i = 0; i < 20; i++) {
            int from = i * 1_571 % (2 * SHARD - 700);
            Arrays.fill(model, from, from + 700, -i);
            refused += writeUntilStored(array, from, -i);
        }
        assertArrayEquals(model, array.read().ints());
        assertTrue(refused > 0, "the store does not retry, so requests that were lost are errors");
        assertTrue(asked.get() > 20, "writes: " + asked);
        assertTrue(remote.bytesCopied() > 0);
    }

    @Test
    void writersOfOneShard_inAStoreThatCopiesRanges_loseNothing() throws Exception {
        race(RemoteAdapter.of(MemoryStore.conditional("remote")).copyingRanges());
    }

    /** Nothing is put under a condition there: each writer holds the lock. */
    @Test
    void writersOfOneShard_inAStoreWithLocks_loseNothing() throws Exception {
        race(RemoteAdapter.of(MemoryStore.create()).keeping(Set.of(Locks.class)));
    }

    @Test
    void writersOfOneShard_inAStoreWithLocksThatCopiesRanges_loseNothing() throws Exception {
        race(RemoteAdapter.of(MemoryStore.create()).keeping(Set.of(Locks.class)).copyingRanges());
    }

    private static void race(RemoteAdapter remote) throws Exception {
        create(remote, 1).write(Box.of(new long[] {0}, new long[] {SHARD}), numbered(SHARD), 0);
        int writers = 3;
        ExecutorService pool = Executors.newFixedThreadPool(writers);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int w = 0; w < writers; w++) {
                int from = 2 * w * CHUNK + 10;
                ZarrArray mine = Zarr.openArray(remote, "a", OPTIONS);
                all.add(pool.submit(() -> {
                    for (int round = 1; round <= 20; round++) {
                        write(mine, from, CHUNK, -round);
                    }
                }));
            }
            for (Future<?> writer : all) {
                writer.get();
            }
        } finally {
            pool.shutdownNow();
        }
        int[] expected = numbered(SHARD);
        for (int w = 0; w < writers; w++) {
            Arrays.fill(expected, 2 * w * CHUNK + 10, 2 * w * CHUNK + 10 + CHUNK, -20);
        }
        assertArrayEquals(expected, Zarr.openArray(remote, "a", OPTIONS).read().ints());
    }
}
