package dev.shardkit.serve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.json.Json;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageTest extends ServedFolder {
    /** int16 [3, 4, 300]: element (z, y, x) is 1000 z + 300 y + x; the last z is not stored. */
    private void volume() {
        short[] values = new short[2 * 4 * 300];
        for (int i = 0; i < values.length; i++) {
            values[i] = (short) (1000 * (i / 1200) + i % 1200);
        }
        ArraySpec spec =
                ArraySpec.of("int16", 3, 4, 300).withShardShape(1, 4, 100).withChunkShape(1, 2, 50);
        try (ZarrArray array = Zarr.createArray(folder.resolve("v").toString(), spec)) {
            array.write(Box.of(new long[3], new long[] {2, 4, 300}), values, 0);
        }
    }

    private Json.Obj json(String path) throws IOException {
        RawHttp.Reply reply = RawHttp.get(server, "/__view/" + path);
        assertEquals(200, reply.status(), reply.text());
        return (Json.Obj) JsonReader.read(reply.body(), Limits.defaults());
    }

    private BufferedImage tile(String query) throws IOException {
        RawHttp.Reply reply = RawHttp.get(server, "/__view/tile/" + query);
        assertEquals(200, reply.status(), reply.text());
        assertEquals("image/png", reply.header("content-type"));
        return ImageIO.read(new ByteArrayInputStream(reply.body()));
    }

    /** Returns the gray of a pixel; equal to the value if black and white are 254 apart, but 255 for white. */
    private static int gray(BufferedImage image, int x, int y) {
        return image.getRGB(x, y) & 0xff;
    }

    @Test
    void tile_hasTheElementsOfThePlane() throws IOException {
        volume();
        BufferedImage first = tile("v?black=0&white=254");
        assertArrayEquals(new int[] {256, 4}, new int[] {first.getWidth(), first.getHeight()});
        assertEquals(List.of(0, 100, 255), List.of(gray(first, 0, 0), gray(first, 100, 0), gray(first, 0, 1)), "y, x");
        BufferedImage right = tile("v?left=256&black=200&white=454");
        assertEquals(44, right.getWidth());
        assertEquals(List.of(56, 99), List.of(gray(right, 0, 0), gray(right, 43, 0)));
        BufferedImage turned = tile("v?x=1&y=2&at=0,0,0&black=0&white=254");
        assertArrayEquals(new int[] {4, 256}, new int[] {turned.getWidth(), turned.getHeight()});
        assertEquals(100, gray(turned, 0, 100));
        BufferedImage stepped = tile("v?step=4&at=1,0,0&black=1000&white=1254");
        assertArrayEquals(new int[] {75, 1}, new int[] {stepped.getWidth(), stepped.getHeight()});
        assertEquals(40, gray(stepped, 10, 0));
        BufferedImage row = tile("v?x=2&y=-1&at=0,2,0&black=600&white=854");
        assertEquals(List.of(1, 7), List.of(row.getHeight(), gray(row, 7, 0)));
    }

    /** Makes t(time, lat) with physical values and labels. */
    private void dataset() {
        try (ZarrGroup group = Zarr.createGroup(
                folder.resolve("data").toString(), Json.object(), IfExists.REFUSE, ZarrOptions.defaults())) {
            variable(group, "time", new short[] {0, 6}, Map.of("units", "hours since 2020-03-01"), "time");
            variable(group, "lat", new short[] {50, 40, 30}, Map.of("units", "degrees_north"), "lat");
            Map<String, Object> packed =
                    Map.of("scale_factor", 0.5, "_FillValue", -1, "units", "K", "coordinates", "kind");
            variable(group, "t", new short[] {1, 2, 3, 4, 5, -1}, packed, "time", "lat");
            Map<String, Object> flags = Map.of("flag_values", List.of(0, 1), "flag_meanings", "sea land");
            variable(group, "kind", new short[] {0, 1, 7}, flags, "lat");
        }
    }

    private static void variable(
            ZarrGroup group, String name, short[] values, Map<String, ?> attributes, String... dimensions) {
        long[] shape = dimensions.length == 2 ? new long[] {2, 3} : new long[] {values.length};
        ArraySpec spec =
                ArraySpec.of("int16", shape).withDimensionNames(dimensions).withAttributes(Json.of(attributes));
        try (ZarrArray array = group.createArray(name, spec, IfExists.REFUSE)) {
            array.write(array.domain(), values, 0);
        }
    }

    @Test
    void element_hasItsPhysicalValueAndLabels() throws IOException {
        dataset();
        assertEquals(
                "{\"value\":\"2.5\",\"units\":\"K\",\"labels\":["
                        + "{\"name\":\"time\",\"value\":\"2020-03-01T06:00:00\"},"
                        + "{\"name\":\"lat\",\"value\":\"40\",\"units\":\"degrees_north\"},"
                        + "{\"name\":\"kind\",\"value\":\"1 (land)\"}]}",
                json("element/data/t?at=1,1").toString());
        assertEquals(
                "\"missing\"",
                json("element/data/t?at=1,2").get("value").orElseThrow().toString());
        assertEquals(400, RawHttp.get(server, "/__view/element/data/t?at=1,3").status());
        assertEquals(400, RawHttp.get(server, "/__view/element/data/t?at=1").status());
        volume();
        assertEquals(404, RawHttp.get(server, "/__view/element/v?at=0,0,0").status(), "in no group");
    }

    private void array(
            ZarrGroup group, String name, ArraySpec spec, Object values, Map<String, ?> attributes, String... dims) {
        try (ZarrArray array = group.createArray(
                name, spec.withDimensionNames(dims).withAttributes(Json.of(attributes)), IfExists.REFUSE)) {
            array.write(array.domain(), values, 0);
        }
    }

    @Test
    void element_hasExactIntegers_andFractionsNoMeaning() throws IOException {
        try (ZarrGroup group = Zarr.createGroup(
                folder.resolve("data").toString(), Json.object(), IfExists.REFUSE, ZarrOptions.defaults())) {
            array(group, "i", ArraySpec.of("int64", 2), new long[] {9007199254740993L, 1}, Map.of(), "i");
            array(group, "u", ArraySpec.of("uint64", 2), new long[] {-1, 1}, Map.of(), "i");
            Map<String, ?> flags = Map.of("flag_values", List.of(0, 1, 1), "flag_meanings", "sea land earth");
            array(group, "kind", ArraySpec.of("float32", 2), new float[] {0.4f, 1}, flags, "i");
        }
        String label = ",\"labels\":[{\"name\":\"i\",\"value\":\"9007199254740993\"}]}";
        assertEquals(
                "{\"value\":\"18446744073709551615\"" + label,
                json("element/data/u?at=0").toString());
        assertEquals(
                "{\"value\":\"0.4\"" + label, json("element/data/kind?at=0").toString());
        assertEquals(
                "\"1.0 (land)\"",
                json("element/data/kind?at=1").get("value").orElseThrow().toString());
    }

    @Test
    void element_leavesOutCoordinatesThatItCannotRead_andSaysSo() throws IOException {
        try (ZarrGroup group = Zarr.createGroup(
                folder.resolve("data").toString(), Json.object(), IfExists.REFUSE, ZarrOptions.defaults())) {
            array(group, "odd", ArraySpec.of("r24", 2), new byte[6], Map.of(), "i");
            ArraySpec wide = ArraySpec.of("float64", 2).withChunkShape(1 << 26).withDimensionNames("i");
            group.createArray("wide", wide, IfExists.REFUSE);
            array(group, "torn", ArraySpec.of("int16", 2), new short[] {1, 2}, Map.of(), "i");
            Files.write(folder.resolve("data/torn/c/0"), new byte[] {1, 2, 3});
            array(group, "fine", ArraySpec.of("int16", 2), new short[] {3, 4}, Map.of(), "i");
            String names = "odd\twide torn " + "x".repeat(300) + " fine";
            array(group, "v", ArraySpec.of("int8", 2), new byte[] {5, 6}, Map.of("coordinates", names), "i");
        }
        assertEquals(
                "{\"value\":\"6\",\"labels\":[{\"name\":\"fine\",\"value\":\"4\"}],"
                        + "\"left_out\":[\"odd\",\"wide\",\"torn\"]}",
                json("element/data/v?at=1").toString());
    }

    @Test
    void element_hasLabelsOfItsFirstCoordinatesOnly() throws IOException {
        try (ZarrGroup group = Zarr.createGroup(
                folder.resolve("data").toString(), Json.object(), IfExists.REFUSE, ZarrOptions.defaults())) {
            StringBuilder names = new StringBuilder();
            for (int i = 0; i < 30; i++) {
                array(group, "c" + i, ArraySpec.of("int8"), new byte[] {1}, Map.of());
                names.append("c").append(i).append(' ');
            }
            Map<String, String> attributes = Map.of("coordinates", names.toString());
            array(group, "i", ArraySpec.of("int8", 2), new byte[] {5, 6}, Map.of(), "i");
            array(group, "v", ArraySpec.of("int8", 2), new byte[] {5, 6}, attributes, "i");
        }
        Json labels = json("element/data/v?at=1").get("labels").orElseThrow();
        assertEquals(16, ((Json.Arr) labels).items().size());
    }

    @Test
    void tile_ofAnyRankAndType() throws IOException {
        try (ZarrArray scalar = Zarr.createArray(folder.resolve("s").toString(), ArraySpec.of("float32"))) {
            scalar.write(scalar.domain(), new float[] {Float.NaN}, 0);
            assertEquals(0, tile("s").getRGB(0, 0) >>> 24, "not a number: transparent");
            scalar.write(scalar.domain(), new float[] {1}, 0);
            assertEquals(0xffffffff, tile("s").getRGB(0, 0));
        }
        try (ZarrArray bits = Zarr.createArray(folder.resolve("b").toString(), ArraySpec.of("bool", 2, 3))) {
            bits.write(bits.domain(), new boolean[] {false, true, false, false, false, true}, 0);
            BufferedImage image = tile("b");
            assertEquals(List.of(0, 255, 255), List.of(gray(image, 0, 0), gray(image, 1, 0), gray(image, 2, 1)));
            BufferedImage turned = tile("b?x=0&y=1");
            assertEquals(List.of(255, 255, 0), List.of(gray(turned, 0, 1), gray(turned, 1, 2), gray(turned, 1, 1)));
        }
        try (ZarrArray labels = Zarr.createArray(folder.resolve("l").toString(), ArraySpec.of("uint64", 4))) {
            labels.write(labels.domain(), new long[] {0, 1, 2, 1}, 0);
            BufferedImage image = tile("l?colours=labels");
            assertEquals(0, image.getRGB(0, 0) >>> 24);
            assertEquals(image.getRGB(1, 0), image.getRGB(3, 0));
            assertTrue(image.getRGB(1, 0) != image.getRGB(2, 0));
        }
        Zarr.createArray(folder.resolve("t").toString(), ArraySpec.of("string", 3))
                .close();
        RawHttp.Reply text = RawHttp.get(server, "/__view/tile/t");
        assertEquals(422, text.status());
        assertTrue(text.text().contains("string"), text.text());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x=3",
                "x=1&y=1",
                "x=-2",
                "at=0,0",
                "at=3,0,0",
                "at=0,0,0&x=1&y=0",
                "left=300",
                "top=-1",
                "step=0",
                "step=64",
                "step=99999999999999999999",
                "black=a",
                "colours=none",
                "left=%31",
                "at=0;0"
            })
    void tile_outsideOfThePlane_isRefused(String query) throws IOException {
        volume();
        int status = RawHttp.get(server, "/__view/tile/v?" + query).status();
        assertEquals(query.equals("at=0,0,0&x=1&y=0") ? 200 : 400, status);
    }

    @Test
    void statistics_areThoseOfThePlane() throws IOException {
        volume();
        Json.Obj facts = json("statistics/v?at=1,0,0");
        assertEquals("1000.0", facts.members().get("min").toString());
        assertEquals("2199.0", facts.members().get("max").toString());
        assertEquals("1200", facts.members().get("elements").toString());
        assertEquals(
                "1.0", json("statistics/v?at=2,0,0").members().get("fill_share").toString());
    }

    @Test
    void statistics_countMissingElementsOnly() throws IOException {
        Json.Obj attributes = Json.object().with("_FillValue", Json.of(-32768));
        ArraySpec spec = ArraySpec.of("int16", 1, 5).withAttributes(attributes);
        try (ZarrArray array = Zarr.createArray(folder.resolve("m").toString(), spec)) {
            array.write(array.domain(), new short[] {-32768, 4, -32768, 6, 5}, 0);
        }
        Json.Obj facts = json("statistics/m");
        assertEquals("2", facts.members().get("missing").toString());
        assertEquals("0", facts.members().get("not_finite").toString());
        assertEquals("4.0", facts.members().get("min").toString());
        assertEquals("6.0", facts.members().get("max").toString());
    }

    @Test
    void statistics_ofAPlaneOfManyAbsentChunks_areThoseOfItsElements() throws IOException {
        ArraySpec spec =
                ArraySpec.of("int16", 3, 1000, 600).withChunkShape(1, 2, 2).withFillValue(Json.of(-3));
        try (ZarrArray array = Zarr.createArray(folder.resolve("s").toString(), spec)) {
            array.write(Box.of(new long[] {1, 501, 99}, new long[] {1, 3, 2}), new short[] {1, 2, 3, 4, 5, 6}, 0);
        }
        Json.Obj facts = json("statistics/s?at=1,0,0");
        assertEquals("600000", facts.members().get("elements").toString());
        assertEquals("-3.0", facts.members().get("min").toString());
        assertEquals("6.0", facts.members().get("max").toString());
        assertEquals(
                Double.toString(599_994 / 600_000.0),
                facts.members().get("fill_share").toString());
    }

    @Test
    void storage_isThatOfThePlanesShards() throws IOException {
        volume();
        Json.Obj map = json("storage/v?at=1,0,0");
        assertEquals(
                "[3,1]",
                "[" + map.members().get("columns") + "," + map.members().get("rows") + "]");
        Json.Obj shard =
                (Json.Obj) ((Json.Arr) map.members().get("entries")).items().get(2);
        assertEquals("[1,0,2]", shard.members().get("cell").toString());
        assertEquals(
                String.valueOf(Files.size(folder.resolve("v/c/1/0/2"))),
                shard.members().get("size").toString());
        assertEquals("800", shard.members().get("raw").toString());
        assertEquals("4", shard.members().get("inner_chunks_stored").toString());
        assertEquals("0", shard.members().get("unused").toString());
        byte[] stored = Files.readAllBytes(folder.resolve("v/c/1/0/2"));
        byte[] wider = new byte[stored.length + 7];
        int index = stored.length - 4 * 16 - 4; // four entries and a checksum
        System.arraycopy(stored, 0, wider, 0, index);
        System.arraycopy(stored, index, wider, index + 7, stored.length - index);
        Files.write(folder.resolve("v/c/1/0/2"), wider);
        Json.Obj changed =
                (Json.Obj) ((Json.Arr) json("storage/v?at=1,0,0").members().get("entries"))
                        .items()
                        .get(2);
        assertEquals("7", changed.members().get("unused").toString());
        Json.Obj absent =
                (Json.Obj) ((Json.Arr) json("storage/v?at=2,0,0").members().get("entries"))
                        .items()
                        .get(0);
        assertEquals("0", absent.members().get("size").toString());
        Zarr.createArray(
                        folder.resolve("many").toString(),
                        ArraySpec.of("uint8", 1L << 40).withChunkShape(1))
                .close();
        assertEquals(422, RawHttp.get(server, "/__view/storage/many").status());
    }

    @Test
    void node_ofFoldersGroupsAndArrays() throws IOException {
        volume();
        Files.createDirectories(folder.resolve("__shardkit"));
        assertEquals("{\"type\":\"folder\",\"children\":[\"v\"]}", json("node/").toString());
        Json.Obj array = json("node/v");
        assertEquals("\"array\"", array.members().get("type").toString());
        assertEquals("[1,2,50]", array.members().get("chunk_shape").toString());
        assertEquals(404, RawHttp.get(server, "/__view/node/none").status());
        Files.writeString(folder.resolve("v/zarr.json"), "{\"zarr_format\":3");
        RawHttp.Reply broken = RawHttp.get(server, "/__view/node/v");
        assertEquals(422, broken.status());
    }

    @Test
    void page_isForItselfOnly() throws IOException {
        RawHttp.Reply page = RawHttp.get(server, "/__view/");
        assertEquals(200, page.status());
        assertTrue(page.header("content-security-policy").contains("script-src 'self'"));
        assertFalse(page.header("content-security-policy").contains("unsafe"));
        assertFalse(page.text().contains("http"), "no outside resource");
        assertEquals(
                403,
                RawHttp.get(server, "/__view/node/", "Sec-Fetch-Site: cross-site")
                        .status());
        assertEquals(
                200, RawHttp.get(server, "/__view/", "Sec-Fetch-Site: none").status());
        for (String path : List.of(
                "/__view",
                "/__view/other.js",
                "/__view/../__view/",
                "/__view/node/%2e%2e/",
                "/__view/node/__shardkit/",
                "/__view/other/v",
                "/__view/view/main.js")) {
            assertEquals(404, RawHttp.get(server, path).status(), path);
        }
        RawHttp.Reply visit = RawHttp.get(server, "/", "Sec-Fetch-Dest: document");
        assertEquals(302, visit.status());
        assertEquals("/__view/", visit.header("location"));
        assertEquals(404, RawHttp.get(server, "/__view/node/.../").status());
    }
}
