package dev.shardkit.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.cache.CachedStore;
import dev.shardkit.store.http.HttpStore;
import dev.shardkit.store.http.RetryPolicy;
import dev.shardkit.testkit.server.RangeServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java examples of reading over HTTP; the marked lines are shown in the documents. */
class RemoteTest {
    @TempDir
    private Path folder;

    private RangeServer server;

    @BeforeEach
    void serve() {
        Path image = folder.resolve("image.zarr");
        ArraySpec spec =
                ArraySpec.of("uint16", 64, 64, 64).withChunkShape(16, 16, 16).withShardShape(32, 32, 32);
        try (ZarrArray array = Zarr.createArray(image.toString(), spec)) {
            array.write(Box.of(new long[] {3, 0, 0}, new long[] {1, 1, 1}), new short[] {42}, 0);
        }
        server = RangeServer.over(folder);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void settings_ofAStore() {
        URI uri = URI.create(server.uri() + "/image.zarr");
        // example: settings
        try (HttpStore store = HttpStore.builder(uri)
                .headers(() -> Map.of("X-Api-Key", "secret")) // asked before each request
                .deadline(Duration.ofSeconds(60)) // one call, with all its retries
                .retries(new RetryPolicy(5, Duration.ofMillis(200), Duration.ofSeconds(10)))
                .maxConcurrentRequests(32)
                .build()) {
            ZarrArray array = Zarr.openArray(store, "", ZarrOptions.defaults());
            // end
            assertEquals(64, array.shape()[0]);
        }
        assertEquals("secret", server.log().get(0).headers().get("x-api-key"));
    }

    @Test
    void cache_keepsWhatIsRead() throws IOException {
        URI uri = URI.create(server.uri() + "/image.zarr");
        for (int i = 0; i < 2; i++) {
            server.clearLog();
            // example: cache
            try (CachedStore store = CachedStore.of(HttpStore.at(uri), folder.resolve("cache"), 1L << 30)) {
                ZarrArray array = Zarr.openArray(store, "", ZarrOptions.defaults());
                long value = array.read(Box.of(new long[] {3, 0, 0}, new long[] {1, 1, 1}))
                        .longAt(0, 0, 0); // the second time, two requests of one byte
                // end
                assertEquals(42, value);
            }
        }
        assertEquals(
                2,
                server.log().stream()
                        .filter(hit -> hit.range().equals(Optional.of("bytes=0-0")))
                        .count());
        assertEquals(2, server.log().size());
    }

    @Test
    void query_isSentWithEachRequest() {
        URI container = URI.create(server.uri() + "/image.zarr");
        // example: signed
        URI signed = URI.create(container + "?sv=2024-08-04&sig=abc"); // a token for the whole container
        try (ZarrArray array = Zarr.openArray(signed.toString())) {
            long value = array.read(Box.of(new long[] {3, 0, 0}, new long[] {1, 1, 1}))
                    .longAt(0, 0, 0);
            // end
            assertEquals(42, value);
        }
        assertTrue(server.log().stream().allMatch(hit -> hit.query().equals("sv=2024-08-04&sig=abc")));
    }

    @Test
    void references_mayHaveAQueryForEachObject() throws Exception {
        Path document = folder.resolve("signed.json");
        URI base = URI.create(server.uri() + "/image.zarr");
        Files.writeString(
                document,
                "{\"zarr.json\": [\"" + base + "/zarr.json?sig=a\"], \"c/0/0/0\": [\"" + base + "/c/0/0/0?sig=b\"]}");
        // example: references
        String location = "reference:" + document + "#allow=" + server.uri() + "/";
        try (ZarrArray array = Zarr.openArray(location)) {
            NdArray corner = array.read(Box.of(new long[] {0, 0, 0}, new long[] {8, 8, 8}));
            // end
            assertEquals(42, corner.longAt(3, 0, 0));
        }
        assertTrue(server.log().stream().allMatch(hit -> !hit.query().isEmpty()));
    }

    @Test
    void listener_countsRequestsAndBytes() {
        String url = server.uri() + "/image.zarr";
        // example: listener
        AtomicLong requests = new AtomicLong();
        AtomicLong bytes = new AtomicLong();
        StoreListener counter = new StoreListener() {
            @Override
            public void onResponse(String key, ByteRange range, long received, Duration took) {
                requests.incrementAndGet();
                bytes.addAndGet(received);
            }
        };
        try (ZarrArray array = Zarr.openArray(url, ZarrOptions.defaults().withListener(counter))) {
            array.read(Box.of(new long[] {0, 0, 0}, new long[] {8, 8, 8}));
        }
        // end
        assertEquals(server.log().size(), requests.get());
        assertTrue(bytes.get() > 0);
    }
}
