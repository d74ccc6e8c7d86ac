package dev.shardkit;

import static dev.shardkit.testing.Values.at;
import static dev.shardkit.testing.Values.box;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.BlockingListings;
import dev.shardkit.store.BlockingWrites;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Entry;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.Locks;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays with more shards than anybody can visit, or count. */
@Timeout(300)
class HugeArraysTest {
    private static final long SIDE = 1L << 62;

    private final Counting store = new Counting();

    /** Counts the calls of a store in memory. */
    private static class Counting implements Store, LocalReads, BlockingWrites, BlockingListings, Locks {
        private final MemoryStore memory = MemoryStore.create();
        private final AtomicLong calls = new AtomicLong();

        @Override
        public String describe() {
            return memory.describe();
        }

        @Override
        public Optional<ObjectSnapshot> open(String key) {
            calls.incrementAndGet();
            return memory.open(key);
        }

        @Override
        public Reads reads() {
            return this;
        }

        @Override
        public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                throws IOException {
            calls.incrementAndGet();
            return memory.putNow(key, content, condition, durability);
        }

        @Override
        public WriteResult deleteNow(String key, Condition condition) {
            calls.incrementAndGet();
            return memory.deleteNow(key, condition);
        }

        @Override
        public Lock lock(String array, String key, Duration patience) {
            calls.incrementAndGet();
            return memory.lock(array, key, patience);
        }

        @Override
        public void list(String prefix, Consumer<Entry> entries) {
            calls.incrementAndGet();
            memory.list(prefix, entries);
        }

        long callsOf(Runnable what) {
            long before = calls.get();
            what.run();
            return calls.get() - before;
        }
    }

    private static final class Nowhere implements Target {
        @Override
        public void put(Elements from, long offset, long[] strides, Box at) {}

        @Override
        public void fill(FillValue value, Box at) {}
    }

    private ZarrArray create(Store to, String separator, long... shape) {
        long[] shard = shape.length == 2 ? at(16, 16) : at(16);
        long[] chunk = shape.length == 2 ? at(4, 4) : at(4);
        ArraySpec spec = ArraySpec.of("int32", shape)
                .withShardShape(shard)
                .withChunkShape(chunk)
                .withFillValue(7);
        return Zarr.createArray(
                to,
                "a",
                separator.equals("/")
                        ? spec
                        : spec.withChunkKeyEncoding(Json.object()
                                .with("name", Json.of("default"))
                                .with("configuration", Json.object().with("separator", Json.of(separator)))),
                IfExists.REFUSE,
                ZarrOptions.defaults());
    }

    private static void put(ZarrArray array) {
        long[] shape = array.shape();
        if (shape.length == 1) {
            array.write(box(at(shape[0] - 3), 2), new int[] {3, 4}, 0);
        } else {
            array.write(box(at(shape[0] - 1, shape[1] - 2), 1, 2), new int[] {3, 4}, 0);
        }
    }

    @Test
    void counts_thatNoNumberHolds_areADeclaredError() {
        ZarrArray array = create(store, "/", SIDE, SIDE);
        UnsupportedException e =
                assertThrows(UnsupportedException.class, () -> array.shards().count());
        assertTrue(e.getMessage().contains("288230376151711744"), e.getMessage());
        assertThrows(UnsupportedException.class, () -> array.shards().split(3));
        assertTrue(
                array.shards().toString().contains("more than"), array.shards().toString());
        assertArrayEquals(at(0, 3), array.shards().get(3).cell());
        assertEquals(2, array.shards().stream().limit(2).count());
        assertEquals(1, array.shards(box(at(SIDE - 1, SIDE - 1), 1, 1)).count());
        assertEquals(70, array.innerChunks(array.domain()).limit(70).count());
        assertThrows(UnsupportedException.class, () -> array.read(array.domain(), new Nowhere()));
        assertThrows(IllegalArgumentException.class, () -> array.slices(0));
        assertThrows(
                IllegalArgumentException.class,
                () -> array.slices(0, SliceOptions.defaults().withGrowth(SliceOptions.Growth.GROW)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "."})
    void eraseAndResize_ofAnArrayOfAnySize_removeWhatIsStored(String separator) {
        ZarrArray array = create(store, separator, SIDE, SIDE);
        put(array);
        assertEquals(1, array.presence().count());
        array.erase(array.domain());
        assertEquals(0, array.presence().count());
        array.write(box(at(0, 0), 20, 2), new int[40], 0);
        put(array);
        try (Transaction publishing = array.transaction(1 << 20, WhenFull.PUBLISH)) {
            publishing.erase(box(at(SIDE / 2, SIDE / 2), SIDE / 2, SIDE / 2));
        }
        assertEquals(5, array.presence().count(), "the other end stays");
        put(array);
        ZarrArray small = array.resize(at(4, 4), ResizePolicy.REMOVE);
        assertEquals(1, small.presence().count());
        assertEquals(
                1, small.resize(at(SIDE, SIDE), ResizePolicy.KEEP).presence().count());
    }

    @Test
    void eraseAndResize_of2to40Shards_costWhatPresenceCosts() {
        ZarrArray array = create(store, "/", 1L << 44);
        put(array);
        long presence = store.callsOf(() -> array.presence().count());
        long erase = store.callsOf(() -> array.erase(array.domain()));
        assertEquals(0, array.presence().count());
        put(array);
        long resize = store.callsOf(() -> array.resize(at(10), ResizePolicy.REMOVE));
        assertEquals(0, array.presence().count());
        assertTrue(erase <= presence + 10, "calls: presence " + presence + ", erase " + erase);
        assertTrue(resize <= presence + 20, "calls: presence " + presence + ", resize " + resize);
    }

    @Test
    void storeThatCannotList_erasesFew_andRefusesMany() {
        Counting blind = new Counting() {
            @Override
            public void list(String prefix, Consumer<Entry> entries) {
                throw new UnsupportedException("store cannot list");
            }
        };
        ZarrArray array = create(blind, "/", SIDE, SIDE);
        put(array);
        Box corner = box(at(SIDE - 1600, SIDE - 1600), 1600, 1600);
        array.erase(corner);
        assertEquals(0, array.presence(corner).count());
        put(array);
        long calls = blind.callsOf(() -> {
            UnsupportedException e = assertThrows(UnsupportedException.class, () -> array.erase(array.domain()));
            assertTrue(e.getMessage().contains("cannot list"), e.getMessage());
            assertThrows(UnsupportedException.class, () -> array.resize(at(4, 4), ResizePolicy.REMOVE));
        });
        assertTrue(calls < 20, calls + " calls");
        assertEquals(List.of(SIDE, SIDE), List.of(array.shape()[0], array.shape()[1]));
        assertEquals(4, array.read(box(at(SIDE - 1, SIDE - 1), 1, 1)).longAt(0, 0));
        assertEquals(Json.object(), array.attributes());
    }
}
