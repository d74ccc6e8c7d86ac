package dev.shardkit.store.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreFactory;
import dev.shardkit.store.StoreListener;
import dev.shardkit.testkit.server.RangeServer;
import dev.shardkit.testkit.server.RangeServer.Quirk;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpStoreTest extends HttpFixture {
    @Test
    void fetch_eachKind_isOneRequestAndNoHead() throws Exception {
        HttpStore store = store();
        assertArrayEquals(
                Arrays.copyOfRange(value, 10, 30),
                found(store, slice(10, 20)).bytes().toArray());
        assertArrayEquals(
                Arrays.copyOfRange(value, 999_980, 1_000_000),
                found(store, suffix(20)).bytes().toArray());
        assertArrayEquals(value, found(store, ByteRange.whole()).bytes().toArray());
        assertEquals(List.of("206 bytes=10-29", "206 bytes=-20", "200 -"), asked());
        assertTrue(server.log().stream().allMatch(hit -> hit.method().equals("GET")));
    }

    @Test
    void fetch_bytes_areInOnePiece() throws Exception {
        HttpStore store = store();
        assertEquals(1, found(store, slice(10, 500_000)).bytes().pieces().size());
        assertEquals(1, found(store, ByteRange.whole()).bytes().pieces().size());
    }

    @Test
    void fetch_headers_areOursAndTheCallers() throws Exception {
        HttpStore store = HttpStore.builder(server.uri())
                .headers(() -> Map.of("X-One", "1", "user-agent", "mine"))
                .bearerToken(() -> "token-1")
                .build();
        found(store(), slice(0, 1));
        found(store, slice(0, 1));
        Map<String, String> plain = server.log().get(0).headers();
        assertEquals("identity", plain.get("accept-encoding"));
        assertTrue(plain.get("user-agent").matches("shardkit/[0-9].*"), plain.get("user-agent"));
        assertFalse(plain.containsKey("authorization"));
        assertFalse(plain.containsKey("upgrade"));
        Map<String, String> own = server.log().get(1).headers();
        assertEquals("Bearer token-1", own.get("authorization"));
        assertEquals("1", own.get("x-one"));
        assertEquals("mine", own.get("user-agent"));
    }

    @Test
    void fetch_token_isAskedForEachTime() throws Exception {
        List<String> tokens = new ArrayList<>(List.of("one", "two", ""));
        HttpStore store = HttpStore.builder(server.uri())
                .bearerToken(() -> tokens.remove(0))
                .build();
        for (int i = 0; i < 3; i++) {
            found(store, slice(0, 1));
        }
        assertEquals(
                List.of("Bearer one", "Bearer two", "none"),
                server.log().stream()
                        .map(hit -> hit.headers().getOrDefault("authorization", "none"))
                        .toList());
    }

    @Test
    void fetch_base_keepsItsPathQueryAndUser() throws Exception {
        server.put("a b/c/k", value);
        URI base = URI.create("http://us%3Aer:pass@127.0.0.1:" + server.uri().getPort() + "/a%20b/?sig=x%2Fy+z&empty=");
        try (HttpStore store = HttpStore.at(base)) {
            fetch(store, "c/k", slice(0, 1), Optional.empty());
        }
        RangeServer.Hit hit = server.log().get(0);
        assertEquals("a b/c/k", hit.key());
        assertEquals("sig=x%2Fy+z&empty=", hit.query());
        assertEquals("Basic dXM6ZXI6cGFzcw==", hit.headers().get("authorization"));
    }

    @Test
    void fetch_suffixOnServersWithoutIt_isLearntOnce() throws Exception {
        server.quirks(Quirk.SUFFIX_IS_WHOLE);
        HttpStore store = store();
        assertArrayEquals(
                Arrays.copyOfRange(value, 999_980, 1_000_000),
                found(store, suffix(20)).bytes().toArray());
        assertEquals(List.of("200 bytes=-20", "206 bytes=999980-999999"), asked());
        server.clearLog();
        found(store, suffix(20));
        assertEquals(List.of("206 bytes=0-0", "206 bytes=999980-999999"), asked());
        server.quirks(Quirk.SUFFIX_416).clearLog();
        found(store(), suffix(20));
        assertEquals(List.of("416 bytes=-20", "206 bytes=999980-999999"), asked());
        server.quirks(Quirk.SUFFIX_501).clearLog();
        found(store(), suffix(20));
        assertEquals(List.of("501 bytes=-20", "206 bytes=0-0", "206 bytes=999980-999999"), asked());
    }

    @Test
    void fetch_suffixOfASmallObjectSentWhole_isTakenFromIt() throws Exception {
        server.quirks(Quirk.NO_RANGES).put("small", Arrays.copyOf(value, 10_000));
        FetchResult.Found found = (FetchResult.Found) fetch(store(), "small", suffix(100), Optional.empty());
        assertArrayEquals(
                Arrays.copyOfRange(value, 9_900, 10_000), found.bytes().toArray());
        assertEquals(1, server.log().size());
    }

    @Test
    void fetch_serverWithoutRanges_sendsOneWholeObjectForEach() throws Exception {
        server.quirks(Quirk.NO_RANGES);
        HttpStore store = store();
        assertArrayEquals(
                Arrays.copyOfRange(value, 10, 30),
                found(store, slice(10, 20)).bytes().toArray());
        assertArrayEquals(
                Arrays.copyOfRange(value, 999_980, 1_000_000),
                found(store, suffix(20)).bytes().toArray());
        assertArrayEquals(
                Arrays.copyOfRange(value, 999_000, 999_900),
                found(store, slice(999_000, 900)).bytes().toArray());
        assertEquals(3, server.log().size());
        server.quirks();
        found(store, slice(0, 1));
        found(store, suffix(1));
        assertEquals("206 bytes=-1", asked().get(4), "ranges that come back are used again");
    }

    @Test
    void fetch_wholeObjectInPlaceOfARange_isReadNoFurtherThanNeeded() throws Exception {
        server.quirks(Quirk.NO_RANGES).put("big", new byte[50 << 20]);
        FetchResult.Found found = (FetchResult.Found) fetch(store(), "big", slice(1000, 10), Optional.empty());
        assertEquals(50 << 20, found.objectSize());
        server.awaitAborted();
    }

    @Test
    void fetch_beyondThePermits_waitsItsTurn() throws Exception {
        RangeServer.Hold hold = server.holdBodies();
        HttpStore store =
                HttpStore.builder(server.uri()).maxConcurrentRequests(2).build();
        List<CompletableFuture<FetchResult>> all = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            all.add(store.fetch("k", slice(i * 100_000L, 100_000), Optional.empty(), StoreListener.NONE));
        }
        hold.awaitReached();
        all.get(5).cancel(true); // in the queue
        assertTrue(server.log().size() <= 2, server.log().toString());
        hold.release();
        for (CompletableFuture<FetchResult> one : all.subList(0, 5)) {
            assertEquals(100_000, ((FetchResult.Found) one.get()).bytes().size());
        }
        assertEquals(5, server.log().size());
    }

    @Test
    void cancel_inMidBody_closesTheConnection() throws Exception {
        server.quirks(Quirk.ENDLESS);
        HttpStore store = store();
        CompletableFuture<FetchResult> future =
                store.fetch("k", ByteRange.whole(), Optional.empty(), StoreListener.NONE);
        future.cancel(true);
        assertThrows(CancellationException.class, future::get);
        CompletableFuture<FetchResult> second =
                store.fetch("k", ByteRange.whole(), Optional.empty(), StoreListener.NONE);
        while (server.log().isEmpty() && !second.isDone()) {
            Thread.onSpinWait();
        }
        second.cancel(true);
        server.awaitAborted();
    }

    @Test
    void cancel_duringAPause_sendsNothingMore() throws Exception {
        server.failNext(100, 503, Map.of("Retry-After", "50"));
        CompletableFuture<String> retried = new CompletableFuture<>();
        CompletableFuture<FetchResult> future = store().fetch("k", slice(0, 1), Optional.empty(), new StoreListener() {
            @Override
            public void onRetry(String key, int attempt, String reason) {
                retried.complete(key + " " + attempt + " " + reason);
            }
        });
        assertEquals("k 1 HTTP 503", retried.get());
        assertTrue(future.cancel(true));
        assertEquals(1, server.log().size());
    }

    @Test
    void close_endsWhatIsUnderWay() throws Exception {
        RangeServer.Hold hold = server.holdBodies();
        HttpStore store = store();
        CompletableFuture<FetchResult> future =
                store.fetch("k", ByteRange.whole(), Optional.empty(), StoreListener.NONE);
        hold.awaitReached();
        store.close();
        assertInstanceOf(
                StoreException.class,
                assertThrows(ExecutionException.class, future::get).getCause());
        assertThrows(IllegalStateException.class, () -> fetch(store, "k", slice(0, 1), Optional.empty()));
    }

    @Test
    void directory_isServed(@TempDir Path dir) throws Exception {
        Files.createDirectories(dir.resolve("a/c"));
        Files.write(dir.resolve("a/c/0"), value);
        try (RangeServer files = RangeServer.over(dir);
                HttpStore store = HttpStore.at(files.uri())) {
            FetchResult.Found found = (FetchResult.Found) fetch(store, "a/c/0", suffix(1000), Optional.empty());
            assertArrayEquals(
                    Arrays.copyOfRange(value, 999_000, 1_000_000), found.bytes().toArray());
            assertInstanceOf(FetchResult.Absent.class, fetch(store, "a/c", ByteRange.whole(), Optional.empty()));
        }
    }

    @Test
    void factories_openTheirSchemes() throws Exception {
        List<String> schemes = new ArrayList<>();
        for (StoreFactory factory : ServiceLoader.load(StoreFactory.class)) {
            schemes.add(factory.name());
            if (factory.name().startsWith("http")) {
                try (Store store = factory.open(URI.create(factory.name() + "://example.org:81/a.zarr/"))) {
                    assertEquals(factory.name() + "://example.org:81/a.zarr", store.describe());
                }
                for (String uri :
                        List.of("ftp://x/y", factory.name() + ":///x", factory.name() + "://h/x#y", "file:/x")) {
                    assertThrows(IllegalArgumentException.class, () -> factory.open(URI.create(uri)), uri);
                }
            }
        }
        assertTrue(schemes.containsAll(List.of("http", "https", "file", "memory")), schemes.toString());
    }

    @Test
    void builder_nonsense_isRefused() {
        HttpStoreBuilder builder = HttpStore.builder(server.uri());
        assertThrows(IllegalArgumentException.class, () -> builder.deadline(Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> builder.maxConcurrentRequests(0));
        assertThrows(IllegalArgumentException.class, () -> builder.largestObject(0));
        assertThrows(IllegalArgumentException.class, () -> new RetryPolicy(0, Duration.ZERO, Duration.ZERO));
    }
}
