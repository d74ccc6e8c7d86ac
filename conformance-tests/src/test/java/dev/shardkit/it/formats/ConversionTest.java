package dev.shardkit.it.formats;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.convert.Conversion;
import dev.shardkit.maintenance.convert.Conversion.Outcome;
import dev.shardkit.maintenance.convert.Conversion.Summary;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testing.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conversions of the fixtures and of trees made of them: in place and to another store, and what is left whole. */
@Timeout(120)
class ConversionTest {
    private static final Path ARRAYS = Path.of("fixtures", "arrays").toAbsolutePath();
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults().withDurability(Durability.ATOMIC);
    private static final String GROUP = "{\"zarr_format\": 2}";

    @TempDir
    Path folder;

    private Path copied(String name, String as) throws IOException {
        Path to = folder.resolve(as);
        try (Stream<Path> files = Files.walk(ARRAYS.resolve(name))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path target = to.resolve(
                        ARRAYS.resolve(name).relativize(file).toString().replace('\\', '/'));
                Files.createDirectories(target.getParent());
                Files.copy(file, target);
            }
        }
        return to;
    }

    /** A group with attributes, two arrays in it and a group with one more. */
    private Path tree() throws IOException {
        Path root = folder.resolve("tree");
        copied("v2_f8_be_blosc.zarr", "tree/blosc");
        copied("v2_i2_forder.zarr", "tree/forder");
        copied("v2_u1_slash.zarr", "tree/g/slash");
        Files.writeString(root.resolve(".zgroup"), GROUP);
        Files.writeString(root.resolve(".zattrs"), "{\"title\": \"a tree\"}");
        Files.writeString(root.resolve("g/.zgroup"), GROUP);
        return root;
    }

    private static Map<String, byte[]> files(Path root) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(root)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(root.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
            }
        }
        return files;
    }

    private static Summary inPlace(Path root, Map<String, Outcome> told) {
        try (Store store = Zarr.openStore(root.toString(), OPTIONS)) {
            return Conversion.inPlace(store, OPTIONS).run(Mode.APPLY, n -> told.put(n.path(), n.outcome()));
        }
    }

    private static Summary to(Path root, Path target, Map<String, Outcome> told) {
        try (Store store = Zarr.openStore(root.toString(), OPTIONS);
                Store other = Zarr.openStore(target.toString(), OPTIONS)) {
            return Conversion.to(store, other, OPTIONS).run(Mode.APPLY, n -> told.put(n.path(), n.outcome()));
        }
    }

    private static Object values(Path root, String path) {
        try (Store store = Zarr.openStore(root.toString(), OPTIONS)) {
            return Zarr.openArray(store, path, OPTIONS).read().array();
        }
    }

    private static void assertSame(Object expected, Object found) {
        assertTrue(java.util.Objects.deepEquals(expected, found), "the same elements");
    }

    @Test
    void tree_inPlace_getsDocumentsOnly_andASecondTimeNothing() throws IOException {
        Path root = tree();
        Map<String, byte[]> before = files(root);
        Object blosc = values(root, "blosc");
        Object forder = values(root, "forder");
        Map<String, Outcome> told = new TreeMap<>();
        assertEquals(new Summary(5, 5, 0, 0, 0), inPlace(root, told));
        assertEquals(
                Map.of(
                        "",
                        Outcome.DESCRIBED,
                        "blosc",
                        Outcome.DESCRIBED,
                        "forder",
                        Outcome.DESCRIBED,
                        "g",
                        Outcome.DESCRIBED,
                        "g/slash",
                        Outcome.DESCRIBED),
                told);
        Map<String, byte[]> after = files(root);
        before.forEach((name, bytes) -> assertArrayEquals(bytes, after.remove(name), name));
        assertEquals(
                List.of("blosc/zarr.json", "forder/zarr.json", "g/slash/zarr.json", "g/zarr.json", "zarr.json"),
                List.copyOf(after.keySet()));
        try (ZarrGroup group = Zarr.openGroup(root.toString())) {
            assertEquals(Optional.empty(), group.nodeFormat());
            assertEquals(Json.of("a tree"), group.attributes().get("title").orElseThrow());
            assertEquals(Optional.empty(), group.array("g/slash").nodeFormat());
            assertSame(blosc, group.array("blosc").read().array());
            assertSame(forder, group.array("forder").read().array());
        }
        assertEquals(new Summary(5, 0, 5, 0, 0), inPlace(root, told));
    }

    @Test
    void codecWithoutAName_isRefusedInPlace_andEncodedAnewElsewhere() throws IOException {
        Path root = tree();
        copied("v2_i4_zlib.zarr", "tree/zlib");
        Map<String, byte[]> before = files(root);
        Map<String, Outcome> told = new TreeMap<>();
        assertEquals(1, inPlace(root, told).refused());
        assertEquals(Map.of("zlib", Outcome.REFUSED), told);
        assertEquals(before.keySet(), files(root).keySet(), "nothing is written where one is refused");
        try (Store store = Zarr.openStore(root.toString(), OPTIONS)) {
            assertEquals(
                    6,
                    Conversion.inPlace(store, OPTIONS)
                            .withNamesOfNumcodecs()
                            .run(Mode.DRY_RUN, n -> {})
                            .converted());
        }

        Path target = folder.resolve("target");
        told.clear();
        Summary summary = to(root, target, told);
        assertEquals(Outcome.RECODED, told.get("zlib"));
        assertEquals(Outcome.COPIED, told.get("forder"));
        assertEquals(6, summary.converted());
        for (String path : List.of("zlib", "blosc", "forder", "g/slash")) {
            assertSame(values(root, path), values(target, path));
        }
        assertTrue(Files.readString(target.resolve("zlib/zarr.json")).contains("\"gzip\""));
        assertArrayEquals(
                Files.readAllBytes(root.resolve("forder/0.0")), Files.readAllBytes(target.resolve("forder/0.0")));
        assertEquals(before.keySet(), files(root).keySet());
        assertFalse(Files.exists(target.resolve("__unfinished")));
        assertEquals(new Summary(6, 0, 6, 0, 0), to(root, target, told));
    }

    /** Where a conversion has ended after its first node. */
    private Path killed(Path root) {
        Path target = folder.resolve("killed");
        try (Store source = Zarr.openStore(root.toString(), OPTIONS);
                Store to = Zarr.openStore(target.toString(), OPTIONS)) {
            assertThrows(IllegalStateException.class, () -> Conversion.to(source, to, OPTIONS)
                    .run(Mode.APPLY, node -> {
                        throw new IllegalStateException("killed");
                    }));
        }
        return target;
    }

    @Test
    void sourceThatHasChanged_isNotMixed() throws IOException {
        Path root = tree();
        Path target = killed(root);
        byte[] chunk = Files.readAllBytes(root.resolve("forder/0.0"));
        chunk[0] ^= 1;
        Files.write(folder.resolve("new"), chunk);
        Files.move(
                folder.resolve("new"), root.resolve("forder/0.0"), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        StoreException e = assertThrows(StoreException.class, () -> to(root, target, new TreeMap<>()));
        assertTrue(e.getMessage().contains("has changed since its conversion"), e.getMessage());
    }

    @Test
    void whatWasCutShort_goesOn_andOtherPlacesAreLeftAlone() throws IOException {
        Path root = tree();
        Path target = folder.resolve("target");
        to(root, target, new TreeMap<>());
        Map<String, byte[]> whole = files(target);
        Files.delete(target.resolve("zarr.json"));
        assertThrows(
                StoreException.class, () -> to(root, target, new TreeMap<>()), "nothing says that it is unfinished");
        Files.copy(killed(root).resolve("__unfinished"), target.resolve("__unfinished"));
        Files.delete(target.resolve("forder/zarr.json"));
        Files.delete(target.resolve("forder/0.1"));
        Map<String, Outcome> told = new TreeMap<>();
        Summary summary = to(root, target, told);
        assertEquals(1, summary.objects(), "the chunk that was missing");
        assertEquals(Outcome.UNCHANGED, told.get("blosc"));
        Map<String, byte[]> again = files(target);
        assertEquals(whole.keySet(), again.keySet());
        whole.forEach((name, bytes) -> assertArrayEquals(bytes, again.get(name), name));
    }

    @Test
    void nodeOfAnotherProgram_inTheTarget_doesNotCountAsConverted() throws IOException {
        Path root = tree();
        Path target = killed(root);
        Path taken = target.resolve("g/slash");
        assertFalse(Files.exists(taken.resolve("zarr.json")));
        Zarr.createArray(taken.toString(), ArraySpec.of("int8", 3)).close();
        StoreException e = assertThrows(StoreException.class, () -> to(root, target, new TreeMap<>()));
        assertTrue(e.getMessage().contains("g/slash") && e.getMessage().contains("found [3]"), e.getMessage());
        Files.delete(taken.resolve("zarr.json"));
        assertEquals(0, to(root, target, new TreeMap<>()).refused());
        assertSame(values(root, "g/slash"), values(target, "g/slash"));
    }

    @Test
    void transformerWithKeysOfZarrV3_becomesShardsInPlace() throws IOException {
        Path root = copied("draft_hand_v3.zarr", "draft");
        Object values = values(root, "foo/baz");
        Map<String, byte[]> before = files(root);
        assertEquals(1, inPlace(root.resolve("foo/baz"), new TreeMap<>()).converted());
        Map<String, byte[]> after = files(root);
        before.forEach((name, bytes) -> {
            if (!name.endsWith("baz/zarr.json")) {
                assertArrayEquals(bytes, after.get(name), name);
            }
        });
        try (ZarrArray array = Zarr.openArray(root.resolve("foo/baz").toString())) {
            assertTrue(array.isSharded());
            assertArrayEquals(new long[] {2, 2}, array.chunkShape());
            assertArrayEquals(new long[] {4, 4}, array.storedChunkShape());
            assertSame(values, array.read().array());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"draft_hand.zarr", "draft_zarr2_slash.zarr", "draft_zarr2_gzip.zarr", "draft_zarr2_dot_1d.zarr"})
    void draft_isCopiedToShards(String name) throws IOException {
        Path root = copied(name, "draft");
        Object values = values(root, "foo/baz");
        assertEquals(1, inPlace(root, new TreeMap<>()).refused(), "its keys are not those of Zarr v3");
        Path target = folder.resolve("target");
        Map<String, Outcome> told = new TreeMap<>();
        to(root, target, told);
        assertEquals(Map.of("", Outcome.DESCRIBED, "foo", Outcome.DESCRIBED, "foo/baz", Outcome.COPIED), told);
        try (ZarrGroup group = Zarr.openGroup(target.toString())) {
            assertTrue(group.array("foo/baz").isSharded());
            assertSame(values, group.array("foo/baz").read().array());
        }
    }

    @Test
    void stackedTransformers_becomeNestedShards() throws IOException {
        Path root = folder.resolve("stacked");
        Files.createDirectories(root);
        Files.writeString(root.resolve("zarr.json"), """
        {"zarr_format": 3, "node_type": "array", "shape": [40, 9], "data_type": "int16",
         "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [3, 2]}},
         "chunk_key_encoding": {"name": "v2", "configuration": {"separator": "."}}, "fill_value": 7,
         "codecs": [{"name": "transpose", "configuration": {"order": [1, 0]}},
           {"name": "bytes", "configuration": {"endian": "big"}}],
         "storage_transformers": [{"name": "sharding", "configuration": {"chunks_per_shard": [2, 2]}},
           {"name": "sharding", "configuration": {"chunks_per_shard": [3, 1]}}]}""");
        try (ZarrArray array = Zarr.openArray(root.toString(), OPTIONS)) {
            array.write(array.domain(), Values.noise(array, 3), 0);
        }
        Object values = values(root, "");
        assertEquals(1, inPlace(root, new TreeMap<>()).converted());
        try (ZarrArray array = Zarr.openArray(root.toString(), OPTIONS)) {
            assertArrayEquals(new long[] {18, 4}, array.storedChunkShape());
            assertArrayEquals(new long[] {3, 2}, array.chunkShape());
            assertSame(values, array.read().array());
        }
    }
}
