package dev.shardkit.maintenance.copy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.concat.Concatenation;
import dev.shardkit.maintenance.convert.Conversion;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.http.HttpStore;
import dev.shardkit.testing.Values;
import dev.shardkit.testkit.server.RangeServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Trees of groups and arrays in files, and over HTTP. */
@Timeout(120)
class NodesTest {
    private static final ArraySpec SPEC =
            ArraySpec.of("int16", 8).withChunkShape(2).withShardShape(4);

    private static final ArrayMetadata SPEC_METADATA = Zarr.describe(SPEC, ZarrOptions.defaults());

    @TempDir
    Path dir;

    private ZarrGroup tree() {
        ZarrGroup root = Zarr.createGroup(
                FileStore.at(dir),
                "",
                Json.object().with("who", Json.of("root")),
                IfExists.REFUSE,
                ZarrOptions.defaults());
        root.createArray("deep/er/array", SPEC, IfExists.REFUSE).write(Values.range(0, 2), new short[] {1, 2}, 0);
        root.createArray("top", SPEC.withDimensionNames("x"), IfExists.REFUSE);
        root.createGroup("name with spaces \u00e9", Json.object(), IfExists.REFUSE);
        return root;
    }

    @Test
    void tree_isFoundAgain_withTheGroupsInBetween() throws IOException {
        tree();
        Files.createDirectories(dir.resolve("no node"));
        Files.createDirectories(dir.resolve("__found"));
        Files.copy(dir.resolve("zarr.json"), dir.resolve("__found/zarr.json"));
        try (ZarrGroup root = Zarr.openGroup(dir.toString())) {
            assertEquals(Set.of("deep", "top", "name with spaces \u00e9", "__found"), root.childNames());
            assertTrue(Files.exists(dir.resolve("deep/er/zarr.json")));
            assertEquals(Set.of("array"), root.group("deep/er").children().keySet());
            assertArrayEquals(
                    new short[] {1, 2, 0},
                    root.array("deep/er/array").read(Values.range(0, 3)).shorts());
            assertTrue(root.find("deep/none").isEmpty());
            assertThrows(MetadataException.class, () -> root.array("deep"));
            assertThrows(MetadataException.class, () -> root.group("top"));
            assertThrows(MetadataException.class, () -> root.array("none"));
        }
    }

    @Test
    void existing_isRefused_orOverwritten_orDeleted() {
        ZarrGroup root = tree();
        assertThrows(StoreException.class, () -> root.createArray("top", SPEC, IfExists.REFUSE));
        assertThrows(StoreException.class, () -> root.createArray("deep", SPEC, IfExists.REFUSE));
        ZarrArray over = root.createArray("deep", SPEC.withFillValue(4), IfExists.OVERWRITE);
        assertFalse(Files.exists(dir.resolve("deep/er")));
        assertEquals(4, over.read().longAt(3));
        over.delete();
        assertTrue(root.find("deep").isEmpty());
        assertEquals(Set.of("top", "name with spaces \u00e9"), root.childNames());
        assertThrows(MetadataException.class, () -> Zarr.find(FileStore.at(dir), "../x", ZarrOptions.defaults()));
    }

    @Test
    void node_insideAnArray_isRefused_andTheArrayNamed() throws IOException {
        ZarrGroup root = tree();
        Path old = Files.createDirectories(dir.resolve("old"));
        Files.writeString(
                old.resolve(".zarray"),
                "{\"zarr_format\": 2, \"shape\": [8], \"chunks\": [2], \"dtype\": \"|i1\", "
                        + "\"fill_value\": 0, \"order\": \"C\", \"filters\": null, \"compressor\": null}");
        Json.Obj none = Json.object();
        ZarrOptions options = ZarrOptions.defaults();
        String outside = dir.resolve("top/c/x").toString();
        for (Executable make : List.<Executable>of(
                () -> root.createArray("top/c/x", SPEC, IfExists.REFUSE),
                () -> root.createArray("top/x", SPEC, IfExists.OVERWRITE),
                () -> root.createGroup("top/x", none, IfExists.REFUSE),
                () -> Zarr.stageArray(FileStore.at(dir), "top/x", SPEC_METADATA, IfExists.REFUSE, options),
                () -> Zarr.createArray(outside, SPEC),
                () -> Zarr.createGroup(outside, none, IfExists.OVERWRITE, options),
                () -> Concatenation.copying(
                                List.of(new Concatenation.Source(FileStore.at(dir), "deep/er/array")), 0, options)
                        .to(FileStore.at(dir), "top/x"),
                () -> Conversion.to(FileStore.at(dir.resolve("deep")), FileStore.at(dir.resolve("top/x")), options)
                        .run(Mode.APPLY, node -> {}),
                () -> Copy.of(root.group("deep")).to(FileStore.at(dir.resolve("top/x")), options))) {
            StoreException e = assertThrows(StoreException.class, make);
            assertTrue(
                    e.getMessage().replace('\\', '/').contains(("array file:" + dir + "/top,").replace('\\', '/')),
                    e.getMessage());
        }
        assertFalse(Files.exists(dir.resolve("top/x")));
        assertFalse(Files.exists(dir.resolve("top/c")));
        assertThrows(StoreException.class, () -> root.createGroup("old/x", none, IfExists.REFUSE));
        assertThrows(
                StoreException.class, () -> Zarr.createArray(old.resolve("x").toString(), SPEC));
        root.createArray("topper", SPEC, IfExists.REFUSE);
    }

    @Test
    void attributes_keepTheirNumbersAsWritten() throws IOException {
        ZarrGroup root = tree();
        String text = "{\"a\":1.10,\"b\":1e400,\"c\":-0.0,\"d\":123456789012345678901234567890,\"e\":\"\\u00e9\","
                + "\"f\":[{}]}";
        Path document = dir.resolve("top/zarr.json");
        String before = Files.readString(document);
        Files.writeString(
                document,
                before.replaceFirst(
                        "\"attributes\"\\s*:\\s*\\{\\s*\\}", "\"attributes\":" + text.replace("\\", "\\\\")));
        ZarrArray array = root.array("top");
        assertEquals("1.10", array.attributes().get("a").orElseThrow().toString());
        ZarrArray changed = array.replaceAttributes(array.attributes().with("g", Json.of(7)));
        assertEquals(changed.attributes(), root.array("top").attributes());
        assertEquals(
                List.of("1.10", "1e400", "-0.0", "123456789012345678901234567890"),
                List.of("a", "b", "c", "d").stream()
                        .map(n -> changed.attributes().get(n).orElseThrow().toString())
                        .toList());
        assertEquals("x", changed.dimensionNames().orElseThrow().get(0).orElseThrow());
        ZarrGroup group = root.replaceAttributes(Json.object().with("new", Json.of(true)));
        assertEquals(group.attributes(), Zarr.openGroup(dir.toString()).attributes());
    }

    @Test
    void consolidated_overHttp_needsOneRequestForTheTree() {
        ZarrGroup root = tree();
        try (RangeServer server = RangeServer.over(dir);
                HttpStore store = HttpStore.at(server.uri())) {
            ZarrGroup remote = Zarr.openGroup(store, "", ZarrOptions.defaults());
            assertThrows(UnsupportedException.class, remote::childNames);
            assertEquals(8, remote.array("deep/er/array").shape()[0]);
            root.consolidate();
            server.clearLog();
            ZarrGroup now = Zarr.openGroup(store, "", ZarrOptions.defaults());
            assertEquals(
                    Set.of("deep", "top", "name with spaces \u00e9"),
                    now.children().keySet());
            ZarrNode array = now.find("deep/er/array").orElseThrow();
            assertEquals(8, ((ZarrArray) array).shape()[0]);
            assertEquals(1, server.log().size(), () -> server.log().toString());
            assertArrayEquals(
                    new short[] {1, 2},
                    ((ZarrArray) array).read(Values.range(0, 2)).shorts());
        }
        ZarrGroup again = Zarr.openGroup(dir.toString());
        assertEquals(Set.of("deep", "top", "name with spaces \u00e9"), again.childNames());
        assertEquals(again.metadata(), again.consolidate().metadata());
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "paths of up to 32,767 characters are allowed")
    void path_ofMoreNamesThanFilesTake_isRefused_andNothingOfItIsMade() throws IOException {
        String deep = String.join("/", java.util.Collections.nCopies(3000, "a"));
        try (ZarrGroup root =
                Zarr.createGroup(dir.resolve("g").toString(), Json.object(), IfExists.REFUSE, ZarrOptions.defaults())) {
            for (Runnable make : List.<Runnable>of(
                    () -> root.createGroup(deep, Json.object(), IfExists.REFUSE),
                    () -> root.createArray(deep, SPEC, IfExists.REFUSE),
                    () -> root.find(deep))) {
                StoreException e = assertThrows(StoreException.class, make::run);
                assertTrue(e.getMessage().contains("3001 names"), e.getMessage());
            }
            assertEquals(Set.of(), root.childNames());
        }
        assertEquals(
                List.of("zarr.json"), List.of(dir.resolve("g").toFile().list((d, name) -> !name.startsWith("__"))));
        String below = dir.resolve("h/" + deep).toString();
        assertThrows(StoreException.class, () -> Zarr.createArray(below, SPEC));
        assertFalse(Files.exists(dir.resolve("h")));
    }

    @Test
    void nothing_isThere_andThatIsSaid() {
        MetadataException e = assertThrows(
                MetadataException.class,
                () -> Zarr.openArray(dir.resolve("none").toString()));
        assertTrue(e.getMessage().contains("none"), e.getMessage());
        assertFalse(Files.exists(dir.resolve("none")), "opening makes nothing");
        assertTrue(Zarr.find(FileStore.at(dir), "", ZarrOptions.defaults()).isEmpty());
    }
}
