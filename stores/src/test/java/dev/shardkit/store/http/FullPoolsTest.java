package dev.shardkit.store.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.StoreListener;
import dev.shardkit.testkit.server.RangeServer;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** No step of a request needs a thread that callers may have filled. */
class FullPoolsTest extends HttpFixture {
    private final CountDownLatch full = new CountDownLatch(1);

    @AfterEach
    void empty() {
        full.countDown();
    }

    /** Has {@code count} threads of a pool wait until the test is over. */
    private void fill(Executor pool, int count) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            pool.execute(() -> {
                begun.countDown();
                try {
                    full.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        begun.await();
    }

    private void fillCommonPool() throws InterruptedException {
        fill(ForkJoinPool.commonPool(), Math.max(1, ForkJoinPool.getCommonPoolParallelism()));
    }

    private static void assertLate(HttpStore store, String key) {
        StoreException e =
                assertThrows(StoreException.class, () -> fetch(store, key, slice(0, 1000), Optional.empty()));
        assertTrue(e.getMessage().contains("deadline"), e.getMessage());
    }

    @Test
    void commonPoolFull_eachKindOfAnswer_comes() throws Exception {
        fillCommonPool();
        try (HttpStore store = store()) {
            assertEquals(1_000_000, found(store, slice(10, 20)).objectSize());
            assertInstanceOf(FetchResult.Absent.class, fetch(store, "none", slice(10, 20), Optional.empty()));
            server.failNext(3, 503, Map.of());
            assertEquals(1_000_000, found(store, slice(10, 20)).objectSize());
            server.failNext(1, 403, Map.of());
            assertThrows(StoreException.class, () -> found(store, slice(10, 20)));
            server.failNext(2, RangeServer.Fault.DROP);
            assertEquals(1_000_000, found(store, slice(10, 20)).objectSize());
        }
    }

    @Test
    void commonPoolFull_refusedConnection_isAnError() throws Exception {
        fillCommonPool();
        try (Socket nobody = portWithoutServer();
                HttpStore store =
                        HttpStore.builder(uriOf(nobody)).retries(QUICK).build()) {
            StoreException e = assertThrows(StoreException.class, () -> found(store, slice(0, 1)));
            assertTrue(e.getMessage().contains("4 failed tries"), e.getMessage());
        }
    }

    @Test
    void commonPoolFull_queueAndDeadline_goOn() throws Exception {
        fillCommonPool();
        try (HttpStore store = HttpStore.builder(server.uri())
                .maxConcurrentRequests(2)
                .retries(QUICK)
                .build()) {
            List<CompletableFuture<FetchResult>> all = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                all.add(store.fetch(i % 2 == 0 ? "k" : "none", slice(i, 10), Optional.empty(), StoreListener.NONE));
            }
            for (int i = 0; i < 50; i++) {
                assertEquals(i % 2 == 0, all.get(i).get() instanceof FetchResult.Found);
            }
        }
        server.holdBodies();
        try (HttpStore store =
                HttpStore.builder(server.uri()).deadline(Duration.ofMillis(300)).build()) {
            assertLate(store, "k");
        }
    }

    @Test
    void dependentsThatBlock_stopNeitherTheClockNorOthers() throws Exception {
        server.holdBodies();
        List<CompletableFuture<String>> blocked = new ArrayList<>();
        try (HttpStore store =
                HttpStore.builder(server.uri()).deadline(Duration.ofMillis(300)).build()) {
            for (int i = 0; i < 8; i++) {
                CountDownLatch begun = new CountDownLatch(1);
                blocked.add(store.fetch("k", slice(0, 1000), Optional.empty(), StoreListener.NONE)
                        .handle((v, thrown) -> {
                            begun.countDown();
                            try {
                                full.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            return "";
                        }));
                begun.await();
            }
            assertLate(store, "k");
        }
        assertTrue(blocked.stream().noneMatch(CompletableFuture::isDone));
    }

    @Test
    void supplierThatBlocks_isCutOffByTheDeadline() throws IOException {
        try (HttpStore store = HttpStore.builder(server.uri())
                .maxConcurrentRequests(1)
                .deadline(Duration.ofMillis(300))
                .bearerToken(() -> {
                    try {
                        full.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return "";
                })
                .build()) {
            assertLate(store, "k");
            assertLate(store, "k");
        }
        assertEquals(0, server.log().size());
    }
}
