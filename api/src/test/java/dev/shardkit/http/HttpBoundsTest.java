package dev.shardkit.http;

import static dev.shardkit.testing.Values.at;
import static dev.shardkit.testing.Values.box;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.http.HttpStore;
import dev.shardkit.store.policy.ShardReadPolicy;
import dev.shardkit.testing.Values;
import dev.shardkit.testkit.server.FaultServer;
import dev.shardkit.testkit.server.FaultServer.Fault;
import dev.shardkit.testkit.server.RangeServer.Quirk;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How much of what a server sends is taken: no more than what was asked for can have. */
@Timeout(120)
class HttpBoundsTest {
    private static final int MUCH = 8 << 20;

    private static ArraySpec spec() {
        return ArraySpec.of("uint16", 64, 64)
                .withChunkShape(8, 8)
                .withShardShape(32, 32)
                .withIndexLocation(IndexLocation.START);
    }

    @ParameterizedTest
    @EnumSource(ShardReadPolicy.class)
    void shard_ofMoreBytesThanItsCodecsEncode_isReadByParts(ShardReadPolicy policy) {
        try (Served served = Served.noise(spec())) {
            served.lengthen("c/1/0", MUCH);
            AtomicLong came = new AtomicLong();
            ZarrArray array =
                    served.open(ZarrOptions.defaults().withReadPolicy(policy).withListener(new StoreListener() {
                        @Override
                        public void onResponse(String key, ByteRange range, long bytes, Duration took) {
                            came.addAndGet(bytes);
                        }
                    }));
            assertArrayEquals(Values.noise(served.written(), 1), array.read().shorts());
            assertArrayEquals(Values.noise(served.written(), 1), array.read().shorts(), "what was kept of it");
            assertTrue(came.get() < MUCH / 4, came + " bytes came");
        }
    }

    @Test
    void metadata_thatNeverEnds_isRefusedAtItsLimit() {
        try (Served served = Served.noise(spec())) {
            served.server().quirks(Quirk.ENDLESS);
            HttpStore store = served.store(b -> b.largestObject(256L << 20));
            CorruptDataException e = assertThrows(
                    CorruptDataException.class, () -> Zarr.openArray(store, Served.PATH, ZarrOptions.defaults()));
            assertTrue(e.getMessage().contains("at most 16777216 bytes"), e.getMessage());
        }
    }

    @ParameterizedTest
    @EnumSource(IndexLocation.class)
    void index_ofAnEndlessBodyInsteadOfARange_isRefusedNearTheSizeOfAShard(IndexLocation location) {
        try (Served served = Served.noise(spec().withIndexLocation(location))) {
            AtomicLong told = new AtomicLong();
            AtomicLong received = new AtomicLong();
            ZarrArray array = served.open(
                    ZarrOptions.defaults()
                            .withReadPolicy(ShardReadPolicy.RANGES)
                            .withListener(new StoreListener() {
                                @Override
                                public void onResponse(String key, ByteRange range, long bytes, Duration took) {
                                    told.addAndGet(bytes);
                                }
                            }),
                    b -> b.metrics(one -> received.addAndGet(one.received())));
            told.set(0);
            received.set(0);
            served.server().quirks(Quirk.NO_RANGES, Quirk.NO_ACCEPT_RANGES, Quirk.ENDLESS);
            StoreException e = assertThrows(StoreException.class, () -> array.read(box(at(0, 0), 8, 8)));
            assertTrue(e.getMessage().contains("ignores the range"), e.getMessage());
            assertTrue(received.get() < MUCH, received + " bytes came");
            assertEquals(received.get(), told.get(), "what came is told");
        }
    }

    @Test
    void server_thatAnswers416ToEveryRange_isNamed() {
        try (Served served = Served.noise(spec().withIndexLocation(IndexLocation.END));
                FaultServer server = FaultServer.start();
                HttpStore store = HttpStore.at(server.uri())) {
            served.copyTo(server);
            ZarrArray array = Zarr.openArray(store, Served.PATH, ZarrOptions.defaults());
            server.fault(Fault.UNSATISFIABLE);
            StoreException e = assertThrows(StoreException.class, () -> array.read(box(at(0, 0), 8, 8)));
            assertTrue(e.getMessage().contains("416") && e.getMessage().contains("refuses a range"), e.getMessage());
        }
    }
}
