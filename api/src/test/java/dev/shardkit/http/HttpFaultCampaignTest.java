package dev.shardkit.http;

import static dev.shardkit.testing.Values.at;
import static dev.shardkit.testing.Values.box;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.http.HttpStore;
import dev.shardkit.store.http.RetryPolicy;
import dev.shardkit.testing.Values;
import dev.shardkit.testkit.internal.Rounds;
import dev.shardkit.testkit.server.FaultServer;
import dev.shardkit.testkit.server.FaultServer.Fault;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every fault of a server or network with every shape of a read: the values are right, or the call fails with a
 * declared error; and nothing is left behind: the same store reads rightly afterwards, with as few permits as may hide
 * no leak, and once it is closed its connections and threads end.
 */
@Timeout(600)
@Tag("one-jdk")
class HttpFaultCampaignTest {
    private static final boolean ALL = Rounds.areMany();
    private static final String RIGHT = "right values";
    private static final String GONE = "fill for what is gone";

    /** How many calls may miss a short deadline one after the other. */
    private static final int MAX_MISSED = 60;

    private enum Shape {
        OPEN(box(at(0, 0), 64, 64)),
        INNER_CHUNK(box(at(8, 16), 8, 8)),
        REGION(box(at(10, 20), 40, 40)),
        WHOLE_SHARD(box(at(32, 0), 32, 32));

        private final Box region;

        Shape(Box region) {
            this.region = region;
        }
    }

    private final FaultScene scene = new FaultScene();
    private final ZarrArray written = scene.written;
    private final short[] values = scene.values;

    private static HttpStore store(URI uri, Fault fault) {
        boolean slow = slow(fault);
        return HttpStore.builder(uri)
                .connectTimeout(FaultScene.CONNECT)
                .maxConcurrentRequests(2)
                .freshFor(Duration.ZERO)
                .retries(new RetryPolicy(2, Duration.ofMillis(1), Duration.ofMillis(2)))
                .deadline(slow ? Duration.ofSeconds(1) : Duration.ofMinutes(2))
                .idleTimeout(slow ? Duration.ofMillis(400) : Duration.ofMinutes(1))
                .build();
    }

    /** Whether a fault ends with a deadline, which is short then. */
    private static boolean slow(Fault fault) {
        return fault == Fault.STALL || fault == Fault.DRIP;
    }

    /** A busy machine may miss a short deadline, so the call is made until it meets it. */
    private static <T> T inTime(boolean shortDeadline, Supplier<T> call) {
        for (int missed = 0; shortDeadline && missed < MAX_MISSED; missed++) {
            try {
                return call.get();
            } catch (StoreException e) {
                // once more
            }
        }
        return call.get();
    }

    private static ZarrArray open(HttpStore store) {
        return Zarr.openArray(store, FaultScene.PATH, ZarrOptions.defaults());
    }

    /** What a read of the array, opened before the fault unless opening is the read, comes to. */
    private String outcome(FaultServer server, URI uri, Fault fault, Shape shape) {
        try (HttpStore store = store(uri, fault)) {
            boolean reachable = uri.equals(server.uri());
            ZarrArray healthy = reachable && shape != Shape.OPEN ? inTime(slow(fault), () -> open(store)) : written;
            server.fault(fault);
            String outcome = reading(() -> {
                if (shape == Shape.OPEN || !reachable) {
                    assertArrayEquals(written.shape(), open(store).shape());
                    return RIGHT;
                }
                return judged(
                        fault,
                        Values.cut(written, values, shape.region),
                        healthy.read(shape.region).shorts());
            });
            server.fault(Fault.NONE);
            if (reachable) {
                ZarrArray after = shape == Shape.OPEN ? inTime(slow(fault), () -> open(store)) : healthy;
                for (int i = 0; i < 3; i++) {
                    NdArray all = inTime(slow(fault), after::read);
                    assertArrayEquals(values, all.shorts(), "the same store, once all is well again");
                }
            }
            return outcome;
        }
    }

    private interface Reading {
        String run();
    }

    private static String reading(Reading reading) {
        try {
            return reading.run();
        } catch (ZarrException e) {
            assertFalse(e.getMessage().isBlank());
            return e.getClass().getSimpleName();
        }
    }

    private static String judged(Fault fault, short[] expected, short[] found) {
        return FaultScene.isRight(expected, found, fault == Fault.GONE_MIDWAY) ? RIGHT : GONE;
    }

    /** All in long runs, otherwise one for each fault. */
    private static List<Shape> shapes(Fault fault) {
        List<Shape> all = List.of(Shape.values());
        return ALL || fault == Fault.NONE ? all : List.of(all.get(fault.ordinal() % all.size()));
    }

    @Test
    void faults_withAllShapesOfReads_areRightOrDeclaredErrors() throws Exception {
        Map<String, Map<Shape, String>> matrix = new LinkedHashMap<>();
        try (FaultServer server = FaultServer.start()) {
            scene.publish(server);
            for (Fault fault : Fault.values()) {
                for (Shape shape : shapes(fault)) {
                    matrix.computeIfAbsent(fault.name(), f -> new EnumMap<>(Shape.class))
                            .put(shape, outcome(server, server.uri(), fault, shape));
                }
            }
            URI tls = URI.create(server.uri().toString().replace("http:", "https:"));
            for (Shape shape : Shape.values()) {
                matrix.computeIfAbsent("TLS_NOT_SPOKEN", f -> new EnumMap<>(Shape.class))
                        .put(shape, outcome(server, tls, Fault.NONE, shape));
            }
            assertTrue(server.awaitNoConnections(120), "connections outlive their stores");
        }
        report(matrix);
        long cells = matrix.values().stream().mapToLong(Map::size).sum() - Shape.values().length;
        assertTrue(cells >= (ALL ? 80 : Fault.values().length), cells + " cells");
        assertEquals(Set.of(RIGHT), new TreeSet<>(matrix.get("NONE").values()));
        scene.assertThreadsEnd();
    }

    /** The table of docs/testing.md. */
    private static void report(Map<String, Map<Shape, String>> matrix) throws IOException {
        StringBuilder table = new StringBuilder(
                "| fault | open | inner chunk | region | whole shard |\n" + "| --- | --- | --- | --- | --- |\n");
        matrix.forEach((fault, outcomes) -> table.append("| ")
                .append(fault)
                .append(" | ")
                .append(String.join(" | ", outcomes.values()))
                .append(" |\n"));
        Files.createDirectories(Path.of("target"));
        Files.writeString(Path.of("target/http-faults.md"), table);
    }
}
