package dev.shardkit.it.formats;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.ResizePolicy;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.store.http.HttpStore;
import dev.shardkit.testkit.server.RangeServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that other documents than {@code zarr.json} describe: found, listed, written, refused, and what that costs. */
@Timeout(120)
class NodeFormatsTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();
    private static final String ARRAY = "{\"zarr_format\": 2, \"shape\": [5], \"chunks\": [2], \"dtype\": \">i2\", "
            + "\"fill_value\": -1, \"order\": \"C\", \"filters\": null, \"compressor\": null}";
    private static final String GROUP = "{\"zarr_format\": 2}";
    private static final String DRAFT =
            "{\"zarr_format\": \"https://purl.org/zarr/spec/protocol/core/3.0\", \"metadata_key_suffix\": \".json\"}";
    private static final String DRAFT_ARRAY = "{\"shape\": [5], \"data_type\": \">i2\", \"chunk_grid\": {\"type\": "
            + "\"regular\", \"chunk_shape\": [2], \"separator\": \"/\"}, \"fill_value\": -1, \"attributes\": {\"a\": 1}}";

    @TempDir
    Path root;

    @BeforeEach
    void tree() throws IOException {
        put(".zgroup", GROUP);
        put(".zattrs", "{\"nothing\": NaN}");
        put("a/.zarray", ARRAY);
        put("a/.zattrs", "{\"unit\": \"m\"}");
        Files.write(root.resolve("a/1"), bytes(3, 4));
        put("g/.zgroup", GROUP);
        put("g/b/.zarray", ARRAY);
        put("no-node/file", "x");
    }

    private void put(String key, String text) throws IOException {
        Files.createDirectories(root.resolve(key).getParent());
        Files.writeString(root.resolve(key), text);
    }

    private static byte[] bytes(int... values) {
        ByteBuffer bytes = ByteBuffer.allocate(2 * values.length).order(ByteOrder.BIG_ENDIAN);
        for (int v : values) {
            bytes.putShort((short) v);
        }
        return bytes.array();
    }

    @Test
    void tree_isOpenedListedAndVerified() {
        try (ZarrGroup group = Zarr.openGroup(root.toString())) {
            assertEquals(Optional.of("zarr_v2"), group.nodeFormat());
            assertEquals(Set.of("a", "g"), group.childNames());
            assertEquals(new Json.Num("NaN"), group.attributes().get("nothing").orElseThrow());
            ZarrArray array = group.array("a");
            assertEquals(Optional.of("zarr_v2"), array.nodeFormat());
            assertArrayEquals(new short[] {-1, -1, 3, 4, -1}, array.read().shorts());
            assertEquals(Json.of("m"), array.attributes().get("unit").orElseThrow());
            assertEquals(Set.of("b"), group.group("g").childNames());
            assertEquals(Optional.empty(), group.find("no-node"));
            Verification.Summary summary = Verification.of(group).run(finding -> {});
            assertEquals(2, summary.arrays());
            assertEquals(0, summary.errors());
            assertEquals(0, summary.notes(), "documents are no foreign objects");
        }
    }

    @Test
    void elements_canBeWritten_documentsCannot() throws IOException {
        try (ZarrGroup group = Zarr.openGroup(root.toString())) {
            ZarrArray array = group.array("a");
            array.write(Box.of(new long[] {3}, new long[] {2}), new short[] {7, 8}, 0);
            assertArrayEquals(new short[] {-1, -1, 3, 7, 8}, array.read().shorts());
            assertArrayEquals(bytes(3, 7), Files.readAllBytes(root.resolve("a/1")));
            assertArrayEquals(bytes(8, -1), Files.readAllBytes(root.resolve("a/2")), "an edge chunk has full size");
            List.<Runnable>of(
                            () -> array.replaceAttributes(Json.object()),
                            () -> array.resize(new long[] {2}, ResizePolicy.REMOVE),
                            () -> array.slices(0),
                            () -> group.replaceAttributes(Json.object()),
                            group::consolidate,
                            () -> group.createGroup("h", Json.object(), IfExists.REFUSE),
                            () -> group.createArray("h", ArraySpec.of("int8", 1), IfExists.REFUSE))
                    .forEach(change -> {
                        ZarrException e = assertThrows(UnsupportedException.class, change::run);
                        assertTrue(
                                e.getMessage().contains("documents of zarr_v2")
                                        && e.getMessage().contains("convert"),
                                e.getMessage());
                    });
            assertArrayEquals(new short[] {-1, -1, 3, 7, 8}, array.read().shorts());
        }
        assertThrows(
                ZarrException.class,
                () -> Zarr.createArray(root.resolve("a").toString(), ArraySpec.of("int8", 1)),
                "there is a node");
    }

    @Test
    void zarrJson_wins_andTreesMayBeMixed() throws IOException {
        Zarr.createArray(root.resolve("c").toString(), ArraySpec.of("int8", 4)).close();
        put("c/.zarray", "nonsense");
        try (ZarrGroup group = Zarr.openGroup(root.toString())) {
            assertEquals(Set.of("a", "c", "g"), group.childNames());
            assertEquals(Optional.empty(), group.array("c").nodeFormat());
            assertEquals(
                    "int8",
                    group.array("c").replaceAttributes(Json.object()).dataType().name());
        }
    }

    @Test
    void malformedDocument_isListed_andNamesFileAndField() throws IOException {
        put("bad/.zarray", ARRAY.replace("[2]", "[2, 3]"));
        put("deep/.zarray", "[".repeat(200_000));
        try (ZarrGroup group = Zarr.openGroup(root.toString())) {
            assertEquals(Set.of("a", "bad", "deep", "g"), group.childNames());
            ZarrException e = assertThrows(MetadataException.class, () -> group.find("bad"));
            assertTrue(e.getMessage().contains(".zarray: /chunks: expected 1 lengths"), e.getMessage());
            e = assertThrows(MetadataException.class, () -> group.find("deep"));
            assertTrue(e.getMessage().contains(".zarray: ") && e.getMessage().contains("nest"), e.getMessage());
        }
        put("fill/.zarray", ARRAY.replace("-1", "99999"));
        ZarrException fill = assertThrows(
                MetadataException.class,
                () -> Zarr.openArray(root.resolve("fill").toString()));
        assertTrue(
                fill.getMessage().contains(".zarray (zarr_v2), translated to zarr.json: /fill_value"),
                fill.getMessage());
        put("zfp/.zarray", ARRAY.replace("\"compressor\": null", "\"compressor\": {\"id\": \"zfpy\"}"));
        ZarrException e = assertThrows(
                UnsupportedException.class,
                () -> Zarr.openArray(root.resolve("zfp").toString()));
        assertTrue(e.getMessage().contains("numcodecs.zfpy"), e.getMessage());
    }

    @Test
    void fillValue_thatIsANumberInQuotes_isThatNumber() throws IOException {
        put("n5/.zarray", ARRAY.replace("-1", "\"7\""));
        try (ZarrArray array = Zarr.openArray(root.resolve("n5").toString())) {
            assertArrayEquals(new short[] {7, 7, 7, 7, 7}, array.read().shorts());
        }
    }

    @Test
    void draft_isFoundByItself_groupsAreImplied() throws IOException {
        Path draft = root.resolve("draft");
        put("draft/zarr.json", DRAFT);
        put("draft/meta/root/x/y/z.array.json", DRAFT_ARRAY);
        put("draft/data/root/x/y/z/c1", "");
        Files.write(draft.resolve("data/root/x/y/z/c1"), bytes(3, 4));
        try (ZarrGroup group = Zarr.openGroup(draft.toString())) {
            assertEquals(Optional.of("zarr_v3_draft"), group.nodeFormat());
            assertEquals(Set.of("x"), group.childNames());
            assertEquals(Set.of("y"), group.group("x").childNames());
            assertEquals(Set.of("z"), group.group("x/y").childNames());
            ZarrArray array = group.array("x/y/z");
            assertEquals(Json.of(1), array.attributes().get("a").orElseThrow());
            assertArrayEquals(new short[] {-1, -1, 3, 4, -1}, array.read().shorts());
            assertEquals(Optional.empty(), group.find("nothing"));
        }
        try (ZarrArray array = Zarr.openArray(draft.resolve("x/y/z").toString());
                ZarrGroup group = Zarr.openGroup(draft.resolve("x/y").toString())) {
            assertArrayEquals(new short[] {-1, -1, 3, 4, -1}, array.read().shorts());
            assertEquals(Set.of("z"), group.childNames());
        }
        ZarrException none = assertThrows(
                MetadataException.class,
                () -> Zarr.openArray(draft.resolve("x/nothing").toString()));
        assertTrue(none.getMessage().contains("there is no Zarr v3 array or group"), none.getMessage());
        put("draft/meta/root/bad.array.json", DRAFT_ARRAY.replace(">i2", "i2"));
        try (Store store = Zarr.openStore(draft.toString(), OPTIONS)) {
            ZarrException e = assertThrows(MetadataException.class, () -> Zarr.find(store, "bad", OPTIONS));
            assertTrue(e.getMessage().contains("bad.array.json: /data_type"), e.getMessage());
        }
    }

    @Test
    void requests_areFew_andNoneWhereZarrJsonIs() throws IOException {
        Zarr.createArray(root.resolve("v3").toString(), ArraySpec.of("int8", 4)).close();
        try (RangeServer server = RangeServer.start();
                HttpStore store = HttpStore.builder(server.uri()).build()) {
            for (String key : List.of("v3/zarr.json", "a/.zarray", "a/.zattrs", ".zgroup", ".zattrs")) {
                server.put(key, Files.readAllBytes(root.resolve(key)));
            }
            String consolidated = "{\"zarr_consolidated_format\": 1, \"metadata\": {\".zgroup\": " + GROUP
                    + ", \"a/.zarray\": " + ARRAY + ", \"g/.zgroup\": " + GROUP + ", \"g/b/.zarray\": " + ARRAY + "}}";
            assertEquals(1, asked(server, store, "v3"));
            assertEquals(3, asked(server, store, "a"), "zarr.json, .zarray, .zattrs");
            assertEquals(5, asked(server, store, ""), "zarr.json, .zarray, .zgroup, .zattrs, .zmetadata");
            assertEquals(4, asked(server, store, "nothing"), "and the root's zarr.json, for the draft");
            server.put(".zmetadata", consolidated.getBytes(StandardCharsets.UTF_8));
            server.clearLog();
            ZarrGroup group = Zarr.openGroup(store, "", OPTIONS);
            assertEquals(Set.of("a", "g"), group.childNames());
            assertEquals(5, group.array("g/b").shape()[0]);
            assertEquals(Set.of("b"), group.group("g").childNames());
            assertEquals(Optional.of("zarr_v2"), group.array("a").nodeFormat());
            assertEquals(5, server.log().size(), "consolidated metadata is used");
        }
    }

    private static int asked(RangeServer server, HttpStore store, String path) {
        server.clearLog();
        Optional<ZarrNode> found = Zarr.find(store, path, OPTIONS);
        assertEquals(path.equals("nothing"), found.isEmpty());
        return server.log().size();
    }
}
