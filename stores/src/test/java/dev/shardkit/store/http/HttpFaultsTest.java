package dev.shardkit.store.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.StoreListener;
import dev.shardkit.testkit.server.RangeServer;
import dev.shardkit.testkit.server.RangeServer.Fault;
import dev.shardkit.testkit.server.RangeServer.Quirk;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HttpFaultsTest extends HttpFixture {
    private StoreException fails(HttpStore store, ByteRange range) {
        StoreException e = assertThrows(StoreException.class, () -> found(store, range), range.toString());
        assertFalse(e instanceof ObjectChangedException, e.getMessage());
        return e;
    }

    @Test
    void status_404And410_areAbsenceAndNothingElseIs() throws Exception {
        for (int status : new int[] {404, 410}) {
            server.failNext(1, status, Map.of());
            assertInstanceOf(FetchResult.Absent.class, fetch(store(), "k", slice(0, 1), Optional.empty()));
        }
        for (int status : new int[] {
            201, 202, 203, 204, 300, 301, 302, 303, 304, 307, 308, 400, 401, 402, 403, 405, 406, 407, 409, 411, 412,
            418, 421, 451, 501, 505, 511
        }) {
            server.clearLog().failNext(1, status, Map.of("WWW-Authenticate", "Basic realm=x"));
            StoreException e = fails(store(), slice(0, 1));
            assertTrue(e.getMessage().contains(Integer.toString(status)), e.getMessage());
            assertEquals(1, server.log().size(), "HTTP " + status + " is final");
        }
    }

    @Test
    void status_passing_isTriedAgainAndThenAnError() throws Exception {
        for (int status : new int[] {408, 429, 500, 502, 503, 504}) {
            List<String> told = new ArrayList<>();
            server.clearLog().failNext(3, status, Map.of());
            FetchResult found = store().fetch("k", slice(5, 6), Optional.empty(), new StoreListener() {
                        @Override
                        public void onRetry(String key, int attempt, String reason) {
                            told.add(key + " " + attempt + " " + reason);
                        }
                    })
                    .get();
            assertEquals(6, ((FetchResult.Found) found).bytes().size());
            assertEquals(4, server.log().size());
            String reason = "HTTP " + status;
            assertEquals(List.of("k 1 " + reason, "k 2 " + reason, "k 3 " + reason), told);
            server.clearLog().failNext(4, status, Map.of());
            StoreException e = fails(store(), slice(5, 6));
            assertTrue(e.getMessage().contains(reason) && e.getMessage().contains("4 failed tries"), e.getMessage());
            assertEquals(4, server.log().size());
        }
    }

    @Test
    void retryAfter_isObeyedWithinTheDeadline() throws Exception {
        server.failNext(1, 503, Map.of("Retry-After", "0"));
        HttpStore slow = HttpStore.builder(server.uri())
                .deadline(Duration.ofSeconds(60))
                .retries(new RetryPolicy(3, Duration.ofSeconds(50), Duration.ofSeconds(50)))
                .build();
        assertEquals(1, found(slow, slice(0, 1)).bytes().size(), "without our own pause of 25 s or more");
        String past = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                ZonedDateTime.now(ZoneOffset.UTC).minusHours(1));
        server.failNext(1, 429, Map.of("Retry-After", past));
        assertEquals(1, found(slow, slice(0, 1)).bytes().size());
        server.clearLog().failNext(1, 503, Map.of("Retry-After", "3600"));
        StoreException e = fails(store(), slice(0, 1));
        assertTrue(e.getMessage().contains("deadline"), e.getMessage());
        assertEquals(1, server.log().size(), "a pause beyond the deadline is not begun");
        server.failNext(1, 503, Map.of("Retry-After", "soon"));
        assertEquals(1, found(store(), slice(0, 1)).bytes().size());
    }

    @Test
    void body_short_isTriedAgainAndThenAnError() throws Exception {
        for (ByteRange range : List.of(slice(10, 1000), suffix(1000), ByteRange.whole())) {
            server.clearLog().failNext(1, Fault.SHORT_BODY);
            FetchResult.Found found = found(store(), range);
            assertEquals(
                    range instanceof ByteRange.Whole ? 1_000_000 : 1000,
                    found.bytes().size());
            assertEquals(2, server.log().size());
            server.failNext(40, Fault.SHORT_BODY);
            fails(store(), range);
            server.clearFaults();
        }
        server.quirks(Quirk.NO_LENGTH).failNext(40, Fault.SHORT_BODY);
        fails(store(), slice(10, 1000));
        server.clearFaults().quirks(Quirk.NO_RANGES).failNext(40, Fault.SHORT_BODY);
        fails(store(), slice(900_000, 1000));
    }

    @Test
    void connection_dropped_isTriedAgainAndThenAnError() throws Exception {
        server.failNext(2, Fault.DROP);
        assertEquals(1, found(store(), slice(0, 1)).bytes().size());
        server.failNext(40, Fault.DROP);
        fails(store(), slice(0, 1));
    }

    @Test
    void connection_refused_isAnError() throws Exception {
        try (Socket nobody = portWithoutServer()) {
            fails(HttpStore.builder(uriOf(nobody)).retries(QUICK).build(), slice(0, 1));
        }
    }

    @Test
    void range_wrong_isAnError() {
        for (Quirk quirk : List.of(
                Quirk.WRONG_CONTENT_RANGE,
                Quirk.NO_CONTENT_RANGE,
                Quirk.UNKNOWN_TOTAL,
                Quirk.OTHER_RANGE,
                Quirk.LONG_BODY)) {
            server.quirks(quirk);
            StoreException e = fails(store(), slice(10, 20));
            assertTrue(e.getMessage().contains("expected"), e.getMessage());
            fails(store(), suffix(20));
            fails(store(), slice(0, 0));
        }
        server.quirks(Quirk.LONG_BODY, Quirk.NO_LENGTH);
        fails(store(), slice(10, 20));
        server.quirks();
        server.failNext(1, 206, Map.of("Content-Range", "bytes 0-9/10"));
        fails(store(), ByteRange.whole());
    }

    @Test
    void encoding_isRefused() {
        server.quirks(Quirk.GZIP);
        for (ByteRange range : List.of(slice(0, 10), suffix(10), ByteRange.whole())) {
            assertTrue(fails(store(), range).getMessage().contains("gzip"));
        }
    }

    @Test
    void deadline_coversTheBody() throws Exception {
        RangeServer.Hold hold = server.holdBodies();
        HttpStore store = HttpStore.builder(server.uri())
                .retries(QUICK)
                .deadline(Duration.ofMillis(300))
                .build();
        while (server.log().isEmpty()) { // on a busy machine a call may end before it gets that far
            StoreException e = fails(store, slice(0, 1000));
            assertTrue(e.getMessage().contains("deadline"), e.getMessage());
        }
        hold.awaitReached();
        hold.release();
    }

    @Test
    void requestWithoutAByte_isTriedAgain() throws Exception {
        RangeServer.Hold hold = server.holdBodies();
        List<String> told = new ArrayList<>();
        HttpStore store = HttpStore.builder(server.uri())
                .idleTimeout(Duration.ofMillis(300))
                .retries(new RetryPolicy(1000, Duration.ofMillis(1), Duration.ofMillis(4)))
                .build();
        FetchResult found = store.fetch("k", slice(5, 1000), Optional.empty(), new StoreListener() {
                    @Override
                    public void onRetry(String key, int attempt, String reason) {
                        told.add(reason);
                        hold.release();
                    }
                })
                .get();
        assertEquals(1000, ((FetchResult.Found) found).bytes().size());
        assertEquals("no byte for 0.3 s", told.get(0));
    }

    @Test
    void deadline_coversEndlessBodiesAndThePauses() throws Exception {
        HttpStore store =
                HttpStore.builder(server.uri()).deadline(Duration.ofMillis(500)).build();
        server.quirks(Quirk.ENDLESS, Quirk.NO_RANGES);
        while (server.log().isEmpty()) {
            assertTrue(fails(store, slice(10_000_000_000_000L, 10)).getMessage().contains("deadline"));
        }
        server.awaitAborted();
        server.quirks();
        server.failNext(1000, 503, Map.of());
        HttpStore patient = HttpStore.builder(server.uri())
                .deadline(Duration.ofMillis(500))
                .retries(new RetryPolicy(1000, Duration.ofMillis(60), Duration.ofMillis(60)))
                .build();
        assertTrue(fails(patient, slice(0, 1)).getMessage().contains("deadline"));
    }

    @Test
    void wholeObject_beyondTheLimit_isRefusedWithoutReadingIt() throws Exception {
        HttpStore store = HttpStore.builder(server.uri()).largestObject(999_999).build();
        assertTrue(fails(store, ByteRange.whole()).getMessage().contains("largestObject"));
        assertEquals(10, found(store, slice(999_990, 10)).bytes().size(), "ranges are not concerned");
        server.quirks(Quirk.ENDLESS);
        assertTrue(fails(store, ByteRange.whole()).getMessage().contains("largestObject"));
        server.awaitAborted();
        HttpStore enough = HttpStore.builder(server.quirks().uri())
                .largestObject(1_000_000)
                .build();
        assertEquals(1_000_000, found(enough, ByteRange.whole()).objectSize());
    }

    @Test
    void range_endlessBody_isCutOff() throws Exception {
        server.quirks(Quirk.ENDLESS);
        fails(store(), slice(10, 20));
        server.awaitAborted();
    }

    @Test
    void range_ofAClaimedHugeLength_takesNoMemoryBeforeItArrives() throws Exception {
        // A corrupt index may name any length; the server honestly says how much there is.
        assertThrows(CorruptDataException.class, () -> found(store(), slice(0, 1L << 50)));
        assertThrows(CorruptDataException.class, () -> found(store(), slice(1L << 50, 1L << 50)));
        assertEquals(1_000_000, found(store(), suffix(1L << 60)).bytes().size());
    }

    @Test
    void deletedAfterAPin_isObjectChanged() throws Exception {
        Optional<String> version = found(store(), slice(0, 1)).version();
        server.remove("k");
        assertThrows(ObjectChangedException.class, () -> fetch(store(), "k", slice(0, 1), version));
    }

    @Test
    void changedBetweenSizeAndSuffix_isReadAgain() throws Exception {
        for (Quirk[] quirks : new Quirk[][] {
            {Quirk.SUFFIX_501}, {Quirk.SUFFIX_501, Quirk.WEAK_ETAG}, {Quirk.SUFFIX_501, Quirk.NO_IF_MATCH}
        }) {
            server.quirks(quirks).put("k", value).clearLog();
            HttpStore store = HttpStore.builder(server.uri())
                    .headers(() -> {
                        if (server.log().size() == 2) { // the size is told, the slice comes next
                            server.put("k", bytes(999_000));
                        }
                        return Map.of();
                    })
                    .build();
            FetchResult.Found last = found(store, suffix(20));
            assertEquals(999_000, last.objectSize(), "of one version alone");
            assertEquals(
                    ByteBuffer.wrap(bytes(999_000), 999_000 - 20, 20),
                    last.bytes().buffer());
        }
    }

    @Test
    void suppliers_thatFail_failTheCall() throws IOException {
        HttpStore store = HttpStore.builder(server.uri())
                .bearerToken(() -> {
                    throw new IllegalStateException("hush");
                })
                .build();
        StoreException e = fails(store, slice(0, 1));
        assertFalse(e.toString().contains("hush"));
        HttpStore illegal = HttpStore.builder(server.uri())
                .headers(() -> Map.of("Host", "hush", "X", "a\nb"))
                .build();
        assertFalse(fails(illegal, slice(0, 1)).toString().contains("hush"));
        assertEquals(0, server.log().size());
    }
}
