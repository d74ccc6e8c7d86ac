package dev.shardkit.it.remote;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Store;
import dev.shardkit.testkit.server.RangeServer;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Arrays that are read through a cache: how many requests they take, offline too. */
@Timeout(120)
class CachedArraysTest {
    private static final ArraySpec SPEC = ArraySpec.of("int32", 256, 256)
            .withChunkShape(16, 16)
            .withShardShape(128, 128)
            .withCodecs(Codecs.bytesLittleEndian());
    private static final Box REGION = Box.of(new long[] {100, 100}, new long[] {56, 56});

    @TempDir
    private Path folder;

    private RangeServer server;

    @BeforeEach
    void serve() {
        write("a.zarr");
        server = RangeServer.over(folder);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void write(String name) {
        try (ZarrArray array = Zarr.createArray(folder.resolve(name).toString(), SPEC, IfExists.OVERWRITE, options())) {
            array.write(array.domain(), IntStream.range(0, 256 * 256).toArray(), 0);
        }
    }

    private static ZarrOptions options() {
        return ZarrOptions.defaults();
    }

    private String location(String name, String more) {
        return "cache:" + server.uri() + "/" + name + "#folder=" + folder.resolve("cache") + more;
    }

    private static int[] expected() {
        return IntStream.range(0, 56 * 56)
                .map(i -> (100 + i / 56) * 256 + 100 + i % 56)
                .toArray();
    }

    private List<String> requests() {
        List<String> requests = server.log().stream()
                .map(hit -> hit.key() + " " + hit.range().orElse("all"))
                .sorted()
                .toList();
        server.clearLog();
        return requests;
    }

    private void readAll(String location) {
        try (ZarrArray array = Zarr.openArray(location)) {
            assertArrayEquals(expected(), array.read(REGION).ints());
        }
    }

    @Test
    void secondOpen_sendsOneCheckForEachObject() {
        readAll(location("a.zarr", ""));
        assertTrue(requests().size() > 5);
        for (int i = 0; i < 2; i++) {
            readAll(location("a.zarr", ""));
            assertEquals(
                    List.of(
                            "a.zarr/c/0/0 bytes=0-0",
                            "a.zarr/c/0/1 bytes=0-0",
                            "a.zarr/c/1/0 bytes=0-0",
                            "a.zarr/c/1/1 bytes=0-0",
                            "a.zarr/zarr.json bytes=0-0"),
                    requests());
        }
        readAll(location("a.zarr", "&mode=trust"));
        assertEquals(List.of(), requests());
    }

    @Test
    void offline_needsNoServer() {
        readAll(location("a.zarr", ""));
        String offline = location("a.zarr", "&mode=offline");
        server.close();
        readAll(offline);
        try (ZarrArray array = Zarr.openArray(offline)) {
            StoreException e = assertThrows(StoreException.class, array::read);
            assertTrue(e.getMessage().contains("not kept in the cache"), e.getMessage());
            assertThrows(RuntimeException.class, () -> array.write(REGION, new int[56 * 56], 0));
        }
        StoreException e =
                assertThrows(StoreException.class, () -> Zarr.openArray(offline.replace("a.zarr", "b.zarr")));
        assertTrue(e.getMessage().contains("offline"), e.getMessage());
    }

    @Test
    void changedArray_isReadAnew() {
        readAll(location("a.zarr", ""));
        int[] ones = new int[56 * 56];
        try (ZarrArray array = Zarr.openArray(folder.resolve("a.zarr").toString())) {
            array.write(REGION, ones, 0);
        }
        try (ZarrArray array = Zarr.openArray(location("a.zarr", ""))) {
            assertArrayEquals(ones, array.read(REGION).ints());
        }
    }

    @Test
    void archive_isReadThroughTheCache() {
        try (ZarrArray source = Zarr.openArray(folder.resolve("a.zarr").toString());
                Store archive = Zarr.openStore(folder.resolve("a.zip").toString(), options())) {
            Copy.of(source).to(archive, options());
        }
        for (String name : List.of("", "zip:")) {
            String location = name + "cache:" + server.uri() + "/a.zip";
            System.setProperty("shardkit.cache.folder", folder.resolve("cache").toString());
            try {
                readAll(location);
                requests();
                readAll(location);
                assertEquals(List.of("a.zip bytes=0-0"), requests());
                System.setProperty("shardkit.cache.mode", "offline");
                readAll(location);
                assertEquals(List.of(), requests());
            } finally {
                System.clearProperty("shardkit.cache.folder");
                System.clearProperty("shardkit.cache.mode");
            }
        }
    }
}
