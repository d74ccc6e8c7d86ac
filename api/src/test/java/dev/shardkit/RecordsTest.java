package dev.shardkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.type.ExtensionTypes;
import dev.shardkit.type.StructType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Arrays of records: fields, byte orders, parts, fill values; and those of zarr-python. */
class RecordsTest {
    private static final StructType POINT =
            StructType.of("x", CoreTypes.FLOAT32).with("y", CoreTypes.FLOAT64);
    private static final StructType RECORD = StructType.of("id", CoreTypes.INT32)
            .with("flag", CoreTypes.BOOL)
            .with("point", POINT)
            .with("name", ExtensionTypes.fixedLengthUtf32(2));

    private static NdArray records(long... shape) {
        int n = (int) Box.of(shape).count();
        int[] ids = new int[n];
        boolean[] flags = new boolean[n];
        double[] ys = new double[n];
        String[] names = new String[n];
        for (int i = 0; i < n; i++) {
            ids[i] = i * 1001;
            flags[i] = i % 3 == 0;
            ys[i] = i / 8.0;
            names[i] = "n" + i % 10;
        }
        NdArray empty =
                NdArray.of(RECORD, shape, new byte[n * RECORD.elementSize().orElseThrow()]);
        NdArray points = empty.field("point").withField("y", NdArray.of(CoreTypes.FLOAT64, shape, ys));
        return empty.withField("id", NdArray.of(CoreTypes.INT32, shape, ids))
                .withField("flag", NdArray.of(CoreTypes.BOOL, shape, flags))
                .withField("point", points)
                .withField("name", NdArray.of(ExtensionTypes.fixedLengthUtf32(2), shape, names));
    }

    static Stream<Arguments> layouts() {
        return Stream.of("little", "big").flatMap(order -> Stream.of(ShardWritePolicy.Strategy.values())
                .flatMap(strategy -> Stream.of(true, false).map(s -> Arguments.of(order, strategy, s))));
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void partsAreReadAndWritten(String order, ShardWritePolicy.Strategy strategy, boolean sharded) {
        Json bytes = Json.extension("bytes", Json.object().with("endian", Json.of(order)));
        ArraySpec spec =
                ArraySpec.of(RECORD.json(), 9, 40).withChunkShape(3, 20).withCodecs(bytes);
        ArraySpec layout = sharded ? spec.withShardShape(6, 40) : spec;
        ZarrOptions options = ZarrOptions.defaults()
                .withWritePolicy(ZarrOptions.defaults().writePolicy().withStrategy(strategy));
        NdArray all = records(9, 40);
        try (ZarrArray array = Zarr.createArray(MemoryStore.create(), "a", layout, IfExists.REFUSE, options)) {
            array.write(array.domain(), all);
            assertEquals(all, array.read());
            Box part = Box.of(new long[] {2, 19}, new long[] {3, 4});
            assertEquals(all.slice(part), array.read(part));
            NdArray other = records(3, 4);
            array.write(part, other);
            assertEquals(other, array.read(part));
            assertArrayEquals(
                    other.field("id").ints(), array.field("id").read(part).ints());
            Box row = Box.of(new long[] {8, 0}, new long[] {1, 40});
            assertEquals(all.slice(row), array.read(row));
        }
    }

    @Test
    void bigEndianRecords_haveTheWordsOfTheirFieldsReversed(@TempDir Path dir) throws Exception {
        Json bytes = Json.extension("bytes", Json.object().with("endian", Json.of("big")));
        ArraySpec spec = ArraySpec.of(RECORD.json(), 2).withChunkShape(2).withCodecs(bytes);
        try (ZarrArray array = Zarr.createArray(dir.resolve("a").toString(), spec)) {
            array.write(array.domain(), records(2));
        }
        ByteBuffer stored = ByteBuffer.wrap(Files.readAllBytes(dir.resolve("a/c/0")));
        assertEquals(50, stored.limit());
        assertEquals(1001, stored.getInt(25));
        assertEquals(0, stored.get(29));
        assertEquals(1 / 8.0, stored.getDouble(34));
        assertEquals('n', stored.getInt(42));
        assertEquals('1', stored.getInt(46));
    }

    @Test
    void missingChunks_haveTheFillValueOfEachField() {
        Json fill = Json.object()
                .with("id", Json.of(-7))
                .with("flag", Json.of(true))
                .with("point", Json.object().with("x", new Json.Num("0.5")).with("y", Json.of("NaN")))
                .with("name", Json.of("ab"));
        ArraySpec spec = ArraySpec.of(RECORD.json(), 4).withChunkShape(2).withFillValue(fill);
        try (ZarrArray array =
                Zarr.createArray(MemoryStore.create(), "a", spec, IfExists.REFUSE, ZarrOptions.defaults())) {
            assertEquals(-7, array.field("id").read().longAt(3));
            assertTrue(Double.isNaN(array.field("point").read().field("y").doubleAt(0)));
            assertEquals("ab", array.field("name").read().strings()[1]);
            assertTrue(
                    array.read().toString().contains("(-7, true, (0.5, NaN), 'ab')"),
                    array.read().toString());
        }
    }

    /** By every way to write: a record that nobody can read again would take its whole chunk along. */
    @Test
    void bytesThatAreNoRecord_areNotWritten() {
        ArraySpec spec = ArraySpec.of(RECORD.json(), 2).withChunkShape(2);
        byte[] bad = records(2).bytes();
        bad[4] = 7; // the field flag is a bool
        try (ZarrArray array =
                Zarr.createArray(MemoryStore.create(), "a", spec, IfExists.REFUSE, ZarrOptions.defaults())) {
            refuses(() -> array.write(array.domain(), bad, 0));
            refuses(() -> array.view().write(bad, 0));
            refuses(() -> {
                try (SliceWriter slices = array.slices(0)) {
                    slices.write(bad, 0, 2);
                }
            });
            assertArrayEquals(new boolean[2], array.field("flag").read().booleans());
        }
    }

    private static void refuses(Executable write) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, write);
        assertTrue(e.getMessage().contains("field \"flag\""), e.getMessage());
    }

    @Test
    void otherFields_andOtherTypes_areRefused() {
        NdArray records = records(2);
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> records.field("z"));
        assertEquals("expected one of the fields [id, flag, point, name], found \"z\"", e.getMessage());
        NdArray numbers = records.field("id");
        e = assertThrows(IllegalArgumentException.class, () -> numbers.field("z"));
        assertEquals("expected records (struct), found data type int32", e.getMessage());
        assertThrows(IllegalArgumentException.class, () -> records.withField("flag", numbers));
        assertThrows(
                IllegalArgumentException.class,
                () -> records.withField("id", records(3).field("id")));
    }

    /** Metadata and bytes as zarr-python 3.1.6 writes them: no byte order, a fill value in base64. */
    @Test
    void structuredOfZarrPython_isRead_andKeepsItsForm(@TempDir Path dir) throws Exception {
        Path array = Files.createDirectories(dir.resolve("a/c")).getParent();
        Files.writeString(array.resolve("zarr.json"), """
            {"zarr_format": 3, "node_type": "array", "shape": [3], "data_type": {"name": "structured",
             "configuration": {"fields": [["id", "int32"], ["v", {"name": "null_terminated_bytes",
             "configuration": {"length_bytes": 2}}]]}}, "chunk_grid": {"name": "regular", "configuration":
             {"chunk_shape": [2]}}, "chunk_key_encoding": {"name": "default"}, "fill_value": "BwAAAGFi",
             "codecs": [{"name": "bytes"}], "attributes": {}}""");
        Files.write(array.resolve("c/0"), new byte[] {1, 0, 0, 0, 'x', 0, 2, 1, 0, 0, 'y', 'z'});
        try (ZarrArray opened = Zarr.openArray(array.toString())) {
            assertArrayEquals(new int[] {1, 258, 7}, opened.field("id").read().ints());
            byte[] texts = opened.field("v").read().bytes();
            assertEquals("x\0yzab", new String(texts, StandardCharsets.US_ASCII));
            opened.resize(new long[] {5}, ResizePolicy.REMOVE);
        }
        String document = Files.readString(array.resolve("zarr.json")).replaceAll("\\s", "");
        assertTrue(document.contains("[\"id\",\"int32\"]") && document.contains("\"BwAAAGFi\""), document);
    }

    static Stream<DataType> complexTypes() {
        return Stream.concat(
                        Stream.of(CoreTypes.FLOAT16),
                        ExtensionTypes.plain().stream().filter(t -> t.name().contains("float")))
                .map(ExtensionTypes::complex);
    }

    @ParameterizedTest
    @MethodSource("complexTypes")
    void complexNumbersOfSmallFloats_areReadAndWritten(DataType type) {
        Object words = type.elementSize().orElseThrow() == 4
                ? new short[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
                : new byte[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
        boolean positive = type.name().endsWith("float8_e8m0fnu"); // it has no zero and no negative numbers
        Json fill = new Json.Arr(List.of(Json.of(1), Json.of(positive ? 2 : -1)));
        ArraySpec spec = ArraySpec.of(type.json(), 7).withChunkShape(5).withFillValue(fill);
        try (ZarrArray array =
                Zarr.createArray(MemoryStore.create(), "a", spec, IfExists.REFUSE, ZarrOptions.defaults())) {
            Box first = Box.of(new long[] {0}, new long[] {5});
            array.write(first, NdArray.of(type, new long[] {5}, words));
            assertEquals(NdArray.of(type, new long[] {5}, words), array.read(first));
            String text = array.read().toString();
            assertTrue(text.endsWith(positive ? "1.0+2.0j]" : "1.0-1.0j]"), text);
        }
    }
}
