package dev.shardkit.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.ArraySpec;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.StoreListener;
import dev.shardkit.testing.Values;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** A blocking read over HTTP may be made on any thread. Half of the chunks are absent, and requests wait their turn. */
@Timeout(120)
class HttpCallersThreadsTest {
    private static final int READS = 64;

    private Served served;
    private ZarrArray array;
    private short[] expected;

    /** Not in the constructor: JUnit creates an instance for a disabled test too, and closes nothing then. */
    @BeforeEach
    void start() {
        served = served();
        array = served.open(ZarrOptions.defaults(), b -> b.maxConcurrentRequests(2));
        expected = served.written().read().shorts();
    }

    private static Served served() {
        Served served = Served.empty(ArraySpec.of("int16", 64).withChunkShape(8));
        short[] values = new short[32];
        Arrays.fill(values, (short) 7);
        served.written().write(Values.range(0, 32), values, 0);
        served.publish();
        return served;
    }

    @AfterEach
    void stop() {
        served.close();
    }

    private boolean reads() {
        assertArrayEquals(expected, array.read().shorts());
        return true;
    }

    private void assertReadsIn(ExecutorService pool) throws Exception {
        List<Future<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < READS; i++) {
            all.add(pool.submit(this::reads));
        }
        for (Future<Boolean> one : all) {
            one.get();
        }
    }

    @Test
    void parallelStream_readsOnEachThread() {
        assertEquals(
                READS, IntStream.range(0, READS).parallel().filter(i -> reads()).count());
    }

    @Test
    void supplyAsync_asManyAsTheCommonPoolHasThreads_read() {
        List<CompletableFuture<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < 2 * ForkJoinPool.getCommonPoolParallelism() + 2; i++) {
            all.add(CompletableFuture.supplyAsync(this::reads, ForkJoinPool.commonPool()));
        }
        all.forEach(CompletableFuture::join);
    }

    @Test
    void executorOfOneThread_whichIsTheArraysOwnToo_reads() throws Exception {
        ExecutorService one = Executors.newSingleThreadExecutor();
        try {
            assertReadsIn(one);
            ZarrArray own = served.open(ZarrOptions.defaults().withExecutor(one), b -> b.maxConcurrentRequests(2));
            assertArrayEquals(expected, one.submit(() -> own.read().shorts()).get());
            assertArrayEquals(expected, own.readAsync(own.domain()).get().shorts());
        } finally {
            one.shutdown();
        }
    }

    /** A listener may read, with and without a listener, on all threads at once. */
    @Test
    void listenersThatRead_stopNoThreadOfTheClient() throws Exception {
        StoreListener reading = new StoreListener() {
            @Override
            public void onResponse(String key, ByteRange range, long bytes, Duration took) {
                reads();
            }
        };
        ExecutorService pool = Executors.newFixedThreadPool(16);
        try (ZarrArray told =
                served.open(ZarrOptions.defaults().withListener(reading), b -> b.maxConcurrentRequests(8))) {
            List<Future<short[]>> all = new ArrayList<>();
            for (int i = 0; i < READS; i++) {
                all.add(pool.submit(() -> told.read().shorts()));
            }
            for (Future<short[]> one : all) {
                assertArrayEquals(expected, one.get());
            }
        } finally {
            pool.shutdown();
        }
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void virtualThreads_read() throws Exception {
        ExecutorService pool = (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        try {
            assertReadsIn(pool);
        } finally {
            pool.shutdown();
        }
    }
}
