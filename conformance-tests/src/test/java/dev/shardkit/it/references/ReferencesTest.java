package dev.shardkit.it.references;

import static dev.shardkit.testing.Values.at;
import static dev.shardkit.testing.Values.box;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.metadata.JsonDocuments;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testing.Log;
import dev.shardkit.testkit.server.RangeServer;
import dev.shardkit.testkit.server.RangeServer.Hit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Arrays whose chunks are ranges of one foreign file, described by a document of references. */
@Timeout(120)
class ReferencesTest {
    private static final int HEADER = 1000;
    private static final int CHUNK = 16 * 16 * 2;

    @TempDir
    Path folder;

    /**
     * An array of 64 x 64 in chunks of 16 x 16, the chunks one behind the other in C order; chunk (3, 3) is missing.
     */
    private static byte[] file() {
        ByteBuffer file = ByteBuffer.allocate(HEADER + 15 * CHUNK + 77).order(ByteOrder.LITTLE_ENDIAN);
        for (int cell = 0; cell < 15; cell++) {
            file.position(HEADER + cell * CHUNK);
            for (int i = 0; i < 256; i++) {
                file.putShort((short) value(cell / 4 * 16 + i / 16, cell % 4 * 16 + i % 16));
            }
        }
        return file.array();
    }

    private static int value(int y, int x) {
        return y >= 48 && x >= 48 ? 9 : y * 64 + x;
    }

    private static short[] expected(int y0, int x0, int h, int w) {
        short[] all = new short[h * w];
        for (int i = 0; i < all.length; i++) {
            all[i] = (short) value(y0 + i / w, x0 + i % w);
        }
        return all;
    }

    private static Json list(Object... items) {
        List<Json> list = new ArrayList<>();
        for (Object item : items) {
            list.add(item instanceof String s ? Json.of(s) : Json.of(((Number) item).longValue()));
        }
        return new Json.Arr(list);
    }

    private static byte[] document(String url) {
        Map<String, Json> refs = new LinkedHashMap<>();
        refs.put("zarr.json", Json.of("{\"zarr_format\":3,\"node_type\":\"group\"}"));
        ArraySpec spec = ArraySpec.of("int16", 64, 64)
                .withChunkShape(16, 16)
                .withFillValue(Json.of(9))
                .withCodecs(Codecs.bytesLittleEndian());
        refs.put(
                "air/zarr.json",
                JsonDocuments.read(
                        MetadataWriter.write(Zarr.describe(spec, ZarrOptions.defaults())),
                        dev.shardkit.spi.codec.Limits.defaults()));
        for (int cell = 0; cell < 15; cell++) {
            refs.put("air/c/" + cell / 4 + "/" + cell % 4, list(url, HEADER + cell * CHUNK, CHUNK));
        }
        return JsonDocuments.text(Json.object().with("version", Json.of(1)).with("refs", new Json.Obj(refs)))
                .getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void files_areReadInPlace_asArraysAndGroups() throws IOException {
        Files.write(folder.resolve("air.bin"), file());
        Files.write(folder.resolve("refs.json"), document("air.bin"));
        String location = "reference:" + folder.resolve("refs.json");
        Log log = new Log();
        try (ZarrArray array =
                Zarr.openArray(location + "!air", ZarrOptions.defaults().withListener(log))) {
            assertArrayEquals(expected(0, 0, 64, 64), array.read().shorts());
            log.clear();
            assertArrayEquals(
                    expected(10, 10, 30, 30),
                    array.read(box(at(10, 10), 30, 30)).shorts());
            assertEquals(
                    List.of("request __target/0"),
                    log.of("request ").stream().distinct().toList());
            assertTrue(log.of("request ").size() <= 3, () -> log.of("request ").toString());
            UnsupportedException e =
                    assertThrows(UnsupportedException.class, () -> array.write(box(at(0, 0), 64, 64), array.read()));
            assertTrue(e.getMessage().contains("cannot write"), e.getMessage());
        }
        try (ZarrGroup group = Zarr.openGroup(location)) {
            assertEquals(List.of("air"), List.copyOf(group.childNames()));
            assertArrayEquals(
                    expected(48, 48, 16, 16),
                    group.array("air").read(box(at(48, 48), 16, 16)).shorts());
        }
    }

    @Test
    void neighboursInOneObject_areOneRequest_andMissingChunksNone() {
        try (RangeServer server = RangeServer.start()) {
            server.put("d/air.bin", file()).put("d/refs.json", document("air.bin"));
            try (ZarrArray array = Zarr.openArray("reference:" + server.uri() + "/d/refs.json!air")) {
                server.clearLog();
                assertArrayEquals(expected(0, 0, 64, 64), array.read().shorts());
                List<Hit> log = server.log();
                assertEquals(1, log.size(), log::toString);
                assertEquals(
                        "bytes=" + HEADER + "-" + (HEADER + 15 * CHUNK - 1),
                        log.get(0).range().orElseThrow());
                server.clearLog();
                assertArrayEquals(
                        expected(16, 16, 16, 16),
                        array.read(box(at(16, 16), 16, 16)).shorts());
                assertEquals(
                        "bytes=" + (HEADER + 5 * CHUNK) + "-" + (HEADER + 6 * CHUNK - 1),
                        server.log().get(0).range().orElseThrow());
                server.clearLog();
                assertArrayEquals(
                        expected(48, 48, 16, 16),
                        array.read(box(at(48, 48), 16, 16)).shorts());
                assertEquals(List.of(), server.log());
            }
            try (ZarrGroup group = Zarr.openGroup("reference:" + server.uri() + "/d/refs.json")) {
                assertEquals(List.of("air"), List.copyOf(group.childNames()));
            }
        }
    }

    @Test
    void objectsThatChangeOrGo_areNoticed() {
        try (RangeServer server = RangeServer.start()) {
            server.put("d/air.bin", file()).put("d/refs.json", document("air.bin"));
            try (ZarrArray array = Zarr.openArray("reference:" + server.uri() + "/d/refs.json!air")) {
                server.put("d/air.bin", new byte[HEADER + CHUNK]);
                assertThrows(CorruptDataException.class, array::read);
                server.remove("d/air.bin");
                StoreException e = assertThrows(StoreException.class, array::read);
                assertTrue(e.getMessage().contains("a reference to a missing object"), e.getMessage());
            }
        }
    }

    @Test
    void pieces_areOneShard_withItsIndexBesideTheFile() throws IOException {
        ArraySpec spec = ArraySpec.of("int16", 64, 64)
                .withChunkShape(16, 16)
                .withShardShape(64, 64)
                .withFillValue(Json.of(9))
                .withCodecs(Codecs.bytesLittleEndian());
        byte[] file = file();
        ByteBuffer index = ByteBuffer.allocate(16 * 16).order(ByteOrder.LITTLE_ENDIAN);
        for (int cell = 0; cell < 16; cell++) {
            index.putLong(cell == 15 ? -1 : HEADER + cell * CHUNK).putLong(cell == 15 ? -1 : CHUNK);
        }
        java.util.zip.CRC32C sum = new java.util.zip.CRC32C();
        sum.update(index.array());
        ByteArrayOutputStream tail = new ByteArrayOutputStream();
        tail.writeBytes(index.array());
        tail.writeBytes(ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt((int) sum.getValue())
                .array());
        Json shard = new Json.Arr(List.of(
                list("air.bin", 0, file.length, file.length),
                Json.of("base64:" + java.util.Base64.getEncoder().encodeToString(tail.toByteArray()))));
        Json.Obj document = Json.object()
                .with(
                        "zarr.json",
                        JsonDocuments.read(
                                MetadataWriter.write(Zarr.describe(spec, ZarrOptions.defaults())),
                                dev.shardkit.spi.codec.Limits.defaults()))
                .with("c/0/0", shard);
        Files.write(folder.resolve("air.bin"), file);
        Files.writeString(folder.resolve("adopted.json"), JsonDocuments.text(document));
        String location = "reference:" + folder.resolve("adopted.json");
        try (ZarrArray array = Zarr.openArray(location)) {
            assertTrue(array.isSharded());
            assertArrayEquals(expected(0, 0, 64, 64), array.read().shorts());
            assertArrayEquals(
                    expected(5, 20, 20, 20), array.read(box(at(5, 20), 20, 20)).shorts());
            Files.write(folder.resolve("air.bin"), java.util.Arrays.copyOf(file, file.length + 1));
            CorruptDataException e = assertThrows(CorruptDataException.class, array::read);
            assertTrue(e.getMessage().contains("has changed: expected " + file.length), e.getMessage());
        }
        try (RangeServer server = RangeServer.start()) {
            server.put("air.bin", file).put("adopted.json", Files.readAllBytes(folder.resolve("adopted.json")));
            try (ZarrArray array = Zarr.openArray("reference:" + server.uri() + "/adopted.json")) {
                server.clearLog();
                assertArrayEquals(expected(0, 0, 64, 64), array.read().shorts());
                assertEquals(1, server.log().size(), () -> server.log().toString());
            }
        }
    }

    /** What kerchunk writes: nodes of format 2. */
    @Test
    void nodesOfFormat2_areReadToo() throws IOException {
        Files.write(folder.resolve("air.bin"), file());
        Json.Obj refs = Json.object()
                .with(".zgroup", Json.of("{\"zarr_format\":2}"))
                .with(
                        "air/.zarray",
                        Json.of(
                                "{\"zarr_format\":2,\"shape\":[64,64],\"chunks\":[16,16],\"dtype\":\"<i2\",\"fill_value\":9,"
                                        + "\"order\":\"C\",\"filters\":null,\"compressor\":null}"));
        for (int cell = 0; cell < 15; cell++) {
            refs = refs.with("air/" + cell / 4 + "." + cell % 4, list("air.bin", HEADER + cell * CHUNK, CHUNK));
        }
        Files.writeString(folder.resolve("refs.json"), JsonDocuments.text(refs));
        try (ZarrGroup group = Zarr.openGroup("reference:" + folder.resolve("refs.json"))) {
            assertEquals(List.of("air"), List.copyOf(group.childNames()));
            assertArrayEquals(expected(0, 0, 64, 64), group.array("air").read().shorts());
        }
        try (RangeServer server = RangeServer.start()) {
            server.put("air.bin", file()).put("refs.json", Files.readAllBytes(folder.resolve("refs.json")));
            try (ZarrArray array = Zarr.openArray("reference:" + server.uri() + "/refs.json!air")) {
                server.clearLog();
                assertArrayEquals(expected(0, 0, 64, 64), array.read().shorts());
                assertEquals(1, server.log().size(), () -> server.log().toString());
            }
        }
    }
}
