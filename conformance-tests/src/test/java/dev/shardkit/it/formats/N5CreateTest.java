package dev.shardkit.it.formats;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.StagedArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** New arrays of N5: created, copied and staged, in every compression. Their libraries read them in interop tests. */
@Timeout(120)
class N5CreateTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();

    @TempDir
    Path folder;

    private String at(String name) {
        return "n5:" + folder.resolve(name);
    }

    private static short[] values(long count) {
        short[] values = new short[Math.toIntExact(count)];
        for (int i = values.length / 3; i < values.length; i++) {
            values[i] = (short) (i * 7919);
        }
        return values;
    }

    private static void fill(ZarrArray array) {
        array.write(array.domain(), values(array.domain().count()), 0);
    }

    private static void holds(String location) {
        try (ZarrArray array = Zarr.openArray(location)) {
            assertEquals(Optional.of("n5"), array.nodeFormat());
            assertArrayEquals(values(array.domain().count()), array.read().shorts(), location);
            assertEquals(0, Verification.of(array).run(finding -> {}).errors(), location);
        }
    }

    private String document(String name) throws IOException {
        return Files.readString(folder.resolve(name).resolve("attributes.json"));
    }

    @Test
    void arrays_areCreated_inEveryCompression() throws IOException {
        ArraySpec spec = ArraySpec.of("uint16", 30, 21, 10).withChunkShape(16, 8, 9);
        for (String codec : List.of(
                "raw",
                "none",
                "gzip",
                "gzip:9",
                "zlib:1",
                "bzip2:3",
                "xz:1",
                "zstd:-3",
                "blosc",
                "blosc:lz4hc:7",
                "lz4")) {
            String name = codec.replace(':', '-');
            try (ZarrArray array = Zarr.createArray(at(name), spec.withCodecs(Json.of(codec)))) {
                fill(array);
            }
            holds(at(name));
            assertTrue(Files.exists(folder.resolve(name).resolve("1/1/1")), "N5's keys");
        }
        assertEquals(
                "{\"dimensions\":[30,21,10],\"blockSize\":[16,8,9],\"dataType\":\"uint16\",\"compression\":"
                        + "{\"type\":\"gzip\",\"level\":1,\"useZlib\":true}}",
                document("zlib-1"));
        Zarr.createArray(at("usual"), ArraySpec.of("uint16", 4000, 3000, 5).withFillValue(0))
                .close();
        assertTrue(document("usual").contains("{\"type\":\"gzip\",\"level\":-1,\"useZlib\":false}"), document("usual"));
        try (ZarrArray array = Zarr.openArray(at("usual"))) {
            long[] block = array.chunkShape();
            long bytes = 2 * block[0] * block[1] * block[2];
            assertTrue(bytes <= 1 << 20 && bytes > 1 << 18, () -> "" + bytes);
        }
    }

    @Test
    void namesAndAttributes_areStored_whereN5HasThem() throws IOException {
        ArraySpec spec = ArraySpec.of("float32", 4, 5)
                .withDimensionNames("x", "y")
                .withAttributes(Json.object().with("unit", Json.of("m")));
        Zarr.createArray(at("a"), spec).close();
        assertTrue(document("a").contains("\"unit\":\"m\",\"axes\":[\"x\",\"y\"]"), document("a"));
        try (ZarrArray array = Zarr.openArray(at("a"))) {
            assertEquals(
                    List.of(Optional.of("x"), Optional.of("y")),
                    array.dimensionNames().orElseThrow());
            assertEquals(Optional.of(Json.of("m")), array.attributes().get("unit"));
            Copy.of(array).to(Zarr.openStore(at("b"), OPTIONS), OPTIONS);
        }
        assertEquals(document("a"), document("b"), "a copy keeps all of it");
        says(
                "a name that N5 itself uses",
                "c",
                spec.withAttributes(Json.object().with("dataType", Json.of(1))));
        says("in the attribute axes", "c", spec.withAttributes(Json.object().with("axes", Json.of("z"))));
    }

    @Test
    void arraysOfZarr_areCopied() throws IOException {
        ArraySpec spec = ArraySpec.of("uint16", 33, 29, 41)
                .withChunkShape(10, 11, 12)
                .withShardShape(20, 22, 24)
                .withFillValue(7);
        try (ZarrArray from = Zarr.createArray(folder.resolve("zarr").toString(), spec);
                Store to = Zarr.openStore(at("copy"), OPTIONS);
                Store other = Zarr.openStore(folder.resolve("by-options").toString(), OPTIONS)) {
            fill(from);
            Copy.of(from).to(to, OPTIONS);
            Copy.of(from).withChunkShape(5, 29, 41).withCodecs(Json.of("zstd")).to(other, OPTIONS.withFormat("n5"));
        }
        holds(at("copy"));
        holds(at("by-options"));
        assertTrue(document("copy").contains("\"blockSize\":[10,11,12]"), "the inner chunks of the source");
        assertTrue(document("by-options").contains("\"blockSize\":[5,29,41]"), document("by-options"));
    }

    @Test
    void stagedArrays_areNotSeen_beforeTheyArePublished() {
        ArraySpec spec = ArraySpec.of("uint16", 30, 21).withChunkShape(16, 8);
        try (Store store = Zarr.openStore(at("staged"), OPTIONS)) {
            StagedArray staged = Zarr.stageArray(store, "a/b", spec, IfExists.REFUSE, OPTIONS);
            fill(staged.array());
            assertEquals(Optional.empty(), Zarr.find(store, "a/b", OPTIONS));
            StoreException leftovers = assertThrows(
                    StoreException.class,
                    () -> Zarr.stageArray(store, "a/b", spec, IfExists.REFUSE, OPTIONS),
                    "the blocks of the first would become elements of the second");
            assertTrue(leftovers.getMessage().contains("expected an empty place"), leftovers.getMessage());
            staged.publish();
            assertArrayEquals(
                    values(630), Zarr.openArray(store, "a/b", OPTIONS).read().shorts());
        }
        holds(at("staged/a/b"));
        says("already exists", "staged/a/b", spec);
    }

    @Test
    void stagedArrays_refuseAPlace_thatBecameANodeOfZarr() throws IOException {
        ArraySpec spec = ArraySpec.of("uint16", 30, 21).withChunkShape(16, 8);
        try (Store store = Zarr.openStore(at("staged"), OPTIONS)) {
            StagedArray staged = Zarr.stageArray(store, "", spec, IfExists.REFUSE, OPTIONS);
            Files.createDirectories(folder.resolve("staged"));
            Files.writeString(folder.resolve("staged/zarr.json"), "{\"zarr_format\":3,\"node_type\":\"group\"}");
            StoreException e = assertThrows(StoreException.class, staged::publish);
            assertTrue(e.getMessage().contains("Zarr v3 already exists here"), e.getMessage());
            assertFalse(Files.exists(folder.resolve("staged/attributes.json")));
        }
    }

    @Test
    void whatN5Lacks_isRefused_andNothingIsWritten() {
        for (String type : List.of("bool", "complex64", "string", "float16", "int4")) {
            says("found " + type, "refused", ArraySpec.of(type, 4));
        }
        ArraySpec spec = ArraySpec.of("uint8", 16);
        says("a fill value other than 0", "refused", spec.withFillValue(3));
        says("no shards", "refused", spec.withChunkShape(4).withShardShape(8));
        says("at least one dimension", "refused", ArraySpec.of("uint8"));
        says("found brotli", "refused", spec.withCodecs(Json.of("brotli")));
        says("found gzip:lz4:1", "refused", spec.withCodecs(Json.of("gzip:lz4:1")));
        says("/compression/level", "refused", spec.withCodecs(Json.of("gzip:99")));
        says("/compression/cname", "refused", spec.withCodecs(Json.of("blosc:brotli:5")));
        says("name of one encoding", "refused", spec.withCodecs(Json.of("gzip"), Json.of("zstd")));
        says("/blockSize", "refused", spec.withChunkShape(0));
        says("/blockSize", "refused", spec.withChunkShape(1L << 40));
        assertFalse(Files.exists(folder.resolve("refused")));
    }

    private void says(String text, String name, ArraySpec spec) {
        RuntimeException e = assertThrows(RuntimeException.class, () -> Zarr.createArray(at(name), spec));
        assertTrue(e.getMessage().contains(text), e.getMessage());
    }
}
