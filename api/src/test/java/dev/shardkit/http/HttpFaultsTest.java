package dev.shardkit.http;

import static dev.shardkit.testing.Values.at;
import static dev.shardkit.testing.Values.box;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.http.HttpStore;
import dev.shardkit.store.http.HttpStoreBuilder;
import dev.shardkit.store.http.RetryPolicy;
import dev.shardkit.store.policy.ShardReadPolicy;
import dev.shardkit.testing.Log;
import dev.shardkit.testing.Values;
import dev.shardkit.testkit.server.RangeServer;
import dev.shardkit.testkit.server.RangeServer.Fault;
import dev.shardkit.testkit.server.RangeServer.Quirk;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays on servers that do less than they should, or something else. */
@Timeout(120)
class HttpFaultsTest {
    private static final Box REGION = box(at(10, 20), 40, 40);

    private static ArraySpec spec(IndexLocation location) {
        return ArraySpec.of("uint16", 64, 64)
                .withChunkShape(8, 8)
                .withShardShape(32, 32)
                .withIndexLocation(location)
                .withFillValue(9);
    }

    private static HttpStoreBuilder impatient(HttpStoreBuilder builder) {
        return builder.retries(RetryPolicy.none());
    }

    private static void assertReads(Served served, ZarrArray array) {
        short[] values = Values.noise(served.written(), 1);
        assertArrayEquals(Values.cut(array, values, REGION), array.read(REGION).shorts());
        assertArrayEquals(values, array.read().shorts());
    }

    @ParameterizedTest
    @EnumSource(
            value = Quirk.class,
            names = {
                "NO_RANGES",
                "SUFFIX_IS_WHOLE",
                "SUFFIX_416",
                "SUFFIX_416_BARE",
                "SUFFIX_400",
                "SUFFIX_501",
                "NO_LENGTH",
                "WEAK_ETAG",
                "NO_ETAG",
                "NO_LAST_MODIFIED",
                "NO_IF_MATCH"
            })
    void server_thatDoesLess_stillWorks(Quirk quirk) {
        for (IndexLocation location : IndexLocation.values()) {
            for (ShardReadPolicy policy : ShardReadPolicy.values()) {
                try (Served served = Served.noise(spec(location))) {
                    served.server().quirks(quirk);
                    assertReads(
                            served,
                            served.open(ZarrOptions.defaults().withReadPolicy(policy), HttpFaultsTest::impatient));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Quirk.class,
            names = {"WRONG_CONTENT_RANGE", "NO_CONTENT_RANGE", "OTHER_RANGE", "LONG_BODY", "GZIP"})
    void server_whoseAnswersAreWrong_isAnError(Quirk quirk) {
        for (IndexLocation location : IndexLocation.values()) {
            try (Served served = Served.noise(spec(location))) {
                ZarrArray array = served.open(ZarrOptions.defaults(), HttpFaultsTest::impatient);
                served.server().quirks(quirk);
                assertStoreException(array, REGION);
                served.server().clearFaults();
                assertReads(served, array);
            }
        }
    }

    private static void assertStoreException(ZarrArray array, Box region) {
        StoreException e = assertThrows(StoreException.class, () -> array.read(region));
        assertTrue(e.getMessage().contains(Served.PATH), e.getMessage());
        assertTrue(e.getMessage().contains("c/"), e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 304, 400, 401, 403, 405, 409, 429, 451, 500, 501, 502, 503, 504})
    void refusalOrFailure_isAnError_neverFill(int status) {
        // 400 and 501 to a suffix range may mean that there are none; nothing else does
        refuse(status, status == 400 || status == 501 ? IndexLocation.START : IndexLocation.END);
        refuse(status, IndexLocation.START);
    }

    private static void refuse(int status, IndexLocation location) {
        try (Served served = Served.noise(spec(location))) {
            ZarrArray array = served.open(ZarrOptions.defaults(), HttpFaultsTest::impatient);
            served.server().failNext(1, status, Map.of());
            assertStoreException(array, box(at(0, 0), 8, 8));
            array.read(box(at(0, 0), 8, 8)); // the index is kept now
            served.server().failNext(1, status, Map.of());
            assertStoreException(array, box(at(8, 8), 8, 8));
            served.server().failNext(1, status, Map.of());
            assertThrows(
                    StoreException.class,
                    () -> Zarr.openArray(served.store(HttpFaultsTest::impatient), Served.PATH, ZarrOptions.defaults()));
            served.server().failNext(1, status, Map.of());
            assertThrows(
                    StoreException.class,
                    () -> Zarr.find(served.store(HttpFaultsTest::impatient), Served.PATH, ZarrOptions.defaults()));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {404, 410})
    void absence_isFill(int status) {
        try (Served served = Served.noise(spec(IndexLocation.END))) {
            ZarrArray array = served.open(ZarrOptions.defaults(), HttpFaultsTest::impatient);
            served.server().failNext(1, status, Map.of());
            short[] fill = new short[64];
            Arrays.fill(fill, (short) 9);
            assertArrayEquals(fill, array.read(box(at(0, 0), 8, 8)).shorts());
            served.server().failNext(1, status, Map.of());
            assertTrue(Zarr.find(served.store(b -> b), Served.PATH, ZarrOptions.defaults())
                    .isEmpty());
        }
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void brokenConnections_areTriedAgain_andAnErrorInTheEnd(Fault fault) {
        try (Served served = Served.noise(spec(IndexLocation.END))) {
            Log log = new Log();
            RetryPolicy quick = new RetryPolicy(3, Duration.ofMillis(1), Duration.ofMillis(2));
            ZarrArray array = served.open(ZarrOptions.defaults().withListener(log), b -> b.retries(quick));
            served.server().failNext(2, fault);
            assertArrayEquals(
                    Values.cut(array, Values.noise(served.written(), 1), REGION),
                    array.read(REGION).shorts());
            assertTrue(!log.of("retry").isEmpty(), "no retry was told");
            served.server().failNext(30, fault);
            assertStoreException(array, REGION);
            served.server().clearFaults();
            assertReads(served, array);
        }
    }

    @Test
    void retryAfter_isFollowed() {
        try (Served served = Served.noise(spec(IndexLocation.END))) {
            Log log = new Log();
            RetryPolicy never = new RetryPolicy(3, Duration.ofHours(1), Duration.ofHours(1));
            ZarrArray array = served.open(ZarrOptions.defaults().withListener(log), b -> b.retries(never));
            served.server().failNext(2, 503, Map.of("Retry-After", "0"));
            array.read(box(at(0, 0), 8, 8));
            String key = Served.PATH + "/c/0/0";
            assertEquals(List.of("retry " + key + " 1", "retry " + key + " 2"), log.of("retry"));
            served.server().failNext(1, 429, Map.of("Retry-After", "100000"));
            assertStoreException(array, box(at(8, 0), 8, 8)); // beyond the deadline, and said at once
        }
    }

    @Test
    void deadline_includesTheBody() {
        try (Served served = Served.noise(spec(IndexLocation.END))) {
            HttpStore store = served.store(b -> b.deadline(Duration.ofMillis(300)));
            RangeServer.Hold hold = served.server().holdBodies();
            StoreException e = assertThrows(
                    StoreException.class, () -> Zarr.openArray(store, Served.PATH, ZarrOptions.defaults()));
            assertTrue(e.getMessage().contains("deadline"), e.getMessage());
            hold.release();
        }
    }

    @Test
    void endlessBody_isRefusedAtItsFirstByteTooMuch() {
        try (Served served = Served.noise(spec(IndexLocation.END))) {
            ZarrArray array = served.open(ZarrOptions.defaults(), HttpFaultsTest::impatient);
            served.server().quirks(Quirk.ENDLESS);
            assertStoreException(array, REGION);
        }
    }

    @Test
    void writing_isUnsupported() {
        try (Served served = Served.noise(spec(IndexLocation.END))) {
            ZarrArray array = served.open(ZarrOptions.defaults());
            assertThrows(UnsupportedException.class, () -> array.write(REGION, array.read(REGION)));
            assertThrows(UnsupportedException.class, array::delete);
            assertThrows(UnsupportedException.class, () -> array.replaceAttributes(Json.object()));
            assertThrows(
                    UnsupportedException.class,
                    () -> Zarr.createArray(
                            served.store(b -> b),
                            "b",
                            ArraySpec.of("int8", 1),
                            IfExists.REFUSE,
                            ZarrOptions.defaults()));
            assertEquals(
                    0,
                    served.server().log().stream()
                            .filter(h -> !h.method().equals("GET"))
                            .count());
        }
    }
}
