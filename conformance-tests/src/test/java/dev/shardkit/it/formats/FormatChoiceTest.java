package dev.shardkit.it.formats;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.it.Samples;
import dev.shardkit.registry.FormatChoice;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Store;
import dev.shardkit.store.http.HttpStore;
import dev.shardkit.testkit.server.RangeServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@link ZarrOptions#withFormat} and {@link ZarrOptions#withFormats}: the formats that nodes may have. */
@Timeout(120)
class FormatChoiceTest {
    private static final ZarrOptions USUAL = ZarrOptions.defaults();
    private static final ZarrOptions ANY = USUAL.withFormats(FormatChoice.ANY);

    @TempDir
    Path root;

    private NdArray values;

    @BeforeEach
    void places() throws IOException {
        Samples.unpack("n5.zip", root.resolve("n5"));
        ArraySpec spec = ArraySpec.of("uint8", 4, 4, 4);
        try (ZarrArray volume = Zarr.createArray("neuroglancer:" + root.resolve("volume"), spec)) {
            volume.write(volume.domain(), volume.read());
        }
        Zarr.createArray(root.resolve("zarr").toString(), spec).close();
        try (ZarrArray array = Zarr.openArray(root.resolve("n5/by/codec/raw").toString())) {
            values = array.read();
        }
    }

    private RangeServer served() throws IOException {
        RangeServer server = RangeServer.start();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                server.put(root.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
            }
        }
        return server;
    }

    @Test
    void storeThatWasOpenedWithAChoice_keepsIt_whenLaterCallsMakeNone() throws Exception {
        try (RangeServer server = served();
                Store store = Zarr.openStore(server.uri().toString(), ANY);
                ZarrArray array = Zarr.openArray(store, "n5/by/codec/raw", USUAL)) {
            assertEquals(Optional.of("n5"), array.nodeFormat());
        }
    }

    private static int requests(RangeServer server, Store store, String path, ZarrOptions options, boolean isThere) {
        server.clearLog();
        assertEquals(isThere, Zarr.find(store, path, options).isPresent(), path);
        return server.log().size();
    }

    @Test
    void remoteStores_areAskedForOtherFormats_onlyIfTheOptionsSaySo() throws Exception {
        String path = "n5/by/codec/raw";
        ZarrOptions n5 = USUAL.withFormat("n5");
        try (RangeServer server = served();
                HttpStore store = HttpStore.builder(server.uri()).build()) {
            assertEquals(Optional.empty(), Zarr.find(store, path, USUAL));
            for (ZarrOptions options : List.of(n5, ANY)) {
                try (ZarrArray array = Zarr.openArray(store, path, options)) {
                    assertEquals(Optional.of("n5"), array.nodeFormat());
                    assertArrayEquals(Samples.bytes(values), Samples.bytes(array.read()));
                }
                try (ZarrArray array = Zarr.openArrayAsync(store, path, options).get()) {
                    assertEquals(Optional.of("n5"), array.nodeFormat());
                }
                try (ZarrArray array = Zarr.openArray(server.uri() + "/" + path, options)) {
                    assertArrayEquals(Samples.bytes(values), Samples.bytes(array.read()));
                }
            }
            assertEquals(1, requests(server, store, path, n5, true), "attributes.json");
            assertEquals(1, requests(server, store, "zarr", USUAL, true));
            assertEquals(1, requests(server, store, "zarr", ANY, true), "Zarr v3 costs no request more");
            requests(server, store, "zarr", n5, false);
        }
    }

    /** A scale has no document: the volume's is found in the folders above it, remote ones too. */
    @Test
    void scales_areOpenedByTheirOwnUrl() throws Exception {
        try (RangeServer server = served()) {
            String url = server.uri() + "/volume/1_1_1";
            for (ZarrOptions options : List.of(USUAL.withFormat("neuroglancer"), ANY)) {
                try (ZarrArray array = Zarr.openArray(url, options)) {
                    assertArrayEquals(new long[] {4, 4, 4, 1}, array.shape());
                }
            }
            assertThrows(MetadataException.class, () -> Zarr.openArray(url).close());
        }
    }

    @Test
    void localNodes_ofOtherFormats_areNotSeen() {
        ZarrOptions n5 = USUAL.withFormat("n5");
        String zarr = root.resolve("zarr").toString();
        says("only nodes of n5 are looked for", MetadataException.class, () -> Zarr.openArray(zarr, n5));
        try (ZarrNode node = Zarr.open(root.resolve("n5").toString(), n5)) {
            assertEquals(Optional.of("n5"), node.nodeFormat());
        }
        String volume = root.resolve("volume/1_1_1").toString();
        try (ZarrNode node = Zarr.open(volume, USUAL.withFormat("neuroglancer"))) {
            assertEquals(Optional.of("neuroglancer"), node.nodeFormat());
        }
        says("no n5 array or group", MetadataException.class, () -> Zarr.openArray(volume, n5));
    }

    @Test
    void newArrays_haveTheFormatOfTheOptions() {
        ZarrOptions cubes = USUAL.withFormat("wkw");
        ArraySpec spec = ArraySpec.of("uint8", 4, 4, 4);
        Path place = root.resolve("cubes");
        Zarr.createArray(place.toString(), spec, IfExists.REFUSE, cubes).close();
        assertTrue(Files.exists(place.resolve("header.wkw")));
    }

    @Test
    void contradictions_andUnknownNames_areRefused() {
        String n5 = "n5:" + root.resolve("n5/by/codec/raw");
        says(
                "leave one of them out",
                IllegalArgumentException.class,
                () -> Zarr.openArray(n5, USUAL.withFormat("wkw")));
        for (ZarrOptions options : List.of(USUAL.withFormat("n5"), ANY)) {
            try (ZarrArray array = Zarr.openArray(n5, options)) {
                assertEquals(Optional.of("n5"), array.nodeFormat());
            }
        }
        try (Store store = Zarr.openStore(n5, USUAL)) {
            says(
                    "leave one of them out",
                    IllegalArgumentException.class,
                    () -> Zarr.openArray(store, "", USUAL.withFormat("wkw")));
        }
        String place = root.resolve("zarr").toString();
        says("known are", UnsupportedException.class, () -> Zarr.openArray(place, USUAL.withFormat("tiff")));
        assertEquals(FormatChoice.USUAL, USUAL.formats());
        assertEquals(FormatChoice.named("n5"), USUAL.withFormat("n5").formats());
    }

    private static void says(String text, Class<? extends RuntimeException> kind, Runnable call) {
        RuntimeException e = assertThrows(kind, call::run);
        assertTrue(e.getMessage().contains(text), e.getMessage());
    }
}
