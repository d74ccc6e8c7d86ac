package dev.shardkit.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.store.http.HttpStore;
import dev.shardkit.testkit.server.RangeServer;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MicrometerListenerTest {
    private static final Box ALL = Box.of(new long[] {0}, new long[] {64});

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MicrometerListener listener = MicrometerListener.of(registry, Tag.of("data", "test"));
    private final ZarrOptions options = ZarrOptions.defaults().withListener(listener);

    @TempDir
    private Path folder;

    private Path image;

    @BeforeEach
    void create() {
        image = folder.resolve("image.zarr");
        ArraySpec spec = ArraySpec.of("uint8", 64).withChunkShape(8).withShardShape(32);
        Zarr.createArray(image.toString(), spec).close();
    }

    private double count(String name, String... tags) {
        return registry.get(name).tag("data", "test").tags(tags).counter().count();
    }

    @Test
    void writesReadsAndDeletes_areCounted() throws Exception {
        byte[] values = new byte[64];
        Arrays.fill(values, (byte) 7);
        try (ZarrArray array = Zarr.openArray(image.toString(), options)) {
            array.write(ALL, values, 0);
            assertEquals(2, count("shardkit.writes", "strategy", "rewrite"));
            long stored = Files.size(image.resolve("c/0")) + Files.size(image.resolve("c/1"));
            assertEquals(stored, count("shardkit.write.bytes", "strategy", "rewrite"));
            double before = count("shardkit.read.bytes");
            array.read(ALL);
            assertTrue(count("shardkit.read.bytes") - before >= 64, "each inner chunk is read");
            Timer reads = registry.get("shardkit.reads").timer();
            assertTrue(reads.count() >= 2 && reads.totalTime(TimeUnit.NANOSECONDS) > 0, reads.toString());
            array.read(ALL);
            assertTrue(count("shardkit.cache.hits") >= 2, "the indexes are cached");
            array.erase(ALL);
            assertEquals(2, count("shardkit.deletes"));
        }
    }

    @Test
    void requestsOfAStore_areTimedByHostAndStatus() {
        try (RangeServer server = RangeServer.over(folder)) {
            server.failNext(1, 503, Map.of());
            URI uri = URI.create(server.uri() + "/image.zarr");
            try (HttpStore store = HttpStore.builder(uri)
                            .metrics(listener::onRequestMetrics)
                            .build();
                    ZarrArray array = Zarr.openArray(store, "", options)) {
                array.read(ALL);
            }
            long failed = registry.get("shardkit.http.requests")
                    .tag("status", "503")
                    .timer()
                    .count();
            assertEquals(1, failed);
            long all = registry.get("shardkit.http.requests").timers().stream()
                    .mapToLong(Timer::count)
                    .sum();
            assertEquals(server.log().size(), all);
            assertEquals(all, registry.get("shardkit.http.queued").timer().count());
        }
    }
}
