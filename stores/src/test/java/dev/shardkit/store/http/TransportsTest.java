package dev.shardkit.store.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.store.FetchResult;
import dev.shardkit.store.StoreListener;
import dev.shardkit.testkit.internal.Rounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Stores with the same settings share threads and connections, and leave none of them behind. */
class TransportsTest extends HttpFixture {
    /** So that stores of other tests, which nobody closes, do not count. */
    private static final Duration OWN = Duration.ofMillis(9_876);

    private HttpStoreBuilder builder() {
        return HttpStore.builder(server.uri()).connectTimeout(OWN).retries(QUICK);
    }

    private static Set<Thread> threads() {
        Set<Thread> found = new HashSet<>(Thread.getAllStackTraces().keySet());
        found.removeIf(
                t -> !t.getName().startsWith("shardkit-http-") || t.getName().equals("shardkit-http-timer"));
        return found;
    }

    private static void assertEnd(Set<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join(60_000);
            assertFalse(thread.isAlive(), thread.getName());
        }
    }

    @Test
    void manyStoresAtOnce_haveFewThreads_thatEndWithTheLastOfThem() throws Exception {
        Set<Thread> before = threads();
        List<HttpStore> stores = new ArrayList<>();
        for (int i = 0; i < Rounds.of(60); i++) {
            HttpStore store = builder().build();
            stores.add(store);
            assertEquals(1, found(store, slice(i, 1)).bytes().size());
        }
        Set<Thread> ours = threads();
        ours.removeAll(before);
        long forInputAndOutput = ours.stream()
                .filter(t -> t.getName().startsWith("shardkit-http-io-"))
                .count();
        assertTrue(forInputAndOutput >= 1 && forInputAndOutput <= 2, ours.toString());
        assertTrue(ours.size() < 20, ours.toString());
        stores.subList(1, stores.size()).forEach(HttpStore::close);
        assertEquals(1, found(stores.get(0), slice(7, 1)).bytes().size(), "the others are closed");
        stores.get(0).close();
        stores.get(0).close();
        assertEnd(ours);
    }

    @Test
    void storesOneAfterAnother_leaveNoThread() throws Exception {
        Set<Thread> before = threads();
        for (int i = 0; i < Rounds.of(20); i++) {
            try (HttpStore store = builder().build()) {
                assertEquals(1, found(store, slice(i, 1)).bytes().size());
            }
        }
        Set<Thread> ours = threads();
        ours.removeAll(before);
        assertEnd(ours);
    }

    @Test
    void closing_whileRequestsAreUnderWay_endsTheirThreads() throws Exception {
        Set<Thread> before = threads();
        server.holdBodies();
        List<CompletableFuture<FetchResult>> all = new ArrayList<>();
        Set<Thread> ours;
        try (HttpStore store = builder().maxConcurrentRequests(5).build()) {
            for (int i = 0; i < 20; i++) {
                all.add(store.fetch("k", slice(i, 10), Optional.empty(), StoreListener.NONE));
            }
            ours = threads();
            ours.removeAll(before);
        }
        assertTrue(all.stream().allMatch(CompletableFuture::isCompletedExceptionally));
        assertEnd(ours);
    }
}
