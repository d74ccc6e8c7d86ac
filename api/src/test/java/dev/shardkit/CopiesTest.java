package dev.shardkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.javaarray.JavaArrayAdapters;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.BlockingWrites;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.Locks;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testing.Values;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The way of an inner chunk's bytes: the store fills one buffer, the decoder reads that buffer, and what the decoder
 * made is what the destination takes its elements from. Two views are known to be one memory when a change of the one
 * is seen in the other.
 */
class CopiesTest {
    private static final int EDGE = 16;
    private static final int SHARD = 4 * EDGE;

    private final SpyStore store = new SpyStore(MemoryStore.create());
    private final List<Boolean> decoderReadsTheStoresBuffer = new ArrayList<>();
    private Optional<Bytes> decoded = Optional.empty();

    static Stream<Arguments> codecs() {
        return Stream.of(
                Arguments.of("zstd", Codecs.zstd(3)),
                Arguments.of("gzip", Codecs.gzip(5)),
                Arguments.of("blosc", Codecs.blosc("lz4", 5, 2)),
                Arguments.of("crc32c", Codecs.crc32c()));
    }

    /** An array whose inner chunks pass two spies: before the compressor decodes, and behind it. */
    private ZarrArray write(Json... compressor) {
        Registry registry = Registry.builder()
                .all(Registry.load())
                .codec(new SpyCodecFactory("test.decoded", (bytes, scratch) -> {
                    decoded = Optional.of(bytes);
                    return bytes;
                }))
                .codec(new SpyCodecFactory("test.stored", (bytes, scratch) -> {
                    decoderReadsTheStoresBuffer.add(sameMemory(store.filled, bytes.pieces()));
                    return bytes;
                }))
                .build();
        List<Json> codecs = new ArrayList<>(List.of(Codecs.named("test.decoded", Json.object())));
        codecs.addAll(List.of(compressor));
        codecs.add(Codecs.named("test.stored", Json.object()));
        ArraySpec spec = ArraySpec.of("uint16", SHARD, SHARD)
                .withShardShape(SHARD, SHARD)
                .withChunkShape(EDGE, EDGE)
                .withCodecs(codecs.toArray(new Json[0]));
        ZarrArray array = Zarr.createArray(
                store,
                "a",
                spec,
                IfExists.REFUSE,
                ZarrOptions.defaults().withRegistry(registry).withParallelism(1));
        array.write(array.domain(), Values.noise(array, 5), 0);
        return array;
    }

    /** Whether all bytes of {@code view} change with those of {@code memory}. */
    private static boolean sameMemory(List<ByteBuffer> memory, List<ByteBuffer> view) {
        List<byte[]> before = view.stream().map(CopiesTest::bytes).toList();
        memory.forEach(CopiesTest::invert);
        List<byte[]> after = view.stream().map(CopiesTest::bytes).toList();
        memory.forEach(CopiesTest::invert);
        for (int i = 0; i < before.size(); i++) {
            for (int k = 0; k < before.get(i).length; k++) {
                if (before.get(i)[k] != (byte) ~after.get(i)[k]) {
                    return false;
                }
            }
        }
        return true;
    }

    private static byte[] bytes(ByteBuffer view) {
        byte[] bytes = new byte[view.remaining()];
        view.duplicate().get(bytes);
        return bytes;
    }

    private static void invert(ByteBuffer memory) {
        for (int i = memory.position(); i < memory.limit(); i++) {
            memory.put(i, (byte) ~memory.get(i));
        }
    }

    /** Reads into an array; remembers whether the elements came from {@code memory}. */
    private final class SpyTarget implements Target {
        private final Target behind;
        private final List<Boolean> same = new ArrayList<>();

        SpyTarget(ZarrArray array, Box region, short[] into) {
            behind = JavaArrayAdapters.target(array.dataType(), region.shape(), into, 0);
        }

        @Override
        public void put(Elements from, long offset, long[] strides, Box at) {
            List<ByteBuffer> taken = List.of(((Elements.Fixed) from).bytes());
            same.add(sameMemory(decoded.orElseThrow().pieces(), taken));
            behind.put(from, offset, strides, at);
        }

        @Override
        public void fill(FillValue value, Box at) {
            behind.fill(value, at);
        }
    }

    private void assertNoCopyBetween(ZarrArray array) {
        Box region = Box.of(new long[] {EDGE, 2 * EDGE}, new long[] {2 * EDGE, EDGE});
        short[] into = new short[2 * EDGE * EDGE];
        short[] expected = Values.cut(array, Values.noise(array, 5), region);
        SpyTarget target = new SpyTarget(array, region, into);
        array.read(region, target);

        assertArrayEquals(expected, into);
        assertEquals(2, decoderReadsTheStoresBuffer.size(), "two inner chunks were decoded");
        assertFalse(decoderReadsTheStoresBuffer.contains(false), "a copy between the store's buffer and the decoder");
        assertEquals(2, target.same.size(), "the elements of an inner chunk are handed over once");
        assertFalse(target.same.contains(false), "a copy between what was decoded and the destination");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("codecs")
    void read_takesElementsFromWhatWasDecoded_andDecodesWhatTheStoreFilled(String name, Json compressor) {
        try (ZarrArray array = write(compressor)) {
            assertNoCopyBetween(array);
        }
    }

    @Test
    void readOfUncompressed_takesElementsFromTheBufferThatTheStoreFilled() {
        try (ZarrArray array = write()) {
            assertNoCopyBetween(array);
            assertTrue(sameMemory(store.filled, decoded.orElseThrow().pieces()));
        }
    }

    @Test
    void singleRead_asksForTheIndexEntryOrIndexAndTheInnerChunk_andNothingElse() {
        try (ZarrArray array = write()) {
            store.bytes = 0;
            array.read(Box.of(new long[] {EDGE, EDGE}, new long[] {EDGE, EDGE}));
            long index = 16L * 16 + 4;
            assertEquals(index + EDGE * EDGE * Short.BYTES, store.bytes, "bytes read from the store");
        }
    }

    /** Remembers the buffers that were filled last, and how much was read. */
    private static final class SpyStore implements Store, LocalReads, BlockingWrites, Locks {
        private final MemoryStore behind;
        private List<ByteBuffer> filled = List.of();
        private long bytes;

        SpyStore(MemoryStore behind) {
            this.behind = behind;
        }

        @Override
        public String describe() {
            return "spy:";
        }

        @Override
        public Optional<ObjectSnapshot> open(String key) {
            return behind.open(key).map(SpySnapshot::new);
        }

        @Override
        public Reads reads() {
            return this;
        }

        @Override
        public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                throws IOException {
            return behind.putNow(key, content, condition, durability);
        }

        @Override
        public WriteResult deleteNow(String key, Condition condition) {
            return behind.deleteNow(key, condition);
        }

        @Override
        public Lock lock(String array, String key, Duration patience) throws IOException {
            return behind.lock(array, key, patience);
        }

        private final class SpySnapshot implements ObjectSnapshot {
            private final ObjectSnapshot snapshot;

            SpySnapshot(ObjectSnapshot snapshot) {
                this.snapshot = snapshot;
            }

            @Override
            public String version() {
                return snapshot.version();
            }

            @Override
            public long size() {
                return snapshot.size();
            }

            @Override
            public void read(long offset, ByteBuffer into) throws IOException {
                bytes += into.remaining();
                filled = List.of(into.slice());
                snapshot.read(offset, into);
            }

            @Override
            public void close() throws IOException {
                snapshot.close();
            }
        }
    }
}
