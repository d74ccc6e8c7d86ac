package dev.shardkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.registry.Registry;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.store.http.HttpStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.testkit.server.RangeServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A location without a node: the error says what is there, and what to try. */
@Timeout(120)
class MissingNodeDiagnosisTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();
    private static final ArraySpec SPEC = ArraySpec.of("int8", 4);

    @TempDir
    Path dir;

    private static void says(ZarrException e, String... parts) {
        assertTrue(e.getMessage().startsWith("there is no Zarr v3 array or group: "), e.getMessage());
        for (String part : parts) {
            assertTrue(e.getMessage().contains(part), e.getMessage());
        }
    }

    private void says(String name, String... parts) {
        String location = dir.resolve(name).toString();
        says(assertThrows(MetadataException.class, () -> Zarr.open(location, OPTIONS)), parts);
    }

    @Test
    void localPlaces_saySoWhatTheyAre() throws IOException {
        Zarr.createArray(dir.resolve("tree/a.zarr").toString(), SPEC).close();
        Zarr.createGroup(dir.resolve("g").toString(), Json.object(), IfExists.REFUSE, OPTIONS)
                .close();
        for (String file : new String[] {"x.h5", "x.txt", "k.json", "x.tif"}) {
            Files.writeString(dir.resolve(file), "{}");
        }
        Files.createDirectories(dir.resolve("empty"));
        Files.writeString(Files.createDirectories(dir.resolve("full")).resolve("readme"), "");
        says("nope", "this place does not exist; check the path");
        says("no/pe", "nor its folder; " + dir + " exists");
        if (!Files.exists(dir.resolve("tree/A.zarr"))) { // a disk that distinguishes case
            says("tree/A.zarr", "does not exist, but " + dir.resolve("tree/a.zarr") + " does");
        }
        says("tree", "nodes in folders below", ": a.zarr");
        says("tree/a.zarr/c", "in the folder of the array " + dir.resolve("tree/a.zarr"));
        says("g/none", "in the folder of the group " + dir.resolve("g"));
        Files.createDirectories(dir.resolve("q.zarr/zarr.json"));
        says("q.zarr", "expected a document, found a folder");
        says("tree/a.zarr/zarr.json", "is a metadata document; give its folder " + dir.resolve("tree/a.zarr"));
        says("x.h5", "this file is of another format", "reference:");
        says("x.tif", "shardkit references " + dir.resolve("x.tif") + " -o ");
        says("empty#shape=1,2,3,4", "begins with wkw: (wkw:" + dir.resolve("empty#shape=1,2,3,4") + ")");
        says("x.txt", "this is a file", "give zip:" + dir.resolve("x.txt"));
        says("k.json", "reference:" + dir.resolve("k.json") + "!PATH");
        says("y.zip", "this place does not exist");
        says("empty", "zarr.json is not found", "the place is empty");
        says("full", "zarr.json is not found", "the place holds readme");
    }

    @Test
    void memory_saysWhatItHolds_toEveryWayOfOpening() {
        MemoryStore store = MemoryStore.create();
        Zarr.createArray(store, "deep/a", SPEC, IfExists.REFUSE, OPTIONS);
        says(assertThrows(MetadataException.class, () -> Zarr.openArray(store, "deep", OPTIONS)), "below", ": a");
        says(assertThrows(MetadataException.class, () -> Zarr.openGroup(store, "x", OPTIONS)), "the place is empty");
        CompletionException e =
                assertThrows(CompletionException.class, () -> Zarr.openArrayAsync(store, "deep", OPTIONS)
                        .join());
        says((ZarrException) e.getCause(), "below", ": a");
    }

    @Test
    void zarrV2_withoutItsPlugin_isNamed_overHttpWithRequestsThatOnlyAFailureMakes() throws IOException {
        ZarrOptions without = OPTIONS.withRegistry(Registry.builder().build());
        Files.writeString(Files.createDirectories(dir.resolve("v2")).resolve(".zgroup"), "{\"zarr_format\": 2}");
        Zarr.createGroup(dir.resolve("v3").toString(), Json.object(), IfExists.REFUSE, OPTIONS)
                .close();
        try (RangeServer server = RangeServer.over(dir);
                Store remote = HttpStore.at(server.uri());
                Store local = Zarr.openStore(dir.toString(), OPTIONS)) {
            for (Store store : new Store[] {local, remote}) {
                says(
                        assertThrows(MetadataException.class, () -> Zarr.openGroup(store, "v2", without)),
                        "found .zgroup of Zarr v2",
                        "shardkit-zarr-v2");
            }
            server.clearLog();
            Zarr.openGroup(remote, "v3", without);
            assertEquals(1, server.log().size());
            says(
                    assertThrows(MetadataException.class, () -> Zarr.openGroup(remote, "none", without)),
                    "upper and lower case differ");
        }
    }
}
