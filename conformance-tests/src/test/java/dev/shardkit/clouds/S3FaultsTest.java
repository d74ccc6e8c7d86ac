package dev.shardkit.clouds;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.clouds.FaultProxy.Fault;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.http.RetryPolicy;
import dev.shardkit.store.s3.S3Keys;
import dev.shardkit.store.s3.S3Store;
import dev.shardkit.testkit.VersityServer;
import java.net.URI;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A broken network before a real S3 server: right values or a declared error, and nothing leaks. */
@Timeout(240)
class S3FaultsTest {
    private static final int SIDE = 32;
    private static final int ROUNDS = Integer.getInteger("shardkit.s3.rounds", 4);

    private final URI location = URI.create(
            "s3://" + VersityServer.BUCKET + "/" + VersityServer.fresh().replace(" ", "%20"));

    /** A leaked permit of two would stop the store soon. */
    private S3Store store(URI endpoint) {
        return S3Store.builder(location)
                .endpoint(endpoint)
                .region("us-east-1")
                .credentials(S3Keys.of(VersityServer.ACCESS_KEY, VersityServer.SECRET_KEY))
                .maxConcurrentRequests(2)
                .retries(new RetryPolicy(8, Duration.ofMillis(1), Duration.ofMillis(4)))
                .build();
    }

    private static void create(S3Store store) {
        ArraySpec spec = ArraySpec.of("uint16", SIDE, SIDE).withChunkShape(8, 8).withShardShape(16, 16);
        Zarr.createArray(store, "", spec, Zarr.Existing.REFUSE, ZarrOptions.defaults())
                .close();
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void everyThirdExchange_fails_andValuesAreRight(Fault fault) throws Exception {
        AtomicInteger count = new AtomicInteger();
        try (FaultProxy proxy = new FaultProxy(
                        VersityServer.server(), asked -> count.incrementAndGet() % 3 == 0 ? fault : Fault.NONE);
                S3Store faulty = store(proxy.uri());
                S3Store direct = store(VersityServer.server())) {
            create(direct);
            Random random = new Random(fault.ordinal());
            short[] model = new short[SIDE * SIDE];
            int declared = 0;
            for (int round = 0; round < ROUNDS; round++) {
                int row = random.nextInt(SIDE);
                short[] values = new short[SIDE];
                for (int i = 0; i < SIDE; i++) {
                    values[i] = (short) (1 + random.nextInt(1000));
                }
                try (ZarrArray array = Zarr.openArray(faulty, "", ZarrOptions.defaults())) {
                    array.write(Box.of(new long[] {row, 0}, new long[] {1, SIDE}), values, 0);
                    System.arraycopy(values, 0, model, row * SIDE, SIDE);
                    assertArrayEquals(model, array.read().shorts(), "round " + round);
                } catch (ZarrException e) {
                    declared++;
                    model = elements(direct);
                }
            }
            assertArrayEquals(model, elements(direct));
            assertTrue(declared < ROUNDS, "no round passed");
            assertTrue(proxy.exchanges() > ROUNDS, "the proxy was not asked");
        }
    }

    private static short[] elements(S3Store store) {
        try (ZarrArray array = Zarr.openArray(store, "", ZarrOptions.defaults())) {
            return array.read().shorts().clone();
        }
    }

    /** The put is made, its answer is lost, and the retry gets 412: the write id tells that it was ours. */
    @Test
    void lostAnswerOfAPut_isRecognized() throws Exception {
        AtomicInteger puts = new AtomicInteger();
        try (FaultProxy proxy = new FaultProxy(
                        VersityServer.server(),
                        asked -> asked.method().equals("PUT")
                                        && asked.target().contains("/c/")
                                        && puts.incrementAndGet() % 2 == 1
                                ? Fault.LOST_ANSWER
                                : Fault.NONE);
                S3Store faulty = store(proxy.uri());
                S3Store direct = store(VersityServer.server())) {
            create(direct);
            short[] model = new short[SIDE * SIDE];
            try (ZarrArray array = Zarr.openArray(faulty, "", ZarrOptions.defaults())) {
                for (int i = 0; i < 6; i++) {
                    model[i] = (short) (i + 1);
                    array.write(Box.of(new long[] {0, i}, new long[] {1, 1}), new short[] {(short) (i + 1)}, 0);
                }
            }
            assertArrayEquals(model, elements(direct));
            // one lost answer and one refused retry for each write: none was planned and sent a third time
            assertEquals(12, puts.get());
        }
    }
}
