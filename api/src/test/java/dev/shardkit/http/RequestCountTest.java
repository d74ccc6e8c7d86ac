package dev.shardkit.http;

import static dev.shardkit.testing.Values.at;
import static dev.shardkit.testing.Values.box;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.policy.ShardReadPolicy;
import dev.shardkit.testing.Values;
import dev.shardkit.testkit.server.RangeServer.Hit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How many requests reads cost, taken from the log of a real server. */
@Timeout(120)
class RequestCountTest {
    private static final ZarrOptions RANGES = ZarrOptions.defaults().withReadPolicy(ShardReadPolicy.RANGES);

    /** Four shards of 8 x 16 inner chunks of 8 KiB. */
    private static ArraySpec large(IndexLocation location) {
        return ArraySpec.of("uint16", 1024, 2048)
                .withChunkShape(64, 64)
                .withShardShape(512, 1024)
                .withIndexLocation(location)
                .withCodecs(Codecs.bytesLittleEndian());
    }

    private static void assertReads(Served served, ZarrArray array, Box region) {
        short[] expected = Values.cut(array, Values.noise(served.written(), 1), region);
        assertArrayEquals(expected, array.read(region).shorts());
    }

    @ParameterizedTest
    @EnumSource(IndexLocation.class)
    void innerChunk_ofAFreshShard_costsTwo_andASecondOneOne(IndexLocation location) {
        try (Served served = Served.noise(large(location))) {
            ZarrArray array = served.open(ZarrOptions.defaults());
            assertReads(served, array, box(at(64, 128), 64, 64));
            List<Hit> first = served.server().log();
            assertEquals(2, first.size(), () -> first.toString());
            assertEquals(List.of("GET", "GET"), first.stream().map(Hit::method).toList());
            assertEquals(List.of(206, 206), first.stream().map(Hit::status).toList());
            assertTrue(
                    first.get(1).headers().containsKey("if-match"), "the second is pinned to the version of the first");
            long index = 128 * 16 + 4;
            assertEquals(
                    location == IndexLocation.END ? "bytes=-" + index : "bytes=0-" + (index - 1),
                    first.get(0).range().orElseThrow());
            assertEquals(index + 8192, first.stream().mapToLong(Hit::bytes).sum());

            served.server().clearLog();
            assertReads(served, array, box(at(256, 512), 64, 64));
            List<Hit> second = served.server().log();
            assertEquals(1, second.size(), () -> second.toString());
            assertTrue(second.get(0).headers().containsKey("if-match"), "the kept index is pinned too");
            assertEquals(8192, second.get(0).bytes());
        }
    }

    @Test
    void manyReaders_ofAFreshShard_askForItsIndexOnce() throws Exception {
        try (Served served = Served.noise(large(IndexLocation.END))) {
            ZarrArray array = served.open(ZarrOptions.defaults());
            ExecutorService threads = Executors.newFixedThreadPool(64);
            try {
                CyclicBarrier start = new CyclicBarrier(64);
                List<Future<?>> readers = new ArrayList<>();
                for (int i = 0; i < 64; i++) {
                    Box region = box(at(64 * (i / 16), 64 * (i % 16)), 64, 64);
                    readers.add(threads.submit(() -> {
                        start.await();
                        assertReads(served, array, region);
                        return true;
                    }));
                }
                for (Future<?> r : readers) {
                    r.get(100, TimeUnit.SECONDS);
                }
            } finally {
                threads.shutdownNow();
            }
            String index = "bytes=-" + (128 * 16 + 4);
            assertEquals(
                    1,
                    served.server().log().stream()
                            .filter(h -> h.range().equals(Optional.of(index)))
                            .count(),
                    () -> served.server().log().toString());
            assertEquals(1 + 64, served.server().log().size());
        }
    }

    @ParameterizedTest
    @EnumSource(IndexLocation.class)
    void eightInnerChunks_inTwoRuns_costThree(IndexLocation location) {
        try (Served served = Served.noise(large(location))) {
            ZarrArray array = served.open(ZarrOptions.defaults());
            assertReads(served, array, box(at(0, 0), 128, 256)); // rows of 16 inner chunks: 96 KiB between the runs
            assertEquals(3, served.asked().size(), served.asked()::toString);
            assertEquals(
                    128 * 16 + 4 + 8 * 8192,
                    served.server().log().stream().mapToLong(Hit::bytes).sum());
        }
    }

    @Test
    void neighbours_ofTinyVariableLength_areReadTogether() {
        String[] words = IntStream.range(0, 1024).mapToObj(i -> "word " + i * i).toArray(String[]::new);
        ArraySpec spec = ArraySpec.of("string", 1024).withChunkShape(1).withShardShape(1024);
        try (Served served = Served.empty(spec)) {
            served.written().write(served.written().domain(), words, 0);
            served.publish();
            ZarrArray array = served.open(ZarrOptions.defaults());
            String[] read = array.read(Values.range(256, 768)).strings();
            assertArrayEquals(Arrays.copyOfRange(words, 256, 768), read);
            assertEquals(2, served.asked().size(), served.asked()::toString);

            assertArrayEquals(words, served.open(ZarrOptions.defaults()).read().strings());
            assertTrue(served.asked().size() <= 2, served.asked()::toString);
            assertArrayEquals(words, served.open(RANGES).read().strings());
            assertEquals(2, served.asked().size(), served.asked()::toString);
        }
    }

    private static Json nested(long[] shape, String location) {
        return Codecs.named(
                "sharding_indexed",
                Json.object()
                        .with("chunk_shape", Json.of(shape))
                        .with("codecs", new Json.Arr(List.of(Codecs.bytesLittleEndian(), Codecs.zstd(3))))
                        .with("index_codecs", new Json.Arr(List.of(Codecs.bytesLittleEndian(), Codecs.crc32c())))
                        .with("index_location", Json.of(location)));
    }

    @ParameterizedTest
    @EnumSource(IndexLocation.class)
    void region_ofATwoLevelShard_costsOneRequestALevel(IndexLocation location) {
        ArraySpec spec = ArraySpec.of("uint16", 256, 256)
                .withShardShape(256, 256)
                .withChunkShape(32, 32)
                .withIndexLocation(location)
                .withCodecs(nested(new long[] {8, 8}, location == IndexLocation.START ? "start" : "end"));
        try (Served served = Served.noise(spec)) {
            ZarrArray array = served.open(ZarrOptions.defaults());
            assertReads(served, array, box(at(20, 20), 30, 30)); // over four inner shards
            assertEquals(3, served.asked().size(), served.asked()::toString);
            served.server().clearLog();
            assertReads(served, array, box(at(20, 20), 30, 30));
            assertEquals(1, served.asked().size(), () -> "kept indexes do not split requests: " + served.asked());
            served.server().clearLog();
            assertReads(served, array, box(at(0, 0), 8, 8));
            assertEquals(1, served.asked().size(), served.asked()::toString);
            assertReads(served, served.open(RANGES), array.domain());
            assertEquals(3, served.asked().size(), served.asked()::toString);
        }
    }

    @Test
    void opening_costsOne() {
        try (Served served = Served.noise(large(IndexLocation.END))) {
            try (ZarrArray array = Zarr.openArray(served.server().uri() + "/" + Served.PATH)) {
                assertEquals(List.of("GET all"), served.asked());
                assertEquals(1024, array.shape()[0]);
            }
            served.server().clearLog();
            Zarr.openArrayAsync(served.store(b -> b), Served.PATH, ZarrOptions.defaults())
                    .join();
            assertEquals(List.of("GET all"), served.asked());
        }
    }

    @Test
    void wholeShardPolicy_readsAShardOnce_andNeighboursForNothing() {
        try (Served served = Served.noise(large(IndexLocation.END))) {
            ZarrArray array = served.open(ZarrOptions.defaults().withReadPolicy(ShardReadPolicy.WHOLE_SHARD));
            assertReads(served, array, box(at(64, 64), 64, 64));
            assertEquals(List.of("GET all"), served.asked());
            assertReads(served, array, box(at(128, 64), 64, 64));
            assertReads(served, array, box(at(0, 0), 512, 1024));
            assertEquals(List.of("GET all"), served.asked());
            assertReads(served, array, box(at(0, 960), 64, 128)); // the shard beside it
            assertEquals(List.of("GET all", "GET all"), served.asked());
        }
    }

    @Test
    void wholeShardPolicy_withoutFreshness_asksWhetherItChanged() {
        try (Served served = Served.noise(large(IndexLocation.END))) {
            ZarrArray array = served.open(
                    ZarrOptions.defaults().withReadPolicy(ShardReadPolicy.WHOLE_SHARD), b -> b.freshFor(Duration.ZERO));
            assertReads(served, array, box(at(64, 64), 64, 64));
            served.server().clearLog();
            assertReads(served, array, box(at(128, 64), 64, 64));
            assertEquals(List.of("GET bytes=0-0"), served.asked());

            served.written().write(box(at(192, 64), 64, 64), new short[4096], 0);
            served.publish("c/0/0");
            assertArrayEquals(
                    new short[4096], array.read(box(at(192, 64), 64, 64)).shorts());
        }
    }

    @Test
    void auto_takesShardsWholly_thatAreWantedWholly() {
        try (Served served = Served.noise(large(IndexLocation.END))) {
            assertReads(served, served.open(ZarrOptions.defaults()), Box.of(at(1024, 2048)));
            assertEquals(List.of("GET all", "GET all", "GET all", "GET all"), served.asked());
            assertReads(
                    served, served.open(ZarrOptions.defaults()), box(at(0, 0), 64, 1025)); // two rows of inner chunks
            assertEquals(4, served.asked().size(), served.asked()::toString);
            assertReads(served, served.open(RANGES), Box.of(at(1024, 2048)));
            assertEquals(8, served.asked().size(), served.asked()::toString);
        }
    }

    @Test
    void missingShard_costsOne_andIsFill() {
        try (Served served = Served.empty(large(IndexLocation.END).withFillValue(7))) {
            ZarrArray array = served.open(ZarrOptions.defaults());
            short[] fill = new short[4096];
            Arrays.fill(fill, (short) 7);
            assertArrayEquals(fill, array.read(box(at(64, 128), 64, 64)).shorts());
            List<Hit> log = served.server().log();
            assertEquals(List.of(404), log.stream().map(Hit::status).toList());
        }
    }

    @Test
    void immutable_keepsIndexesWithoutAsking() {
        ArraySpec spec = large(IndexLocation.END);
        try (Served served = Served.empty(spec)) {
            short[] values = Values.noise(served.written(), 1);
            served.written()
                    .write(box(at(0, 0), 64, 64), Values.cut(served.written(), values, box(at(0, 0), 64, 64)), 0);
            served.publish();
            ZarrArray array =
                    served.open(ZarrOptions.defaults().withImmutableObjects(), b -> b.freshFor(Duration.ZERO));
            assertReads(served, array, box(at(0, 0), 64, 64));
            served.server().clearLog();
            assertArrayEquals(
                    new short[4096], array.read(box(at(64, 64), 64, 64)).shorts());
            assertEquals(List.of(), served.asked(), "the kept index says that it is empty");
            assertReads(served, array, box(at(0, 0), 64, 64));
            assertEquals(1, served.asked().size(), served.asked()::toString);
        }
    }
}
