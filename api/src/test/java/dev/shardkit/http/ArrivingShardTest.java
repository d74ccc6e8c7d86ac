package dev.shardkit.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.http.HttpStore;
import dev.shardkit.store.http.RetryPolicy;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.testing.Values;
import dev.shardkit.testkit.server.FaultServer;
import dev.shardkit.testkit.server.FaultServer.Fault;
import dev.shardkit.testkit.server.RangeServer;
import dev.shardkit.testkit.server.RangeServer.Hit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A large shard that is wanted whole is decoded while it arrives. */
@Timeout(300)
class ArrivingShardTest {
    /** A shard of 8 MiB with 64 inner chunks. */
    private static ArraySpec spec(IndexLocation location) {
        return ArraySpec.of("uint16", 2048, 2048)
                .withChunkShape(256, 256)
                .withShardShape(2048, 2048)
                .withIndexLocation(location);
    }

    @ParameterizedTest
    @EnumSource(IndexLocation.class)
    void shard_andAnIndexAtItsEnd_areRequestedAtOnce(IndexLocation location) {
        try (Served served = Served.noise(spec(location))) {
            ZarrArray array = served.open(ZarrOptions.defaults());
            served.server().clearLog();
            assertArrayEquals(Values.noise(served.written(), 1), array.read().shorts());
            List<Optional<String>> ranges = served.server().log().stream()
                    .map(Hit::range)
                    .sorted(ArrivingShardTest::byText)
                    .toList();
            String index = "bytes=-" + (64 * 16 + 4);
            assertEquals(
                    location == IndexLocation.END
                            ? List.of(Optional.empty(), Optional.of(index))
                            : List.of(Optional.empty()),
                    ranges);
        }
    }

    @Test
    void withoutVersions_theShardIsOneRequest() {
        try (Served served = Served.noise(spec(IndexLocation.END))) {
            served.server().quirks(RangeServer.Quirk.NO_ETAG, RangeServer.Quirk.NO_LAST_MODIFIED);
            ZarrArray array = served.open(ZarrOptions.defaults());
            served.server().clearLog();
            assertArrayEquals(Values.noise(served.written(), 1), array.read().shorts());
            assertEquals(List.of("GET all"), served.asked());
        }
    }

    private static int byText(Optional<String> a, Optional<String> b) {
        return a.orElse("").compareTo(b.orElse(""));
    }

    @Test
    void faults_areRightValuesOrDeclaredErrors_andTheStoreRecovers() throws IOException {
        MemoryStore memory = MemoryStore.create();
        ZarrArray written =
                Zarr.createArray(memory, "a", spec(IndexLocation.END), IfExists.REFUSE, ZarrOptions.defaults());
        short[] values = Values.noise(written, 1);
        written.write(written.domain(), values, 0);
        Map<Fault, String> outcomes = new EnumMap<>(Fault.class);
        try (FaultServer server = FaultServer.start()) {
            publish(memory, server);
            // those that only a deadline ends are in HttpFaultCampaignTest
            for (Fault fault : EnumSet.complementOf(EnumSet.of(Fault.STALL, Fault.DRIP))) {
                outcomes.put(fault, outcome(server, fault, values));
            }
        }
        assertEquals("right", outcomes.get(Fault.NONE));
        assertEquals("right", outcomes.get(Fault.ERROR_ONCE));
    }

    private static String outcome(FaultServer server, Fault fault, short[] values) {
        try (HttpStore store = HttpStore.builder(server.uri())
                .freshFor(Duration.ZERO)
                // a fault may leave two connections that the server closes: one try for each, and one more
                .retries(new RetryPolicy(4, Duration.ofMillis(1), Duration.ofMillis(2)))
                .build()) {
            ZarrArray array = Zarr.openArray(store, "a", ZarrOptions.defaults());
            server.fault(fault);
            String outcome = read(array, fault, values);
            server.fault(Fault.NONE);
            for (int i = 0; i < 2; i++) {
                assertArrayEquals(values, array.read().shorts(), "after " + fault);
            }
            return outcome;
        }
    }

    private static String read(ZarrArray array, Fault fault, short[] values) {
        try {
            short[] found = array.read().shorts();
            boolean gone = fault == Fault.GONE_MIDWAY && Arrays.equals(found, new short[values.length]);
            if (!gone) { // an absent shard is all fill
                assertArrayEquals(values, found, fault.name());
            }
            return "right";
        } catch (ZarrException e) {
            assertFalse(e.getMessage().isBlank());
            return e.getMessage();
        }
    }

    private static void publish(MemoryStore memory, FaultServer server) throws IOException {
        for (String name : List.of("a/zarr.json", "a/c/0/0")) {
            try (ObjectSnapshot object = memory.open(name).orElseThrow()) {
                ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(object.size()));
                object.read(0, bytes);
                server.put(name, bytes.array());
            }
        }
    }
}
