package dev.shardkit.store.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.FetchRequest;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.StoreListener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The beginning of a range is passed on while the rest is under way, and a body that breaks is continued. */
@Timeout(120)
class ArrivalsTest {
    private static final int OFFSET = 1000;
    private static final int LENGTH = 2_000_000;
    private static final int HALF = 1_000_000;
    private static final ByteRange RANGE = new ByteRange.Slice(OFFSET, LENGTH);

    private byte[] object = HttpFixture.bytes(3_000_000);
    private String tag = "\"one\"";
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<String> ranges = new CopyOnWriteArrayList<>();
    private final List<FetchResult.Found> beginnings = new CopyOnWriteArrayList<>();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch aborted = new CountDownLatch(1);
    /** What happens to the first answer after its first half has arrived. */
    private Midway midway = Midway.GOES_ON;

    private HttpServer server;

    private enum Midway {
        GOES_ON,
        BREAKS,
        BREAKS_AND_CHANGES,
        NEVER_ENDS
    }

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 8);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String range = exchange.getRequestHeaders().getFirst("Range");
        String match = exchange.getRequestHeaders().getFirst("If-Match");
        ranges.add(range + (match == null ? "" : " " + match));
        if (match != null && !match.equals(tag)) {
            exchange.sendResponseHeaders(412, -1);
            exchange.close();
            return;
        }
        String[] ends = range.substring("bytes=".length()).split("-");
        int from = Integer.parseInt(ends[0]);
        int to = Integer.parseInt(ends[1]) + 1;
        if (!tag.isEmpty()) {
            exchange.getResponseHeaders().add("ETag", tag);
        }
        exchange.getResponseHeaders().add("Content-Range", "bytes " + from + "-" + (to - 1) + "/" + object.length);
        exchange.sendResponseHeaders(206, to - from);
        if (ranges.size() == 1) {
            exchange.getResponseBody().write(object, from, HALF);
            exchange.getResponseBody().flush();
            await(begun);
            if (midway == Midway.NEVER_ENDS) {
                drip(exchange);
            } else if (midway != Midway.GOES_ON) {
                if (midway == Midway.BREAKS_AND_CHANGES) {
                    object = HttpFixture.bytes(3_000_001);
                    tag = "\"two\"";
                }
                exchange.close(); // the body is short
                return;
            }
            from += HALF;
        }
        exchange.getResponseBody().write(object, from, to - from);
        exchange.close();
    }

    /** Sends bytes until the connection is closed. */
    private void drip(HttpExchange exchange) {
        try {
            for (int i = 0; i < HALF - 1; i++) {
                exchange.getResponseBody().write(0);
                exchange.getResponseBody().flush();
                Thread.onSpinWait();
            }
        } catch (IOException e) {
            aborted.countDown();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(60, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private HttpStore store() {
        return HttpStore.builder(
                        URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
                .retries(HttpFixture.QUICK)
                .build();
    }

    private CompletableFuture<FetchResult> fetch(HttpStore store, Optional<String> pin) {
        return store.fetch(FetchRequest.of("k", RANGE, pin, StoreListener.NONE).withProgress(beginning -> {
            beginnings.add(beginning);
            begun.countDown();
        }));
    }

    private void check(FetchResult fetched) {
        FetchResult.Found found = (FetchResult.Found) fetched;
        byte[] wanted = Arrays.copyOfRange(object, OFFSET, OFFSET + LENGTH);
        assertArrayEquals(wanted, found.bytes().toArray());
        List<FetchResult.Found> all = List.copyOf(beginnings);
        assertFalse(all.isEmpty());
        for (FetchResult.Found beginning : all) {
            // A beginning is passed on beside the answer: that of the last version may come after the call has ended.
            if (beginning.version().equals(found.version())) {
                assertEquals(object.length, beginning.objectSize());
                assertArrayEquals(
                        Arrays.copyOf(wanted, (int) beginning.bytes().size()),
                        beginning.bytes().toArray());
            }
        }
    }

    @Test
    void beginning_comes_beforeTheServerSendsTheRest() throws Exception {
        try (HttpStore store = store()) {
            check(fetch(store, Optional.empty()).get());
            long least = beginnings.get(0).bytes().size();
            assertTrue(least > 0 && least <= HALF, "while half was sent: " + least);
        }
    }

    @Test
    void brokenBody_isContinuedWhereItBroke() throws Exception {
        midway = Midway.BREAKS;
        try (HttpStore store = store()) {
            check(fetch(store, Optional.empty()).get());
            assertEquals(2, ranges.size());
            assertEquals("bytes=1000-2000999", ranges.get(0));
            assertTrue(ranges.get(1).matches("bytes=\\d+-2000999 \"one\""), ranges.get(1));
            int from =
                    Integer.parseInt(ranges.get(1).substring("bytes=".length()).split("-")[0]);
            long came = beginnings.get(0).bytes().size();
            assertTrue(from >= OFFSET + came && from <= OFFSET + HALF, ranges + " after " + came);
        }
    }

    @Test
    void brokenBody_withoutVersion_isAskedForAgain() throws Exception {
        midway = Midway.BREAKS;
        tag = "";
        try (HttpStore store = store()) {
            check(fetch(store, Optional.empty()).get());
            assertEquals(List.of("bytes=1000-2000999", "bytes=1000-2000999"), ranges);
        }
    }

    @Test
    void objectThatChangesMidway_isReadFromTheStart_unlessItIsPinned() throws Exception {
        midway = Midway.BREAKS_AND_CHANGES;
        try (HttpStore store = store()) {
            check(fetch(store, Optional.empty()).get());
            assertEquals(3, ranges.size(), ranges.toString());
            assertEquals("bytes=1000-2000999", ranges.get(2));
        }
    }

    @Test
    void pinnedObjectThatChangesMidway_isAnError() throws Exception {
        midway = Midway.BREAKS_AND_CHANGES;
        try (HttpStore store = store()) {
            ExecutionException e = assertThrows(ExecutionException.class, () -> fetch(store, Optional.of("s:\"one\""))
                    .get());
            assertInstanceOf(ObjectChangedException.class, e.getCause());
        }
    }

    @Test
    void cancelledMidway_closesTheConnection() throws Exception {
        midway = Midway.NEVER_ENDS;
        try (HttpStore store = store()) {
            CompletableFuture<FetchResult> future = fetch(store, Optional.empty());
            await(begun);
            future.cancel(true);
            await(aborted);
        }
    }
}
