package dev.shardkit.serve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.json.JsonReader;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays of any format as arrays of Zarr v3, read by shardkit's own HTTP store. */
class VirtualTest extends ServedFolder {
    private String stored(String path) {
        return folder.resolve(path).toString();
    }

    /** Opens a node as the server presents it, and compares all of its elements with the stored ones. */
    private ZarrArray same(String path) {
        ZarrArray virtual = Zarr.openArray(server.version3Url() + path);
        try (ZarrArray source = Zarr.openArray(stored(path))) {
            assertEquals(source.read(), virtual.read());
            assertEquals(source.dimensionNames(), virtual.dimensionNames());
            assertEquals(source.attributes(), virtual.attributes());
            assertEquals(Optional.empty(), virtual.nodeFormat());
            return virtual;
        }
    }

    /** N5, int32, 5 x 3 elements (first dimension fastest) in raw blocks of 4 x 2; the last block is missing. */
    private void n5(String path) throws IOException {
        Files.createDirectories(folder.resolve(path));
        Files.writeString(
                folder.resolve(path).resolve("attributes.json"),
                "{\"dimensions\":[5,3],\"blockSize\":[4,2],\"dataType\":\"int32\",\"compression\":{\"type\":\"raw\"},"
                        + "\"axes\":[\"x\",\"y\"]}");
        for (int[] block : new int[][] {{0, 0, 4, 2}, {1, 0, 1, 2}, {0, 1, 4, 1}}) {
            ByteBuffer bytes = ByteBuffer.allocate(12 + 4 * block[2] * block[3]);
            bytes.putShort((short) 0).putShort((short) 2).putInt(block[2]).putInt(block[3]);
            for (int i = 0; i < block[2] * block[3]; i++) {
                bytes.putInt(100 * block[0] + 1000 * block[1] + i + 1);
            }
            Path file = folder.resolve(path).resolve(block[0] + "/" + block[1]);
            Files.createDirectories(file.getParent());
            Files.write(file, bytes.array());
        }
    }

    @Test
    void n5_isZarr3() throws IOException {
        n5("deep/n5");
        try (ZarrArray virtual = same("deep/n5")) {
            assertTrue(Arrays.stream(virtual.read().ints()).anyMatch(i -> i > 0), "there is data");
            assertEquals("regular", virtual.metadata().chunkGrid().name());
        }
    }

    @Test
    void version2_isZarr3() throws IOException {
        Files.createDirectories(folder.resolve("v2"));
        Files.writeString(
                folder.resolve("v2/.zarray"),
                "{\"zarr_format\":2,\"shape\":[3],\"chunks\":[2],\"dtype\":\">i2\",\"compressor\":null,"
                        + "\"fill_value\":7,\"order\":\"C\",\"filters\":null}");
        Files.write(folder.resolve("v2/0"), new byte[] {0, 1, 0, 2});
        same("v2").close();
        assertEquals(404, RawHttp.get(server, "/__v3/v2/c/1").status(), "the fill value alone");
    }

    @Test
    void unusualVersion3_isPlain() {
        ArraySpec spec = ArraySpec.of("uint8", 10, 6)
                .withChunkGrid(Json.extension(
                        "rectilinear",
                        Json.object()
                                .with("kind", Json.of("inline"))
                                .with("chunk_shapes", new Json.Arr(List.of(Json.of(new long[] {3, 7}), Json.of(4))))))
                .withCodecs(Codecs.named("numcodecs.zlib", Json.object().with("level", Json.of(1))))
                .withDimensionNames("a", "b");
        try (ZarrArray array = Zarr.createArray(stored("r"), spec)) {
            byte[] values = new byte[60];
            for (int i = 0; i < 60; i++) {
                values[i] = (byte) (i + 1);
            }
            array.write(array.domain(), values, 0);
        }
        same("r").close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bool", "float16", "complex64", "string", "uint64", "r24"})
    void anyType_andRank(String type) {
        Zarr.createArray(stored("s"), ArraySpec.of(type)).close();
        same("s").close();
        Zarr.createArray(stored("empty"), ArraySpec.of(type, 0, 3)).close();
        same("empty").close();
    }

    @Test
    void largeChunks_areDivided() {
        try (ZarrArray array = Zarr.createArray(
                stored("large"), ArraySpec.of("uint64", 3, 500, 500).withChunkShape(3, 500, 500))) {
            long[] values = new long[750_000];
            Arrays.setAll(values, i -> i);
            array.write(array.domain(), values, 0);
        }
        try (ZarrArray virtual = same("large")) {
            assertArrayEquals(new long[] {3, 250, 500}, virtual.chunkShape(), "3 MB, not 6 MB");
        }
    }

    @Test
    void chunk_hasTagRangesAndHead() throws IOException {
        n5("n5");
        String chunk = "/__v3/n5/c/0/0";
        RawHttp.Reply whole = RawHttp.get(server, chunk);
        assertEquals(200, whole.status());
        String tag = whole.header("etag");
        assertEquals(tag, RawHttp.get(server, chunk).header("etag"));
        assertEquals(304, RawHttp.get(server, chunk, "If-None-Match: " + tag).status());
        RawHttp.Reply part = RawHttp.get(server, chunk, "Range: bytes=2-5");
        assertEquals(206, part.status());
        assertArrayEquals(Arrays.copyOfRange(whole.body(), 2, 6), part.body());
        assertEquals(416, RawHttp.get(server, chunk, "Range: bytes=99999-").status());
        assertEquals("application/octet-stream", whole.header("content-type"));
        assertEquals(
                "application/json", RawHttp.get(server, "/__v3/n5/zarr.json").header("content-type"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "n5/c/9/0",
                "n5/c/0",
                "n5/c/0/0/0",
                "n5/c/00/0",
                "n5/c/-1/0",
                "n5/0/0",
                "n5",
                "n5/attributes.json",
                "none/zarr.json",
                "c/0",
                "n5/c/9223372036854775807/0",
                "n5/c/999999999999999999/0",
                "__shardkit/zarr.json",
                "%2e%2e/zarr.json"
            })
    void otherKeys_areMissing(String key) throws IOException {
        n5("n5");
        assertEquals(404, RawHttp.get(server, "/__v3/" + key).status());
    }

    @Test
    void brokenNode_saysWhy() throws IOException {
        Files.createDirectories(folder.resolve("b"));
        Files.writeString(folder.resolve("b/zarr.json"), "{\"zarr_format\":3,\"node_type\":\"array\"}");
        RawHttp.Reply reply = RawHttp.get(server, "/__v3/b/zarr.json");
        assertEquals(422, reply.status());
        assertTrue(reply.text().contains("shape"), reply.text());
    }

    @Test
    void group_hasChildren_andMetadataOfImages() throws IOException {
        Files.createDirectories(folder.resolve("g"));
        Files.writeString(folder.resolve("g/.zgroup"), "{\"zarr_format\":2}");
        Files.writeString(
                folder.resolve("g/.zattrs"),
                "{\"own\":1,\"multiscales\":[{\"version\":\"0.4\",\"datasets\":[{\"path\":\"0\"}]}],\"omero\":{}}");
        n5("g/0");
        try (ZarrGroup group = Zarr.openGroup(server.version3Url() + "g", ZarrOptions.defaults())) {
            assertEquals(
                    JsonReader.read(
                            "{\"own\":1,\"ome\":{\"version\":\"0.5\",\"multiscales\":[{\"datasets\":[{\"path\":\"0\"}]}],"
                                    + "\"omero\":{}}}",
                            Limits.defaults()),
                    group.attributes());
        }
        String listing =
                RawHttp.get(server, "/__v3/g/", "Accept: application/json").text();
        assertTrue(listing.contains("zarr.json"), listing);
    }

    /** Clients that open a tree by its consolidated metadata find the virtual arrays in them. */
    @Test
    void consolidatedMetadata_describeTheVirtualNodes() {
        try (ZarrGroup group = Zarr.createGroup(stored("c"), Json.object(), IfExists.REFUSE, ZarrOptions.defaults())) {
            group.createGroup("inner", Json.object(), IfExists.REFUSE)
                    .createArray(
                            "sharded",
                            ArraySpec.of("uint8", 8).withShardShape(4).withChunkShape(2),
                            IfExists.REFUSE);
            group.consolidate();
        }
        try (ZarrGroup virtual = Zarr.openGroup(server.version3Url() + "c", ZarrOptions.defaults())) {
            Map<String, NodeMetadata> all = virtual.metadata().consolidated().orElseThrow();
            assertEquals(Set.of("inner", "inner/sharded"), all.keySet());
            assertArrayEquals(new long[] {2}, virtual.array("inner/sharded").storedChunkShape());
        }
    }

    private static final String AXES = "[{\"name\":\"y\",\"type\":\"space\"},{\"name\":\"x\",\"type\":\"space\"}]";

    private static String multiscales(String... paths) {
        List<String> datasets = Arrays.stream(paths)
                .map(path -> "{\"path\":\"" + path
                        + "\",\"coordinateTransformations\":[{\"type\":\"scale\",\"scale\":[1,1]}]}")
                .toList();
        return "\"multiscales\":[{\"version\":\"0.4\",\"axes\":" + AXES + ",\"datasets\":" + datasets + "}]";
    }

    private void version2(String path, String shape) throws IOException {
        Files.createDirectories(folder.resolve(path));
        Files.writeString(
                folder.resolve(path + "/.zarray"),
                "{\"zarr_format\":2,\"shape\":" + shape + ",\"chunks\":" + shape + ",\"dtype\":\"|u1\","
                        + "\"compressor\":null,\"fill_value\":0,\"order\":\"C\",\"filters\":null}");
    }

    private void group2(String path, String attributes) throws IOException {
        Files.createDirectories(folder.resolve(path));
        Files.writeString(folder.resolve(path + "/.zgroup"), "{\"zarr_format\":2}");
        Files.writeString(folder.resolve(path + "/.zattrs"), "{" + attributes + "}");
    }

    private Optional<List<Optional<String>>> names(String path) {
        try (ZarrArray virtual = Zarr.openArray(server.version3Url() + path)) {
            return virtual.dimensionNames();
        }
    }

    /** Version 0.4 names the axes in the image only, and not in its levels. */
    @Test
    void levelsOfImages_haveTheNamesOfTheAxes() throws IOException {
        Optional<List<Optional<String>>> yx = Optional.of(List.of(Optional.of("y"), Optional.of("x")));
        group2("i", multiscales("0", "low/1", "volume"));
        version2("i/0", "[4,4]");
        version2("i/low/1", "[2,2]");
        version2("i/volume", "[2,2,2]");
        version2("i/table", "[4,4]");
        group2("i/labels", "\"labels\":[\"cells\"]");
        group2("i/labels/cells", multiscales("0"));
        version2("i/labels/cells/0", "[4,4]");
        for (String level : List.of("i/0", "i/low/1", "i/labels/cells/0")) {
            assertEquals(yx, names(level), level);
        }
        for (String other : List.of("i/volume", "i/table")) {
            assertEquals(Optional.empty(), names(other), other);
        }
        try (ZarrGroup image = Zarr.openGroup(server.version3Url() + "i", ZarrOptions.defaults())) {
            assertTrue(image.metadata().consolidated().isPresent());
            for (String level : List.of("0", "labels/cells/0")) {
                assertEquals(yx, image.array(level).dimensionNames(), "of the listed nodes: " + level);
            }
        }
        group2("wrong", "\"multiscales\":[{\"version\":\"0.4\",\"axes\":7,\"datasets\":[{\"path\":\"0\"}]}]");
        version2("wrong/0", "[4,4]");
        assertEquals(Optional.empty(), names("wrong/0"));
    }

    /** A level without names would be kept by its readers, although the image is there. */
    @Test
    void levelBelowGroupThatCannotBeRead_fails() throws IOException {
        group2("k", multiscales("0"));
        version2("k/0", "[4,4]");
        Path attributes = folder.resolve("k/.zattrs");
        Files.move(attributes, folder.resolve("kept"));
        Files.createSymbolicLink(attributes, attributes); // a loop: the file system cannot say what is there
        assumeTrue(Files.isSymbolicLink(attributes), "no symbolic links");
        ZarrException e = assertThrows(ZarrException.class, () -> names("k/0"));
        assertTrue(e.getMessage().contains("HTTP 500"), e.getMessage());
        Files.delete(attributes);
        Files.move(folder.resolve("kept"), attributes);
        assertEquals(Optional.of(List.of(Optional.of("y"), Optional.of("x"))), names("k/0"));
    }

    @Test
    void levelsOfVersion5_keepTheirNames_andGetThoseOfTheAxesOtherwise() throws IOException {
        Json.Obj attributes = (Json.Obj) JsonReader.read(
                ("{\"ome\":{\"version\":\"0.5\"," + multiscales("0", "1") + "}}").getBytes(), Limits.defaults());
        try (ZarrGroup group = Zarr.createGroup(stored("j"), attributes, IfExists.REFUSE, ZarrOptions.defaults())) {
            group.createArray("0", ArraySpec.of("uint8", 4, 4), IfExists.REFUSE);
            group.createArray("1", ArraySpec.of("uint8", 2, 2).withDimensionNames("a", "b"), IfExists.REFUSE);
        }
        assertEquals(Optional.of(List.of(Optional.of("y"), Optional.of("x"))), names("j/0"));
        assertEquals(Optional.of(List.of(Optional.of("a"), Optional.of("b"))), names("j/1"));
    }
}
