package dev.shardkit.http;

import static dev.shardkit.testing.Values.at;
import static dev.shardkit.testing.Values.box;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.policy.ShardReadPolicy;
import dev.shardkit.testing.Values;
import dev.shardkit.testkit.server.RangeServer;
import dev.shardkit.testkit.server.RangeServer.Hit;
import dev.shardkit.testkit.server.RangeServer.Quirk;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sharded arrays on servers that send whole objects in place of ranges. */
@Timeout(300)
class NoRangesTest {
    /** Of each of the four shards, of half a megabyte, several rows of chunks. */
    private static final Box REGION = box(at(320, 320), 384, 384);

    private enum Habits {
        SAID(Quirk.NO_RANGES),
        SILENT(Quirk.NO_RANGES, Quirk.NO_ACCEPT_RANGES),
        SAID_WITHOUT_LENGTH(Quirk.NO_RANGES, Quirk.NO_LENGTH),
        SILENT_WITHOUT_LENGTH(Quirk.NO_RANGES, Quirk.NO_ACCEPT_RANGES, Quirk.NO_LENGTH),
        WITHOUT_VERSION(Quirk.NO_RANGES, Quirk.NO_ETAG, Quirk.NO_LAST_MODIFIED);

        private final Quirk[] quirks;

        Habits(Quirk... quirks) {
            this.quirks = quirks;
        }
    }

    private static final class Heard implements StoreListener {
        private final AtomicLong requests = new AtomicLong();
        private final AtomicLong bytes = new AtomicLong();
        private final Set<String> withoutRanges = ConcurrentHashMap.newKeySet();

        @Override
        public void onRequest(String key, ByteRange range) {
            requests.addAndGet(key.endsWith("zarr.json") ? 0 : 1);
        }

        @Override
        public void onResponse(String key, ByteRange range, long came, Duration took) {
            bytes.addAndGet(key.endsWith("zarr.json") ? 0 : came);
        }

        @Override
        public void onNoRanges(String key) {
            withoutRanges.add(key);
        }
    }

    private static ArraySpec spec(IndexLocation location) {
        return ArraySpec.of("uint16", 1024, 1024)
                .withChunkShape(64, 64)
                .withShardShape(512, 512)
                .withIndexLocation(location);
    }

    private static long sent(RangeServer server) {
        return server.log().stream().mapToLong(Hit::bytes).sum();
    }

    @ParameterizedTest
    @EnumSource(Habits.class)
    void read_ofSeveralRangesOfEachObject_fetchesEachOnceAndTellsWhatCame(Habits habits) {
        for (IndexLocation location : IndexLocation.values()) {
            for (ShardReadPolicy policy : ShardReadPolicy.values()) {
                try (Served served = Served.noise(spec(location))) {
                    Heard heard = new Heard();
                    ZarrArray array = served.open(
                            ZarrOptions.defaults().withReadPolicy(policy).withListener(heard), b -> b);
                    served.server().quirks(habits.quirks).clearLog();
                    short[] values = Values.noise(served.written(), 1);
                    assertArrayEquals(
                            Values.cut(array, values, REGION),
                            array.read(REGION).shorts());
                    List<Hit> log = served.server().log();
                    assertEquals(4, log.size(), log.toString());
                    assertEquals(4, heard.requests.get());
                    assertEquals(sent(served.server()), heard.bytes.get());
                    // what was asked for whole tells nothing of ranges
                    assertEquals(
                            policy == ShardReadPolicy.RANGES ? 4 : heard.withoutRanges.size(),
                            heard.withoutRanges.size());
                }
            }
        }
    }

    @Test
    void rangesThatComeBack_areUsedAgain() {
        try (Served served = Served.noise(spec(IndexLocation.END))) {
            ZarrArray array = served.open(ZarrOptions.defaults(), b -> b);
            served.server().quirks(Quirk.NO_RANGES, Quirk.NO_ACCEPT_RANGES);
            array.read(REGION);
            served.server().clearFaults().clearLog();
            array.read(REGION);
            array.read(box(at(0, 0), 1, 1));
            assertTrue(sent(served.server()) < 1 << 20, served.server().log().toString());
        }
    }
}
