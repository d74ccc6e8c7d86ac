package dev.shardkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.codec.ShardWritePolicy.Strategy;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.store.policy.WriteOwnership;
import dev.shardkit.testing.Values;
import dev.shardkit.testkit.internal.Rounds;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Eight writers of disjoint inner chunks of one shard, by every strategy and every way to keep them apart. */
@Timeout(180)
class StrategyWritersTest {
    private static final int THREADS = 8;
    private static final int ROUNDS = Rounds.areMany() ? 200 : 70;
    private static final int CHUNK = 16;
    private static final int NEW_SHARDS = 40;

    @TempDir
    Path dir;

    private final Map<Strategy, Integer> written = new EnumMap<>(Strategy.class);

    private final StoreListener counter = new StoreListener() {
        @Override
        public void onWrite(String key, Strategy strategy, long bytes) {
            synchronized (written) {
                written.merge(strategy, 1, Integer::sum);
            }
        }

        @Override
        public void onFallback(String key, Strategy wanted, Strategy taken, String reason) {
            reasons.add(reason);
        }
    };

    private final Set<String> reasons = ConcurrentHashMap.newKeySet();

    private ZarrOptions options(Strategy strategy, WriteOwnership ownership) {
        return ZarrOptions.defaults()
                .withDurability(Durability.ATOMIC)
                .withOwnership(ownership)
                .withListener(counter)
                .withWritePolicy(
                        ShardWritePolicy.defaults().withStrategy(strategy).withMaxUnusedPercent(95));
    }

    private static ArraySpec spec(boolean compressed) {
        ArraySpec spec = ArraySpec.of("int32", (long) THREADS * CHUNK)
                .withChunkShape(CHUNK)
                .withShardShape((long) THREADS * CHUNK);
        return compressed ? spec.withCodecs(Codecs.zstd(3)) : spec;
    }

    /** Each thread writes its own inner chunk again and again, and reads it; then all are there. */
    private void writeAll(Store store, ArraySpec spec, ZarrOptions options) throws Exception {
        ZarrArray made = Zarr.createArray(store, "a", spec, IfExists.REFUSE, options);
        made.write(made.domain(), Values.all(made, made.domain(), ROUNDS + 1));
        written.clear();
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> writers = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                ZarrArray array = Zarr.openArray(store, "a", options); // a client of its own
                Box own = Versions.chunk(array, t);
                writers.add(pool.submit(() -> {
                    for (int round = 1; round <= ROUNDS; round++) {
                        array.write(own, Values.all(array, own, round));
                        if (round % 20 == 0 && options.ownership() == WriteOwnership.SHARED) {
                            assertArrayEquals(
                                    Values.all(array, own, round).ints(),
                                    array.read(own).ints());
                        }
                    }
                }));
            }
            for (Future<?> writer : writers) {
                writer.get();
            }
        } finally {
            pool.shutdownNow();
        }
        assertEquals(Values.all(made, made.domain(), ROUNDS), made.read());
    }

    @Test
    void conditionalStore_losesNothing() throws Exception {
        writeAll(MemoryStore.conditional("c"), spec(true), options(Strategy.REWRITE, WriteOwnership.SHARED));
        assertEquals(Map.of(Strategy.REWRITE, THREADS * ROUNDS), written, reasons::toString);
    }

    @Test
    void remoteStore_losesNothing() throws Exception {
        Store remote = RemoteAdapter.of(MemoryStore.conditional("c"));
        writeAll(remote, spec(true), options(Strategy.REWRITE, WriteOwnership.SHARED));
        assertEquals(Map.of(Strategy.REWRITE, THREADS * ROUNDS), written, reasons::toString);
    }

    /** Each thread writes its own inner chunk of shards that do not exist. */
    private void writeNewShards(Store store) throws Exception {
        long shard = (long) THREADS * CHUNK;
        ZarrOptions options = options(Strategy.REWRITE, WriteOwnership.SHARED);
        ArraySpec spec =
                ArraySpec.of("int32", NEW_SHARDS * shard).withChunkShape(CHUNK).withShardShape(shard);
        ZarrArray made = Zarr.createArray(store, "a", spec, IfExists.REFUSE, options);
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        CyclicBarrier together = new CyclicBarrier(THREADS);
        try {
            List<Future<?>> writers = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                ZarrArray array = Zarr.openArray(store, "a", options);
                long own = (long) t * CHUNK;
                writers.add(pool.submit(() -> {
                    for (long first = own; first < NEW_SHARDS * shard; first += shard) {
                        together.await();
                        Box box = Values.range(first, first + CHUNK);
                        array.write(box, Values.all(array, box, 1));
                    }
                    return null;
                }));
            }
            for (Future<?> writer : writers) {
                writer.get();
            }
        } finally {
            pool.shutdownNow();
        }
        assertEquals(Values.all(made, made.domain(), 1), made.read());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void firstWritersOfAShard_loseNothing(boolean isRemote) throws Exception {
        Store local = MemoryStore.conditional("c");
        writeNewShards(isRemote ? RemoteAdapter.of(local) : local);
    }

    @Test
    void appendUnderLocks_losesNothing() throws Exception {
        writeAll(FileStore.at(dir), spec(true), options(Strategy.APPEND, WriteOwnership.SHARED));
        assertEquals(
                THREADS * ROUNDS, written.values().stream().mapToInt(n -> n).sum(), written + " " + reasons);
    }

    @Test
    void inPlaceUnderLocks_losesNothing() throws Exception {
        writeAll(FileStore.at(dir), spec(false), options(Strategy.IN_PLACE, WriteOwnership.SHARED));
        assertEquals(Map.of(Strategy.IN_PLACE, THREADS * ROUNDS), written, reasons::toString);
    }

    @Test
    void inPlaceByOwners_losesNothing_withoutALock() throws Exception {
        writeAll(FileStore.at(dir), spec(false), options(Strategy.IN_PLACE, WriteOwnership.OWNED));
        assertEquals(Map.of(Strategy.IN_PLACE, THREADS * ROUNDS), written, reasons::toString);
        try (Stream<Path> files = Files.walk(dir)) {
            List<String> left = files.filter(Files::isRegularFile)
                    .map(f -> dir.relativize(f).toString().replace('\\', '/'))
                    .sorted()
                    .toList();
            assertEquals(List.of("a/c/0", "a/zarr.json"), left);
        }
    }
}
