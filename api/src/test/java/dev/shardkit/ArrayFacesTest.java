package dev.shardkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.engine.run.LocalStore;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.StoreListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a caller's own code does to a call, and what many callers do to an array. */
@Timeout(180)
class ArrayFacesTest {
    private final LocalStore store = new LocalStore();
    private final ZarrArray array = PlainArrays.create(store);

    /** A target that throws at everything. */
    private record Throwing(RuntimeException own) implements Target {
        @Override
        public void put(Elements from, long offset, long[] strides, Box at) {
            throw own;
        }

        @Override
        public void fill(FillValue value, Box at) {
            throw own;
        }
    }

    @Test
    void whatATargetThrows_reachesTheCallerAsItIs() {
        for (RuntimeException own : List.of(
                new IllegalStateException("mine"),
                new MetadataException("mine too"),
                new ObjectChangedException("mine as well"),
                new IndexOutOfBoundsException("and mine"))) {
            assertSame(own, assertThrows(RuntimeException.class, () -> array.read(array.domain(), new Throwing(own))));
            CompletableFuture<?> future = array.readAsync(array.domain(), new Throwing(own));
            assertSame(own, assertThrows(ExecutionException.class, future::get).getCause());
        }
        array.write(array.domain(), PlainArrays.counting(), 0);
        RuntimeException own = new IllegalStateException("mine");
        assertSame(own, assertThrows(RuntimeException.class, () -> array.read(array.domain(), new Throwing(own))));
        assertEquals("mine", own.getMessage());
        assertEquals(store.opened.get(), store.closed.get());
    }

    @Test
    void whatAFeedThrows_reachesTheCallerAsItIs_andLetsTheLockGo() {
        RuntimeException own = new ObjectChangedException("mine");
        Feed feed = (part, to, offset, strides) -> {
            throw own;
        };
        assertSame(own, assertThrows(RuntimeException.class, () -> array.write(array.domain(), feed)));
        assertSame(
                own,
                assertThrows(
                        RuntimeException.class, () -> array.write(Box.of(new long[] {1, 1}, new long[] {2, 2}), feed)));
        assertEquals("mine", own.getMessage());
        assertEquals(store.locked.get(), store.unlocked.get());
    }

    @Test
    void whatAListenerThrows_endsNothing() {
        StoreListener rude = new StoreListener() {
            @Override
            public void onRequest(String key, ByteRange range) {
                throw new IllegalStateException("rude");
            }

            @Override
            public void onResponse(String key, ByteRange range, long bytes, Duration took) {
                throw new IllegalStateException("rude");
            }

            @Override
            public void onWrite(String key, ShardWritePolicy.Strategy strategy, long bytes) {
                throw new IllegalStateException("rude");
            }

            @Override
            public void onProgress(long done, long total) {
                throw new IllegalStateException("rude");
            }
        };
        ZarrArray told = Zarr.openArray(store, "", PlainArrays.options().withListener(rude));
        told.write(told.domain(), PlainArrays.counting(), 0);
        assertArrayEquals(PlainArrays.counting(), told.read().ints());
    }

    @Test
    void regionWithoutElements_andElementsOfNoneWritten() {
        Box nothing = Box.of(new long[] {64, 3}, new long[] {0, 4});
        assertEquals(0, array.read(nothing).ints().length);
        array.write(nothing, new int[0], 0);
        assertEquals(0, array.innerChunks(nothing).count());
        assertEquals(1, store.locked.get(), "that of the metadata");
        assertArrayEquals(new int[64 * 64], array.read().ints());
    }

    @Test
    void oneArray_isReadAndWrittenBySixteenThreads() throws Exception {
        array.write(array.domain(), PlainArrays.counting(), 0);
        ExecutorService threads = Executors.newFixedThreadPool(16);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int t = 0; t < 16; t++) {
                int row = 4 * t;
                all.add(threads.submit(() -> work(row)));
            }
            for (Future<?> f : all) {
                f.get();
            }
        } finally {
            threads.shutdownNow();
        }
        int[] end = array.read().ints();
        for (int i = 0; i < end.length; i++) {
            assertEquals(-19 - i, end[i]);
        }
        assertEquals(store.opened.get(), store.closed.get());
        assertEquals(store.locked.get(), store.unlocked.get());
    }

    /** Four rows of its own, of chunks that it shares with a neighbour: read and written twenty times over. */
    private void work(int row) {
        Box mine = Box.of(new long[] {row, 0}, new long[] {4, 64});
        for (int round = 0; round < 20; round++) {
            int[] values = array.read(mine).ints();
            for (int i = 0; i < values.length; i++) {
                int before = row * 64 + i;
                assertEquals(round == 0 ? before : -(round - 1) - before, values[i]);
                values[i] = -round - before;
            }
            array.write(mine, values, 0);
            assertArrayEquals(values, array.readAsync(mine).join().ints());
            assertTrue(
                    array.innerChunks(mine).mapToLong(c -> c.values().count()).sum() == 256);
        }
    }
}
