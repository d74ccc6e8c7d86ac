package dev.shardkit.http;

import static dev.shardkit.testing.Values.range;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.http.EtagUse;
import dev.shardkit.store.http.HttpStore;
import dev.shardkit.store.policy.ShardReadPolicy;
import dev.shardkit.testkit.server.FaultServer;
import dev.shardkit.testkit.server.RangeServer.Quirk;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Objects that change on the server while they are read, or between reads. */
@Timeout(120)
class HttpChangesTest {
    private static final int COUNT = 4096;
    private static final int CHUNK = 64;

    /** One shard of 64 inner chunks, whose encoded sizes differ from version to version. */
    private static Served served() {
        ArraySpec spec = ArraySpec.of("int32", COUNT)
                .withChunkShape(CHUNK)
                .withShardShape(COUNT)
                .withCodecs(Codecs.zstd(3));
        Served served = Served.empty(spec);
        replace(served, 1);
        return served;
    }

    private static int element(int version, int i) {
        return version + (i % (version % 7 + 2) << 8);
    }

    /** Serves another version, all elements of which say so. */
    private static void replace(Served served, int version) {
        int[] values = new int[COUNT];
        Arrays.setAll(values, i -> element(version, i));
        served.written().write(served.written().domain(), values, 0);
        served.publish("c/0");
    }

    /** Which version the values are of; fails if they are of none. */
    private static int version(ZarrArray array, Box region) {
        int[] values = array.read(region).ints();
        int first = (int) region.origin(0);
        int version = values[0] & 0xff;
        for (int i = 0; i < values.length; i++) {
            assertEquals(element(version, first + i), values[i], "a mixture, or no version at all");
        }
        return version;
    }

    /** Does something when the first answer of an array's shard has come in. */
    private static ZarrOptions afterAnswer(Runnable once, AtomicBoolean armed) {
        return ZarrOptions.defaults().withReadPolicy(ShardReadPolicy.RANGES).withListener(new StoreListener() {
            @Override
            public void onResponse(String key, ByteRange range, long bytes, Duration took) {
                if (key.endsWith("c/0") && armed.getAndSet(false)) {
                    once.run();
                }
            }
        });
    }

    /** How servers tell versions apart, and whether they help. */
    enum Habit {
        STRONG,
        STRONG_UNMATCHED(Quirk.NO_IF_MATCH),
        WEAK(Quirk.WEAK_ETAG),
        TIME_AND_SIZE(Quirk.NO_ETAG),
        WHOLE_OBJECTS(Quirk.NO_RANGES),
        WHOLE_OBJECTS_WEAK(Quirk.NO_RANGES, Quirk.WEAK_ETAG),
        NO_SUFFIXES(Quirk.SUFFIX_416);

        private final Quirk[] quirks;

        Habit(Quirk... quirks) {
            this.quirks = quirks;
        }
    }

    @ParameterizedTest
    @EnumSource(Habit.class)
    void shard_replacedBetweenIndexAndInnerChunk_isReadAnew(Habit habit) {
        try (Served served = served()) {
            served.server().quirks(habit.quirks);
            AtomicBoolean armed = new AtomicBoolean(true);
            ZarrArray array = served.open(afterAnswer(() -> replace(served, 2), armed));
            // what came whole with the index is of one version, and nothing more is asked for
            int seen = List.of(habit.quirks).contains(Quirk.NO_RANGES) ? 1 : 2;
            assertEquals(seen, version(array, range(640, 1000)), served.asked()::toString);
            armed.set(true);
        }
    }

    @ParameterizedTest
    @EnumSource(Habit.class)
    void shard_replacedBetweenReads_isReadAnew(Habit habit) {
        try (Served served = served()) {
            served.server().quirks(habit.quirks);
            ZarrArray array = served.open(ZarrOptions.defaults().withReadPolicy(ShardReadPolicy.RANGES));
            for (int version = 1; version < 10; version++) {
                replace(served, version);
                assertEquals(version, version(array, range(640, 1000)), served.asked()::toString);
                assertEquals(version, version(array, range(64, 300)), served.asked()::toString);
            }
        }
    }

    @Test
    void shard_replacedBetweenReads_costsAFailedRequestMore() {
        try (Served served = served()) {
            ZarrArray array = served.open(ZarrOptions.defaults());
            version(array, range(0, 10));
            replace(served, 5);
            served.server().clearLog();
            assertEquals(5, version(array, range(640, 1000)));
            assertEquals(
                    List.of(412, 206, 206),
                    served.server().log().stream().map(h -> h.status()).toList());
        }
    }

    @Test
    void shard_removedBetweenIndexAndInnerChunk_isFill() {
        try (Served served = served()) {
            ZarrArray array = served.open(
                    afterAnswer(() -> served.server().remove(Served.PATH + "/c/0"), new AtomicBoolean(true)));
            assertArrayEquals(new int[10], array.read(range(0, 10)).ints());
            replace(served, 3);
            assertEquals(3, version(array, range(0, 10)));
        }
    }

    @Test
    void shard_thatChangesAtEveryAnswer_isAnErrorInTheEnd() {
        try (Served served = served()) {
            AtomicInteger version = new AtomicInteger(1);
            ZarrArray array = served.open(ZarrOptions.defaults().withListener(new StoreListener() {
                @Override
                public void onResponse(String key, ByteRange range, long bytes, Duration took) {
                    replace(served, version.incrementAndGet());
                }
            }));
            ObjectChangedException e = assertThrows(ObjectChangedException.class, () -> array.read(range(640, 1000)));
            assertTrue(e.getMessage().contains("c/0"), e.getMessage());
            assertTrue(served.asked().size() <= 10, served.asked()::toString);
        }
    }

    @Test
    void server_withoutValidators_nothingIsKept() {
        try (Served served = served()) {
            served.server().quirks(Quirk.NO_ETAG, Quirk.NO_LAST_MODIFIED);
            ZarrArray array = served.open(ZarrOptions.defaults());
            assertEquals(1, version(array, range(0, 64)));
            assertEquals(2, served.asked().size());
            assertEquals(1, version(array, range(64, 128)));
            assertEquals(4, served.asked().size(), served.asked()::toString);
            replace(served, 2);
            assertEquals(2, version(array, range(64, 128)));

            ZarrArray whole = served.open(ZarrOptions.defaults().withReadPolicy(ShardReadPolicy.WHOLE_SHARD));
            assertEquals(2, version(whole, range(0, 64)));
            replace(served, 3);
            assertEquals(3, version(whole, range(0, 64)));
        }
    }

    @Test
    void shard_replacedWithinTheSecondOfItsLastModified_isReadAnew() {
        ArraySpec spec =
                ArraySpec.of("int32", 8).withChunkShape(2).withShardShape(8).withCodecs();
        try (Served served = Served.empty(spec)) {
            served.server().quirks(Quirk.NO_ETAG);
            Instant now = Instant.now().plusSeconds(3600); // a second that is not over while the test runs
            ZarrArray array = served.open(
                    ZarrOptions.defaults().withReadPolicy(ShardReadPolicy.RANGES), b -> b.freshFor(Duration.ZERO));
            served.written().write(served.written().domain(), new int[] {1, 2, 3, 4, 5, 6, 7, 8}, 0);
            served.publish("c/0", now);
            assertArrayEquals(new int[] {3, 4}, array.read(range(2, 4)).ints());
            served.written().erase(served.written().domain());
            ZarrArray backwards = served.written()
                    .with(o -> o.withWritePolicy(
                            ShardWritePolicy.defaults().withOrder(ShardWritePolicy.Order.AS_THEY_COME)));
            for (int i = 6; i >= 0; i -= 2) {
                backwards.write(range(i, i + 2), new int[] {100 + i, 101 + i}, 0);
            }
            served.publish("c/0", now);
            assertArrayEquals(
                    new int[] {102, 103}, array.read(range(2, 4)).ints(), "an index that was kept is believed");
        }
    }

    @Test
    void etags_thatDifferFromAnswerToAnswer_areIgnoredOnRequest() {
        try (Served served = served();
                FaultServer servers = FaultServer.start();
                HttpStore store =
                        HttpStore.builder(servers.uri()).etags(EtagUse.IGNORE).build();
                HttpStore comparing = HttpStore.at(servers.uri())) {
            served.copyTo(servers);
            servers.fault(FaultServer.Fault.CHANGING_ETAGS);
            assertEquals(1, version(Zarr.openArray(store, Served.PATH, ZarrOptions.defaults()), range(640, 1000)));
            ZarrArray array = Zarr.openArray(comparing, Served.PATH, ZarrOptions.defaults());
            assertThrows(ObjectChangedException.class, () -> array.read(range(640, 1000)));
        }
    }

    @Test
    void etags_ignored_lastModifiedTellsVersionsApart() {
        try (Served served = served()) {
            ZarrArray array = served.open(
                    ZarrOptions.defaults().withReadPolicy(ShardReadPolicy.RANGES),
                    b -> b.etags(EtagUse.IGNORE).freshFor(Duration.ZERO));
            assertEquals(1, version(array, range(0, 64)));
            assertEquals(1, version(array, range(64, 128)));
            assertEquals(3, served.asked().size(), served.asked()::toString);
            assertTrue(served.server().log().stream().noneMatch(h -> h.headers().containsKey("if-match")));
            replace(served, 2);
            assertEquals(2, version(array, range(64, 128)));
        }
    }

    @Test
    void reads_besideASwappingServer_seeOneVersionEach() throws Exception {
        ZarrOptions[] options = {
            ZarrOptions.defaults(),
            ZarrOptions.defaults().withCacheBytes(0),
            ZarrOptions.defaults().withReadPolicy(ShardReadPolicy.WHOLE_SHARD)
        };
        try (Served served = served()) {
            Semaphore swaps = new Semaphore(0);
            Thread swapper = new Thread(() -> {
                for (int i = 1; swaps.tryAcquire() || !Thread.interrupted() && waited(swaps); i++) {
                    replace(served, i % 128);
                }
            });
            swapper.start();
            try {
                int right = 0;
                for (int i = 0; i < 60; i++) {
                    swaps.release(3); // at some moments of what follows
                    right += reads(served.open(options[i % options.length])) ? 1 : 0;
                }
                assertTrue(right > 0, "all reads gave up");
            } finally {
                swapper.interrupt();
                swapper.join();
            }
        }
    }

    private static boolean waited(Semaphore swaps) {
        try {
            swaps.acquire();
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    private static boolean reads(ZarrArray array) {
        try {
            version(array, range(640, 1000));
            version(array, range(0, COUNT));
            return true;
        } catch (ObjectChangedException e) {
            return false; // it changed five times in one read, which is said
        }
    }
}
