package dev.shardkit.it.references;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.files.TiffReferences;
import dev.shardkit.it.Samples;
import dev.shardkit.metadata.JsonDocuments;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.store.reference.ReferenceStore;
import dev.shardkit.store.s3.AccessKey;
import dev.shardkit.store.s3.S3Store;
import dev.shardkit.testkit.server.RangeServer;
import dev.shardkit.testkit.server.VersityServer;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Documents that kerchunk wrote ({@code tools/make_kerchunk.py}), and references to TIFF files that tifffile wrote:
 * local, over HTTP and on S3, where a read fetches the byte ranges of the chunks.
 */
@Timeout(240)
class RemoteReferencesTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();
    private static final String TIFF = "tiles-none";

    @TempDir
    Path folder;

    private byte[] expected(String name) throws IOException {
        return Files.readAllBytes(folder.resolve(name + ".bin"));
    }

    private void kerchunk(String document, String path, long... shape) throws IOException {
        String name = path.substring(path.lastIndexOf('/') + 1);
        try (ZarrArray array = Zarr.openArray("reference:" + document + "!" + path, OPTIONS)) {
            assertEquals(Box.of(shape), array.domain());
            Samples.check(array, expected(name), path);
        }
    }

    private void kerchunkBelow(String place) throws IOException {
        kerchunk(place + "/a.json", "packed", 20, 12);
        kerchunk(place + "/a.json", "in/plain", 5, 7);
        kerchunk(place + "/b.json", "air", 4, 3, 5);
        kerchunk(place + "/b.json", "lat", 3);
    }

    @Test
    void documentsOfKerchunk_areRead() throws IOException {
        Samples.unpack("kerchunk.zip", folder);
        kerchunkBelow(folder.toString());
        try (ZarrGroup group = Zarr.openGroup("reference:" + folder.resolve("a.json"), OPTIONS)) {
            assertEquals(List.of("in", "packed"), List.copyOf(group.childNames()));
            assertEquals("{\"title\":\"of kerchunk\"}", group.attributes().toString());
            assertEquals(
                    Optional.of(Json.of("m")),
                    group.array("packed").attributes().get("units"));
        }
        try (ZarrGroup group = Zarr.openGroup("reference:" + folder.resolve("b.json"), OPTIONS)) {
            assertEquals(
                    Optional.of(List.of(Optional.of("time"), Optional.of("lat"), Optional.of("lon"))),
                    group.array("air").dimensionNames());
        }
    }

    @Test
    void documentsOfKerchunk_areReadOverHttp_byRanges() throws IOException {
        Samples.unpack("kerchunk.zip", folder);
        try (RangeServer server = RangeServer.over(folder)) {
            String place = server.uri().toString().replaceAll("/+$", "");
            kerchunkBelow(place);
            List<RangeServer.Hit> data = server.log().stream()
                    .filter(hit -> !hit.key().endsWith(".json"))
                    .toList();
            assertTrue(data.size() >= 4, () -> "" + data);
            for (RangeServer.Hit hit : data) {
                assertTrue(
                        hit.method().equals("HEAD") || hit.range().isPresent() && hit.status() == 206, () -> "" + hit);
            }
            server.clearLog();
            try (ZarrArray array = Zarr.openArray("reference:" + place + "/a.json!packed", OPTIONS)) {
                Samples.check(array, Box.of(new long[] {8, 5}, new long[] {8, 5}), expected("packed"), "one chunk");
            }
            assertEquals(
                    List.of("bytes=9027-9100"),
                    server.log().stream()
                            .filter(hit -> hit.key().endsWith(".h5"))
                            .map(hit -> hit.range().orElse("none"))
                            .toList());
        }
    }

    /** Writes references beside a file of tifffile; returns their document. */
    private byte[] tiff(Store files) throws IOException {
        TiffReferences found = TiffReferences.of(files, TIFF + ".tif", TIFF + ".tif");
        Json.Obj document = Json.object().with("version", Json.of(1)).with("refs", found.references());
        return JsonDocuments.text(document).getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void tiff_isReadOverHttp_byRanges() throws IOException {
        Samples.unpack("tiff.zip", folder);
        try (RangeServer server = RangeServer.over(folder)) {
            try (Store files = Zarr.openStore(server.uri().toString(), OPTIONS)) {
                Files.write(folder.resolve("refs.json"), tiff(files));
            }
            server.clearLog();
            try (ZarrArray array = Zarr.openArray("reference:" + server.uri().resolve("/refs.json"), OPTIONS)) {
                Samples.check(array, expected(TIFF), TIFF);
                server.clearLog();
                Samples.check(array, Box.of(new long[] {0, 0}, new long[] {1, 1}), expected(TIFF), "one tile");
            }
            long size = Files.size(folder.resolve(TIFF + ".tif"));
            assertEquals(1, server.log().size(), () -> "" + server.log());
            RangeServer.Hit hit = server.log().get(0);
            assertTrue(hit.status() == 206 && hit.bytes() < size / 2, () -> hit + " of " + size);
        }
    }

    private static void put(Store store, String key, byte[] bytes) throws IOException {
        BlockingStore.to(store).put(key, Content.of(Bytes.of(bytes)), Durability.NONE);
    }

    private static S3Store bucket(URI place) {
        return S3Store.builder(place)
                .endpoint(VersityServer.server())
                .region("us-east-1")
                .credentials(AccessKey.of(VersityServer.ACCESS_KEY, VersityServer.SECRET_KEY))
                .build();
    }

    @Test
    void tiff_isReadOnS3_byRanges() throws IOException {
        Samples.unpack("tiff.zip", folder);
        URI place = URI.create(
                "s3://" + VersityServer.BUCKET + "/" + VersityServer.fresh().replace(" ", "%20"));
        try (Store files = bucket(place)) {
            put(files, TIFF + ".tif", Files.readAllBytes(folder.resolve(TIFF + ".tif")));
            put(files, "refs.json", tiff(files));
        }
        AtomicLong bytes = new AtomicLong();
        ZarrOptions options = OPTIONS.withListener(new StoreListener() {
            @Override
            public void onResponse(String key, ByteRange range, long size, Duration took) {
                bytes.addAndGet(size);
            }
        });
        URI document = URI.create(place + "/refs.json");
        try (Store references =
                ReferenceStore.builder(document, RemoteReferencesTest::bucket).open()) {
            ZarrArray array = Zarr.openArray(references, "", options);
            Samples.check(array, expected(TIFF), TIFF);
            long size = Files.size(folder.resolve(TIFF + ".tif"));
            bytes.set(0);
            Samples.check(array, Box.of(new long[] {0, 0}, new long[] {1, 1}), expected(TIFF), "one tile");
            assertTrue(bytes.get() > 0 && bytes.get() < size / 2, () -> bytes + " of " + size);
        }
    }
}
