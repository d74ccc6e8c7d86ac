package dev.shardkit.store.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.RequestMetrics;
import dev.shardkit.store.StoreListener;
import dev.shardkit.testkit.server.RangeServer;
import dev.shardkit.testkit.server.RangeServer.Quirk;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The figures of requests that a store gives to its caller. */
class HttpMetricsTest extends HttpFixture {
    private final ConcurrentLinkedQueue<RequestMetrics> seen = new ConcurrentLinkedQueue<>();

    private HttpStore measured(URI uri) {
        return HttpStore.builder(uri).retries(QUICK).metrics(seen::add).build();
    }

    @Test
    void eachRequest_isReportedOnce_retriesToo() throws Exception {
        URI secret = URI.create(server.uri().toString().replace("http://", "http://us3r:passw0rd@"));
        try (HttpStore store = measured(secret)) {
            server.failNext(1, 503, Map.of());
            found(store, slice(5, 60));
        }
        List<RequestMetrics> all = List.copyOf(seen);
        assertEquals(
                List.of(OptionalInt.of(503), OptionalInt.of(206)),
                all.stream().map(RequestMetrics::status).toList());
        RequestMetrics last = all.get(1);
        assertEquals(60, last.received());
        assertEquals(server.uri().getAuthority(), last.host());
        assertTrue(last.operation().startsWith("GET k (bytes 5 to 65) from "), last.operation());
        assertFalse(last.operation().contains("passw0rd"), last.operation());
        assertFalse(last.latency().orElseThrow().isNegative(), last.toString());
        assertTrue(last.duration().compareTo(last.latency().orElseThrow()) >= 0, last.toString());
    }

    @Test
    void requestsWithoutAnswer_haveNoStatus() throws Exception {
        try (Socket nobody = portWithoutServer();
                HttpStore store = measured(uriOf(nobody))) {
            assertThrows(StoreException.class, () -> found(store, slice(0, 1)));
        }
        assertEquals(QUICK.maxAttempts(), seen.size());
        for (RequestMetrics one : seen) {
            assertTrue(one.status().isEmpty() && one.latency().isEmpty(), one.toString());
            assertEquals(0, one.received());
        }
    }

    @Test
    void bytesOfBrokenBodies_count() throws Exception {
        try (HttpStore store = measured(server.uri())) {
            server.failNext(1, RangeServer.Fault.SHORT_BODY);
            found(store, slice(0, 1000));
        }
        List<RequestMetrics> all = List.copyOf(seen);
        assertEquals(2, all.size());
        assertTrue(all.get(0).received() < 1000, all.toString());
        assertEquals(1000, all.get(0).received() + all.get(1).received(), "the second request asks for the rest");
    }

    @Test
    void bytesOfRefusedAnswers_areToldToListeners() {
        List<Runnable> faults = List.of(
                () -> server.quirks(Quirk.WRONG_CONTENT_RANGE),
                () -> server.quirks(Quirk.OTHER_RANGE),
                () -> server.quirks(Quirk.LONG_BODY, Quirk.NO_LENGTH),
                () -> server.quirks(Quirk.NO_RANGES, Quirk.ENDLESS),
                () -> server.failNext(QUICK.maxAttempts(), RangeServer.Fault.SHORT_BODY));
        for (Runnable fault : faults) {
            server.clearFaults();
            seen.clear();
            fault.run();
            AtomicLong told = new AtomicLong();
            try (HttpStore store = HttpStore.builder(server.uri())
                    .retries(QUICK)
                    .metrics(seen::add)
                    .largestObject(2_000_000)
                    .build()) {
                var answer = store.fetch("k", slice(10, 1000), Optional.empty(), new StoreListener() {
                    @Override
                    public void onResponse(String key, ByteRange range, long bytes, Duration took) {
                        assertEquals("k", key);
                        assertEquals(slice(10, 1000), range);
                        told.addAndGet(bytes);
                    }
                });
                assertThrows(ExecutionException.class, answer::get);
            }
            long received = seen.stream().mapToLong(RequestMetrics::received).sum();
            assertTrue(received > 0 && received < 8_000_000, seen.toString());
            assertEquals(received, told.get(), seen.toString());
        }
    }

    @Test
    void receiverThatThrows_changesNothing() throws Exception {
        try (HttpStore store = HttpStore.builder(server.uri())
                .metrics(m -> {
                    throw new IllegalStateException("mine");
                })
                .build()) {
            assertEquals(5, found(store, slice(0, 5)).bytes().size());
        }
    }

    @Test
    void errorOfAReceiver_endsTheRead() {
        try (HttpStore store = HttpStore.builder(server.uri())
                .metrics(m -> {
                    throw new AssertionError("mine");
                })
                .build()) {
            StoreException e = assertThrows(StoreException.class, () -> found(store, slice(0, 5)));
            assertTrue(e.getMessage().contains("mine"), e.getMessage());
        }
    }
}
