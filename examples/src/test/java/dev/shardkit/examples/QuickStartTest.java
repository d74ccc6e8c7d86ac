package dev.shardkit.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.http.HttpStore;
import dev.shardkit.testkit.server.RangeServer;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java examples of the documents; the marked lines are shown there. */
class QuickStartTest {
    @TempDir
    private Path folder;

    private void write(Path folder) {
        // example: write
        ArraySpec spec = ArraySpec.of("uint16", 512, 512, 512)
                .withChunkShape(32, 32, 32) // inner chunks: the smallest unit of a read
                .withShardShape(256, 256, 256) // shards: one stored object each
                .withCodecs(Codecs.zstd(3));

        try (ZarrArray array = Zarr.createArray(folder.resolve("image.zarr").toString(), spec)) {
            short[] plane = new short[512 * 512];
            plane[7] = 42;
            array.write(Box.of(new long[] {100, 0, 0}, new long[] {1, 512, 512}), plane, 0);
        }
        // end
    }

    @Test
    void front_exampleOfTheReadme_readsWhatItWrote() {
        String location = folder.resolve("front.zarr").toString();
        short[] plane = new short[512 * 512];
        plane[7] = 42;
        // example: front
        ArraySpec spec = ArraySpec.of("uint16", 512, 512, 512)
                .withChunkShape(32, 32, 32) // inner chunks: the smallest unit of a read
                .withShardShape(256, 256, 256) // shards: one stored object each
                .withCodecs(Codecs.zstd(3));
        try (ZarrArray array = Zarr.createArray(location, spec)) {
            array.write(Box.of(new long[] {100, 0, 0}, new long[] {1, 512, 512}), plane, 0);
            NdArray region = array.read(Box.of(new long[] {90, 0, 0}, new long[] {20, 30, 40}));
            System.out.println(region.longAt(10, 0, 7));
        }
        // end
        try (ZarrArray array = Zarr.openArray(location)) {
            Box one = Box.of(new long[] {100, 0, 7}, new long[] {1, 1, 1});
            assertEquals(42, array.read(one).longAt(0, 0, 0));
        }
    }

    @Test
    void read_whatWasWritten_isThere() {
        write(folder);
        // example: read
        try (ZarrArray array = Zarr.openArray(folder.resolve("image.zarr").toString())) {
            NdArray region = array.read(Box.of(new long[] {90, 0, 0}, new long[] {20, 30, 40}));

            short[] elements = region.shorts(); // C order, not copied
            long value = region.longAt(10, 0, 7); // 42; widened, so uint16 65535 is 65535
            System.out.println(elements.length + " elements, one of them is " + value);
        }
        // end
        try (ZarrArray array = Zarr.openArray(folder.resolve("image.zarr").toString())) {
            assertEquals(
                    42,
                    array.read(Box.of(new long[] {100, 0, 7}, new long[] {1, 1, 1}))
                            .longAt(0, 0, 0));
        }
    }

    @Test
    void readAsync_overHttp_fetchesOnlyWhatItNeeds() throws Exception {
        write(folder);
        try (RangeServer server = RangeServer.over(folder.resolve("image.zarr"))) {
            URI uri = server.uri();
            // example: http
            try (HttpStore store =
                    HttpStore.builder(uri).bearerToken(() -> "secret").build()) {
                ZarrArray array = Zarr.openArray(store, "", ZarrOptions.defaults());

                CompletableFuture<NdArray> future =
                        array.readAsync(Box.of(new long[] {96, 0, 0}, new long[] {32, 32, 32}));
                NdArray chunk = future.get(); // two requests: the shard's index, one inner chunk
                // end
                assertEquals(42, chunk.longAt(4, 0, 7));
            }
            assertEquals(3, server.log().size(), "metadata, index, inner chunk");
        }
    }

    @Test
    void innerChunks_ofARegion_comeOneByOne() {
        write(folder);
        // example: chunks
        try (ZarrArray array = Zarr.openArray(folder.resolve("image.zarr").toString())) {
            long sum = array.innerChunks(Box.of(new long[] {96, 0, 0}, new long[] {32, 64, 64}))
                    .mapToLong(chunk -> chunk.values().longAt(4, 0, 7))
                    .sum();
            // end
            assertEquals(42, sum);
        }
    }

    // example: attributes
    record Scan(String operator, double voxel, Optional<Instant> start, Optional<Duration> exposure) {}

    static Scan describe(ZarrGroup group) {
        Scan scan = new Scan("Ada", 0.25, Optional.of(Instant.parse("2026-03-01T10:15:30Z")), Optional.empty());
        ZarrGroup described = group.mergeAttributes(scan); // keeps all other attributes
        return described.attributes(Scan.class);
    }
    // end

    @Test
    void group_withArrays_isATree() {
        // example: groups
        try (Store store = FileStore.at(folder)) {
            ZarrGroup root = Zarr.createGroup(store, "", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
            ZarrArray scale = root.createArray(
                    "pyramid/0",
                    ArraySpec.of("float32", 64, 64).withChunkShape(16, 16).withShardShape(64, 64),
                    IfExists.REFUSE);
            root.group("pyramid").children(); // {0=array ...}
            root.consolidate(); // one document for readers that cannot list
            // end
            assertEquals("Ada", describe(root).operator());
            assertEquals(Optional.empty(), describe(root).exposure());
            assertEquals(1, root.group("pyramid").children().size());
            assertArrayEquals(new long[] {64, 64}, scale.shape());
        }
    }
}
