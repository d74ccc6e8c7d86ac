package dev.shardkit.cf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.CoreTypes;
import dev.shardkit.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CfTableTest {
    private final ZarrGroup group =
            Zarr.createGroup(MemoryStore.create(), "", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
    private CfDataset dataset;

    /** Temperatures t(time, lat, x) in tenths with a missing one; x has no coordinate, height(lat, x) is auxiliary. */
    @BeforeEach
    void create() {
        write("time", new int[] {0, 6}, Map.of("units", "hours since 2020-03-01"), "time");
        write("lat", new double[] {50, 40, 30}, Map.of("units", "degrees_north"), "lat");
        write("height", new float[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, Map.of("units", "m"), "lat", "x");
        short[] tenths = new short[24];
        for (int i = 0; i < tenths.length; i++) {
            tenths[i] = (short) (i == 23 ? -1 : 10 * i);
        }
        write("t", tenths, Map.of("scale_factor", 0.1, "_FillValue", -1, "coordinates", "height"), "time", "lat", "x");
        write(
                "kind",
                new byte[24],
                Map.of("flag_values", List.of(0, 1), "flag_meanings", "sea land"),
                "time",
                "lat",
                "x");
        dataset = CfDataset.of(group);
    }

    private void write(String name, Object values, Map<String, ?> attributes, String... dimensions) {
        Map<String, Long> lengths = Map.of("time", 2L, "lat", 3L, "x", 4L);
        long[] shape = List.of(dimensions).stream().mapToLong(lengths::get).toArray();
        String type = Map.of(
                        int[].class,
                        "int32",
                        double[].class,
                        "float64",
                        float[].class,
                        "float32",
                        short[].class,
                        "int16",
                        byte[].class,
                        "int8")
                .get(values.getClass());
        long[] chunk = shape.clone();
        chunk[chunk.length - 1] = Math.min(chunk[chunk.length - 1], 3);
        ArraySpec spec = ArraySpec.of(type, shape)
                .withChunkShape(chunk)
                .withDimensionNames(dimensions)
                .withAttributes(Json.of(attributes));
        ZarrArray array = group.createArray(name, spec, IfExists.REFUSE);
        array.write(array.domain(), values, 0);
    }

    @AfterEach
    void close() {
        group.close();
    }

    private static String cell(CfRows rows, int column, int row) {
        CfValues values = rows.values(column);
        int i = rows.index(column, row);
        return values.kind() == CfKind.TIME
                ? values.times().get(i).orElseThrow().toString()
                : String.valueOf(values.doubles()[i]);
    }

    private static List<String> lines(CfTable table, int maxRows) {
        List<String> lines = new ArrayList<>();
        for (Iterator<CfRows> blocks = table.blocks(maxRows); blocks.hasNext(); ) {
            CfRows rows = blocks.next();
            assertTrue(rows.count() <= maxRows, rows::toString);
            for (int row = 0; row < rows.count(); row++) {
                List<String> cells = new ArrayList<>();
                for (int c = 0; c < rows.columns().size(); c++) {
                    cells.add(cell(rows, c, row));
                }
                lines.add(String.join(" ", cells));
            }
        }
        return lines;
    }

    @Test
    void rows_haveLabelsThenCoordinatesThenValues_inBlocksOfAnySize() {
        CfTable table = CfTable.of(
                dataset.variable("t").select(), dataset.variable("kind").select());
        assertEquals(
                List.of("time", "lat", "x", "height", "t", "kind"),
                table.columns().stream().map(CfColumn::name).toList());
        assertEquals(24, table.rows());
        List<String> all = lines(table, 1000);
        assertEquals("2020-03-01T00:00:00 50.0 0.0 1.0 0.0 0.0", all.get(0));
        assertEquals("2020-03-01T06:00:00 40.0 2.0 7.0 18.0 0.0", all.get(18));
        assertEquals("2020-03-01T06:00:00 30.0 3.0 12.0 NaN 0.0", all.get(23));
        for (int maxRows = 1; maxRows < 26; maxRows++) {
            assertEquals(all, lines(table, maxRows), "blocks of " + maxRows);
        }
    }

    @Test
    void selections_areRows_withTheReducedCoordinates() {
        CfSelection part = dataset.variable("t")
                .select()
                .at("time", "2020-03-01T06:00")
                .range("lat", 25, 45)
                .index("x", 1);
        CfTable table = CfTable.of(part);
        assertEquals(
                List.of("lat", "time", "height", "t"),
                table.columns().stream().map(CfColumn::name).toList());
        assertEquals(
                List.of("40.0 2020-03-01T06:00:00 6.0 17.0", "30.0 2020-03-01T06:00:00 10.0 21.0"), lines(table, 1));
        CfTable scattered = CfTable.of(
                dataset.variable("t").select().index("time", 0).labels("lat", List.of(30, 50), CfMatch.EXACT));
        assertEquals(
                List.of("30.0 0.0 2020-03-01T00:00:00 9.0 8.0", "30.0 1.0 2020-03-01T00:00:00 10.0 9.0"),
                lines(scattered, 3).subList(0, 2));
        assertEquals(lines(scattered, 100), lines(scattered, 3));
    }

    @Test
    void emptyAndSingleElements_areTables() {
        CfSelection one =
                dataset.variable("t").select().index("time", 0).index("lat", 0).index("x", 2);
        assertEquals(List.of("2020-03-01T00:00:00 50.0 3.0 2.0"), lines(CfTable.of(one), 5));
        CfTable none = CfTable.of(dataset.variable("t").select().range("lat", 1, 2));
        assertEquals(0, none.rows());
        assertFalse(none.blocks(5).hasNext());
        assertThrows(IllegalArgumentException.class, () -> none.blocks(0));
    }

    @Test
    void otherSelections_areRefused() {
        CfSelection all = dataset.variable("t").select();
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class,
                () -> CfTable.of(all, dataset.variable("kind").select().range("lat", 35, 55)));
        assertTrue(refused.getMessage().contains("kind"), refused.getMessage());
        assertThrows(
                IllegalArgumentException.class,
                () -> CfTable.of(all, dataset.variable("height").select()));
    }

    @Test
    void columns_sayWhatTheyHold() {
        CfVariable t = dataset.variable("t");
        assertEquals(CoreTypes.FLOAT64, t.valueType());
        assertEquals(t.read().values().dataType(), t.valueType());
        assertEquals(CoreTypes.FLOAT32, dataset.variable("height").valueType());
        assertEquals(CoreTypes.INT32, dataset.variable("time").valueType());
        assertTrue(t.codes().isEmpty());
        assertEquals(
                List.of("land"), dataset.variable("kind").codes().orElseThrow().meanings(1));
        CfTable table = CfTable.of(t.select());
        assertTrue(table.hasJavaTimes(0));
        assertFalse(table.hasJavaTimes(1));
    }

    private CfVariable large(String name, long... shape) {
        String[] names = IntStream.range(0, shape.length).mapToObj(d -> "d" + d).toArray(String[]::new);
        ArraySpec spec = ArraySpec.of("int8", shape).withDimensionNames(names);
        group.createArray(name, spec, IfExists.REFUSE);
        return CfDataset.of(group).variable(name);
    }

    @Test
    void labelsThatAreNotDecoded_areNotReplacedByIndices() {
        Json months = Json.extension(
                "numpy.datetime64", Json.object().with("unit", Json.of("M")).with("scale_factor", Json.of(1)));
        group.createArray("month", ArraySpec.of(months, 2).withDimensionNames("month"), IfExists.REFUSE);
        group.createArray("rain", ArraySpec.of("int8", 2).withDimensionNames("month"), IfExists.REFUSE);
        CfTable table = CfTable.of(CfDataset.of(group).variable("rain").select());
        CfColumn labels = table.columns().get(0);
        assertEquals("month", labels.name());
        assertEquals(CfKind.OTHER, labels.kind());
        assertEquals(2, table.blocks(5).next().count());
    }

    @Test
    void coordinatesOfAllVariables_areColumns() {
        CfTable table = CfTable.of(
                dataset.variable("kind").select(), dataset.variable("t").select());
        assertEquals(
                List.of("time", "lat", "x", "height", "kind", "t"),
                table.columns().stream().map(CfColumn::name).toList());
    }

    @Test
    void coordinateThatIsAValue_isOneColumn() {
        CfTable lat = CfTable.of(dataset.variable("lat").select());
        assertEquals(List.of("lat"), lat.columns().stream().map(CfColumn::name).toList());
        assertEquals(List.of("50.0", "40.0", "30.0"), lines(lat, 2));
        CfSelection t = dataset.variable("t").select();
        assertEquals(5, CfTable.of(t, t).columns().size());
        CfSelection height = dataset.variable("height").select().index("x", 1);
        assertEquals(List.of("50.0 2.0", "40.0 6.0", "30.0 10.0"), lines(CfTable.of(height), 9));
    }

    @Test
    void variableNamedLikeADimensionWithoutLabels_isRefused() {
        write("x", new int[12], Map.of(), "lat", "x");
        CfDataset odd = CfDataset.of(group);
        UnsupportedException refused = assertThrows(
                UnsupportedException.class, () -> CfTable.of(odd.variable("x").select()));
        assertTrue(refused.getMessage().contains("two columns x"), refused.getMessage());
        CfSelection column = odd.variable("x").select().index("x", 1);
        assertEquals(List.of("50.0 0.0", "40.0 0.0", "30.0 0.0"), lines(CfTable.of(column), 9));
    }

    @Test
    void tablesBeyondSixtyThreeBits_areRefused() {
        CfVariable a = large("a", 1L << 40, 1L << 40);
        UnsupportedException refused = assertThrows(UnsupportedException.class, () -> CfTable.of(a.select()));
        assertTrue(refused.getMessage().contains("select fewer"), refused.getMessage());
        assertEquals(1L << 40, CfTable.of(a.select().index("d0", 7)).rows());
        CfTable none = CfTable.of(large("none", 1L << 40, 1L << 40, 0).select());
        assertEquals(0, none.rows());
        assertFalse(none.blocks(5).hasNext());
    }

    @Test
    void largeDimensions_areComparedWithoutTheirIndices() {
        large("a", 1L << 33, 2);
        CfDataset both = large("b", 1L << 33, 2).dataset();
        CfSelection a = both.variable("a").select();
        CfSelection b = both.variable("b").select();
        assertEquals(1L << 34, CfTable.of(a, b).rows());
        assertEquals(2, CfTable.of(a.index("d0", 1), b.index("d0", 1)).rows());
        assertThrows(IllegalArgumentException.class, () -> CfTable.of(a.index("d0", 1), b.index("d0", 2)));
    }
}
