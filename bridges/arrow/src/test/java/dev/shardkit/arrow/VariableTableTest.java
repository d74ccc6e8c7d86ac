package dev.shardkit.arrow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cf.CfDataset;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.memory.MemoryStore;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class VariableTableTest {
    private final BufferAllocator allocator = new RootAllocator();
    private final ZarrGroup group = Zarr.createGroup(
            MemoryStore.create(),
            "",
            Json.object().with("title", Json.of("weather")),
            IfExists.REFUSE,
            ZarrOptions.defaults());
    private CfDataset dataset;

    @BeforeEach
    void create() {
        write("time", "int64", new long[] {0, 7}, Map.of("units", "hours since 2020-03-01"), "time");
        write("lat", "float32", new float[] {50.5f, 40, 30}, Map.of("units", "degrees_north"), "lat");
        write(
                "t",
                "int16",
                new short[] {10, 20, 30, 40, 50, -1},
                Map.of("scale_factor", 0.5, "_FillValue", -1, "units", "K"),
                "time",
                "lat");
        write(
                "surface",
                "uint8",
                new byte[] {1, 2, 9, 1, (byte) 200, 2},
                Map.of("flag_values", List.of(1, 2, 200), "flag_meanings", "sea land ice"),
                "time",
                "lat");
        dataset = CfDataset.of(group);
    }

    @AfterEach
    void close() {
        group.close();
        allocator.close(); // fails if memory was not released
    }

    private void write(String name, String type, Object values, Map<String, ?> attributes, String... dimensions) {
        Map<String, Long> lengths = Map.of("time", 2L, "lat", 3L);
        ArraySpec spec = ArraySpec.of(
                        type,
                        List.of(dimensions).stream().mapToLong(lengths::get).toArray())
                .withDimensionNames(dimensions)
                .withAttributes(Json.of(attributes));
        ZarrArray array = group.createArray(name, spec, IfExists.REFUSE);
        array.write(array.domain(), values, 0);
    }

    private static List<String> lines(ArrowReader reader) throws IOException {
        List<String> lines = new ArrayList<>();
        VectorSchemaRoot root = reader.getVectorSchemaRoot();
        while (reader.loadNextBatch()) {
            List<FieldVector> columns = new ArrayList<>();
            List<FieldVector> decoded = new ArrayList<>();
            for (FieldVector vector : root.getFieldVectors()) {
                var encoding = vector.getField().getDictionary();
                FieldVector shown = encoding == null
                        ? vector
                        : (FieldVector) DictionaryEncoder.decode(vector, reader.lookup(encoding.getId()));
                columns.add(shown);
                if (shown != vector) {
                    decoded.add(shown);
                }
            }
            for (int i = 0; i < root.getRowCount(); i++) {
                int row = i;
                lines.add(columns.stream()
                        .map(c -> String.valueOf(c.getObject(row)))
                        .reduce((a, b) -> a + " " + b)
                        .orElseThrow());
            }
            decoded.forEach(FieldVector::close);
            lines.add("|");
        }
        return lines;
    }

    private VariableTable all() {
        return VariableTable.of(
                dataset.variable("t").select(), dataset.variable("surface").select());
    }

    /** Writes a stream in batches of some rows. */
    byte[] stream(int batchRows) throws IOException {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        try (ArrowReader reader = all().withBatchRows(batchRows).reader(allocator);
                ArrowStreamWriter writer = new ArrowStreamWriter(reader.getVectorSchemaRoot(), reader, stream)) {
            while (reader.loadNextBatch()) {
                writer.writeBatch();
            }
            writer.end();
        }
        return stream.toByteArray();
    }

    @Test
    void rows_haveLabelsValuesAndMeanings() throws IOException {
        List<String> expected = List.of(
                "2020-03-01T00:00 50.5 5.0 sea",
                "2020-03-01T00:00 40.0 10.0 land",
                "2020-03-01T00:00 30.0 15.0 null",
                "|",
                "2020-03-01T07:00 50.5 20.0 sea",
                "2020-03-01T07:00 40.0 25.0 ice",
                "2020-03-01T07:00 30.0 null land",
                "|");
        VariableTable table = all().withBatchRows(4);
        assertEquals(6, table.rows());
        try (ArrowReader reader = table.reader(allocator)) {
            assertEquals(expected, lines(reader));
            assertTrue(reader.bytesRead() > 0);
        }
        try (ArrowReader back = new ArrowStreamReader(new ByteArrayInputStream(stream(4)), allocator)) {
            assertEquals(expected, lines(back));
        }
    }

    @Test
    void schema_hasTypesAndAttributes() {
        VariableTable table = all();
        assertEquals(
                "[time: Timestamp(MICROSECOND, null), lat: FloatingPoint(SINGLE), t: FloatingPoint(DOUBLE),"
                        + " surface: Utf8[dictionary: 3]]",
                table.schema().getFields().toString());
        assertEquals(Map.of("title", "weather"), table.schema().getCustomMetadata());
        assertEquals("K", table.schema().findField("t").getMetadata().get("units"));
        assertThrows(IllegalArgumentException.class, () -> table.withBatchRows(0));
    }

    @Test
    void selections_areTables() throws IOException {
        VariableTable table = VariableTable.of(
                dataset.variable("t").select().at("time", "2020-03-01T07:00").nearest("lat", 41));
        try (ArrowReader reader = table.reader(allocator)) {
            assertEquals(List.of("2020-03-01T07:00 40.0 25.0", "|"), lines(reader));
        }
    }

    @Test
    void otherElements_keepTheirForm() throws IOException {
        write(
                "day",
                "int32",
                new int[] {0, 1},
                Map.of("units", "days since 2000-02-29", "calendar", "360_day"),
                "time");
        write("span", "int32", new int[] {1, 2}, Map.of("units", "seconds", "dtype", "timedelta64[s]"), "time");
        write("name", "string", new String[] {"a", "\u00fc"}, Map.of(), "time");
        write("odd", "int8", new byte[] {0, 1}, Map.of("dtype", "bool"), "time");
        write("count", "uint64", new long[] {-1, 3}, Map.of(), "time");
        write("pair", "complex64", new float[4], Map.of(), "time");
        CfDataset more = CfDataset.of(group);
        VariableTable table = VariableTable.of(
                more.variable("day").select(),
                more.variable("span").select(),
                more.variable("name").select(),
                more.variable("odd").select(),
                more.variable("count").select());
        try (ArrowReader reader = table.reader(allocator)) {
            assertEquals(
                    List.of(
                            "2020-03-01T00:00 2000-02-29T00:00:00 PT1S a false -1", // Java has no unsigned numbers
                            "2020-03-01T07:00 2000-02-30T00:00:00 PT2S \u00fc true 3",
                            "|"),
                    lines(reader));
        }
        assertEquals(
                "Int(64, false)", table.schema().findField("count").getType().toString());
        assertThrows(
                UnsupportedException.class,
                () -> VariableTable.of(more.variable("pair").select()));
    }

    @Test
    void momentsBeforeTheReform_areTextsInADimension_andRefusedElsewhere() throws IOException {
        ZarrGroup old =
                Zarr.createGroup(MemoryStore.create(), "", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
        Map<String, String> units = Map.of("units", "days since 0001-01-01", "calendar", "standard");
        for (String name : List.of("time", "seen")) {
            ArraySpec spec = ArraySpec.of("int32", 2).withDimensionNames("time").withAttributes(Json.of(units));
            old.createArray(name, spec, IfExists.REFUSE).write(Box.of(new long[] {2}), new int[] {0, 1}, 0);
        }
        old.createArray("n", ArraySpec.of("int8", 2).withDimensionNames("time"), IfExists.REFUSE)
                .write(Box.of(new long[] {2}), new byte[] {5, 6}, 0);
        CfDataset past = CfDataset.of(old);
        try (ArrowReader reader = VariableTable.of(past.variable("n").select()).reader(allocator)) {
            assertEquals(List.of("0001-01-01T00:00:00 5", "0001-01-02T00:00:00 6", "|"), lines(reader));
        }
        try (ArrowReader reader =
                VariableTable.of(past.variable("seen").select()).reader(allocator)) {
            UnsupportedException refused = assertThrows(UnsupportedException.class, () -> lines(reader));
            assertTrue(refused.getMessage().contains("column seen: expected moments since 1582"), refused.getMessage());
        }
        old.close();
    }

    @Test
    void numbersThatAreNoCodes_haveNoMeaning() throws IOException {
        Map<String, ?> flags = Map.of("flag_values", List.of(0, 1), "flag_meanings", "sea land");
        write("kind", "float32", new float[] {0, 0.4f, 1.7f, Float.POSITIVE_INFINITY, -0.9f, 1}, flags, "time", "lat");
        write("word", "uint64", new long[] {-1, 1}, flags, "time");
        CfDataset more = CfDataset.of(group);
        assertEquals("[sea, null, null, null, null, land]", last(more, "kind"));
        assertEquals("[null, land]", last(more, "word"));
    }

    @Test
    void codeWithTwoMeanings_hasTheFirst_andDictionariesHaveAMeaningOnce() throws IOException {
        Map<String, ?> flags = Map.of("flag_values", List.of(1, 1, 2, 3), "flag_meanings", "a b c c");
        write("kind", "int8", new byte[] {1, 2, 3, 1, 2, 3}, flags, "time", "lat");
        CfDataset more = CfDataset.of(group);
        assertEquals("[a, c, c, a, c, c]", last(more, "kind"));
        try (ArrowReader reader =
                VariableTable.of(more.variable("kind").select()).reader(allocator)) {
            reader.loadNextBatch();
            assertEquals(3, reader.getDictionaryVectors().get(2L).getVector().getValueCount());
        }
    }

    /** Returns the column of a variable. */
    private String last(CfDataset of, String variable) throws IOException {
        try (ArrowReader reader =
                VariableTable.of(of.variable(variable).select()).reader(allocator)) {
            return lines(reader).stream()
                    .filter(line -> !line.equals("|"))
                    .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                    .toList()
                    .toString();
        }
    }

    @Test
    void timesThat64BitsOfMicrosecondsCannotHold_areRefused() throws IOException {
        write("seen", "int32", new int[] {0, 200_000_000}, Map.of("units", "days since 2000-01-01"), "time");
        write(
                "span",
                "int32",
                new int[] {1, 2_000_000_000},
                Map.of("units", "days", "dtype", "timedelta64[ns]"),
                "time");
        CfDataset more = CfDataset.of(group);
        for (String name : List.of("seen", "span")) {
            UnsupportedException refused = assertThrows(UnsupportedException.class, () -> last(more, name));
            assertTrue(refused.getMessage().contains("column " + name), refused.getMessage());
        }
    }

    @Test
    void coordinateThatIsAValue_isOneColumn() throws IOException {
        VariableTable lat = VariableTable.of(dataset.variable("lat").select());
        assertEquals(1, lat.schema().getFields().size());
        try (ArrowReader reader = lat.reader(allocator)) {
            assertEquals(List.of("50.5", "40.0", "30.0", "|"), lines(reader));
        }
        write("height", "int8", new byte[] {5, 6}, Map.of(), "time");
        write("u", "int8", new byte[] {1, 2}, Map.of("coordinates", "height"), "time");
        CfDataset more = CfDataset.of(group);
        VariableTable both = VariableTable.of(
                more.variable("u").select(), more.variable("height").select());
        try (ArrowReader reader = both.reader(allocator)) {
            assertEquals(List.of("2020-03-01T00:00 1 5", "2020-03-01T07:00 2 6", "|"), lines(reader));
        }
    }

    @Test
    void longLabels_makeShorterBatches() throws IOException {
        ZarrGroup large =
                Zarr.createGroup(MemoryStore.create(), "", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
        large.createArray("name", ArraySpec.of("string").withDimensionNames(), IfExists.REFUSE)
                .write(Box.of(new long[0]), new String[] {"x".repeat(1 << 20)}, 0);
        ArraySpec spec = ArraySpec.of("int8", 100)
                .withDimensionNames("n")
                .withAttributes(Json.object().with("coordinates", Json.of("name")));
        large.createArray("v", spec, IfExists.REFUSE);
        List<Integer> rows = new ArrayList<>();
        try (ArrowReader reader =
                VariableTable.of(CfDataset.of(large).variable("v").select()).reader(allocator)) {
            while (reader.loadNextBatch()) {
                rows.add(reader.getVectorSchemaRoot().getRowCount());
            }
        }
        assertEquals(List.of(64, 36), rows);
        large.close();
    }
}
