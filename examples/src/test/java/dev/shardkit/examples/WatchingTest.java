package dev.shardkit.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.micrometer.MicrometerListener;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.http.HttpStore;
import dev.shardkit.testkit.server.RangeServer;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of metrics and logs; the marked lines are shown in the documents. */
class WatchingTest {
    @TempDir
    private Path folder;

    private RangeServer server;
    private String url;

    @BeforeEach
    void serve() {
        ArraySpec spec = ArraySpec.of("uint8", 64).withChunkShape(8).withShardShape(32);
        try (ZarrArray array = Zarr.createArray(folder.resolve("image.zarr").toString(), spec)) {
            byte[] ones = new byte[64];
            Arrays.fill(ones, (byte) 1);
            array.write(Box.of(new long[] {0}, new long[] {64}), ones, 0);
        }
        server = RangeServer.over(folder);
        url = server.uri() + "/image.zarr";
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void listener_seesSlowReads() {
        Duration limit = Duration.ZERO;
        PrintStream console = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            // example: listener
            StoreListener slow = new StoreListener() {
                @Override
                public void onResponse(String key, ByteRange range, long bytes, Duration took) {
                    if (took.compareTo(limit) > 0) {
                        System.out.println(key + " (" + range + "): " + bytes + " bytes in " + took.toMillis() + " ms");
                    }
                }
            };
            try (ZarrArray array = Zarr.openArray(url, ZarrOptions.defaults().withListener(slow))) {
                array.read();
            }
            // end
        } finally {
            System.setOut(console);
        }
        String lines = printed.toString(StandardCharsets.UTF_8);
        assertTrue(lines.contains("c/0 (") && lines.contains("c/1 ("), lines);
    }

    @Test
    void micrometer_countsBytes() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        URI uri = URI.create(url);
        // example: micrometer
        MicrometerListener metrics = MicrometerListener.of(registry, Tag.of("data", "brain"));
        try (HttpStore store = HttpStore.builder(uri)
                        .metrics(metrics::onRequestMetrics)
                        .build();
                ZarrArray array =
                        Zarr.openArray(store, "", ZarrOptions.defaults().withListener(metrics))) {
            array.read();
        }
        double bytes = registry.get("shardkit.read.bytes").counter().count();
        // end
        assertTrue(bytes >= 64);
        assertEquals(
                server.log().size(),
                registry.get("shardkit.http.requests").timers().stream()
                        .mapToLong(t -> t.count())
                        .sum());
    }
}
