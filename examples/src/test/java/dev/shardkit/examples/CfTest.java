package dev.shardkit.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.arrow.VariableTable;
import dev.shardkit.cf.CfDataset;
import dev.shardkit.cf.CfDateTime;
import dev.shardkit.cf.CfRole;
import dev.shardkit.cf.CfRows;
import dev.shardkit.cf.CfSelection;
import dev.shardkit.cf.CfTable;
import dev.shardkit.cf.CfValues;
import dev.shardkit.cf.CfVariable;
import dev.shardkit.cf.geo.AffineTransform;
import dev.shardkit.cf.geo.Crs;
import dev.shardkit.cf.geo.Georeference;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The snippets of docs/guide/cf.md. */
class CfTest {
    @TempDir
    Path folder;

    private static void write(
            ZarrGroup group, String name, Map<String, ?> attributes, short[] values, String... names) {
        long[] shape = names.length == 1 ? new long[] {values.length} : new long[] {2, 3, 2};
        ZarrArray array = group.createArray(
                name,
                ArraySpec.of("int16", shape).withDimensionNames(names).withAttributes(Json.of(attributes)),
                IfExists.REFUSE);
        array.write(Box.of(shape), values, 0);
    }

    @Test
    void dataset() throws IOException {
        String location = folder.resolve("data.zarr").toString();
        try (ZarrGroup group = Zarr.createGroup(location, Json.object(), IfExists.REFUSE, ZarrOptions.defaults())) {
            write(group, "time", Map.of("units", "hours since 2020-03-01"), new short[] {0, 6}, "time");
            write(group, "lat", Map.of("units", "degrees_north"), new short[] {54, 53, 52}, "lat");
            write(group, "lon", Map.of("units", "degrees_east"), new short[] {13, 14}, "lon");
            write(
                    group,
                    "t2m",
                    Map.of("units", "K", "scale_factor", 0.5, "add_offset", 270, "_FillValue", -1),
                    new short[] {0, 1, 2, 3, -1, 5, 6, 7, 8, 9, 10, 11},
                    "time",
                    "lat",
                    "lon");
        }
        // example: point
        try (CfDataset dataset = CfDataset.open(location)) {
            double kelvin = dataset.variable("t2m")
                    .select()
                    .at("time", Instant.parse("2020-03-01T06:00:00Z"))
                    .nearest("lat", 52.5)
                    .nearest("lon", 13.4)
                    .read()
                    .doubleAt();
            // end
            assertEquals(274, kelvin);
            // example: values
            CfSelection box =
                    dataset.variable("t2m").select().range("lat", 52, 53).index("lon", 0);
            CfValues values = box.read(); // dimensions time and lat
            double[] kelvins = values.doubles(); // missing elements are NaN
            boolean[] missing = values.missing();
            CfValues latitudes = box.labels("lat"); // the labels of the selected elements
            List<Optional<CfDateTime>> times = dataset.variable("time").read().times();
            // end
            assertArrayEquals(new double[] {271, Double.NaN, 274, 275}, kelvins);
            assertArrayEquals(new boolean[] {false, true, false, false}, missing);
            assertArrayEquals(new double[] {53, 52}, latitudes.doubles());
            assertEquals("2020-03-01T06:00:00", times.get(1).orElseThrow().toString());
            // example: structure
            for (CfVariable variable : dataset.variables(CfRole.DATA)) {
                System.out.println(variable.name() + variable.dimensions() + " "
                        + variable.units().orElse("") + ", coordinates " + variable.coordinates());
            }
            dataset.notes().forEach(System.out::println); // what contradicts the conventions and is ignored
            // end
            assertEquals(List.of(), dataset.notes());
        }
        tables(location);
    }

    private void tables(String location) throws IOException {
        // example: table
        try (CfDataset dataset = CfDataset.open(location)) {
            CfTable table = CfTable.of(dataset.variable("t2m").select().range("lat", 52, 53));
            for (Iterator<CfRows> blocks = table.blocks(100_000); blocks.hasNext(); ) {
                CfRows rows = blocks.next();
                double[] kelvins = rows.values(3).doubles(); // columns: time, lat, lon, t2m
                for (int row = 0; row < rows.count(); row++) {
                    System.out.println(
                            rows.values(0).times().get(rows.index(0, row)) + " " + kelvins[rows.index(3, row)]);
                }
            }
        }
        // end
        Path file = folder.resolve("t2m.arrows");
        // example: arrow
        try (CfDataset dataset = CfDataset.open(location);
                BufferAllocator allocator = new RootAllocator();
                ArrowReader reader = VariableTable.of(
                                dataset.variable("t2m").select().within("time", "2020-03"))
                        .reader(allocator);
                OutputStream out = Files.newOutputStream(file);
                ArrowStreamWriter writer = new ArrowStreamWriter(reader.getVectorSchemaRoot(), reader, out)) {
            while (reader.loadNextBatch()) { // columns time, lat, lon and t2m
                writer.writeBatch();
            }
            writer.end();
        }
        // end
        assertTrue(Files.size(file) > 0);
    }

    @Test
    void georeference() {
        String location = folder.resolve("dem.zarr").toString();
        try (ZarrGroup group = Zarr.createGroup(location, Json.object(), IfExists.REFUSE, ZarrOptions.defaults())) {
            // example: write-georeference
            Georeference tenMetres = Georeference.of(
                    Crs.ofCode("EPSG:32633"), "y", "x", new AffineTransform(10, 0, 500_000, 0, -10, 5_000_000));
            Json.Obj attributes = tenMetres.withShape(300, 400).writeTo(Json.object());
            group.createArray(
                    "height",
                    ArraySpec.of("float32", 300, 400)
                            .withDimensionNames("y", "x")
                            .withAttributes(attributes),
                    IfExists.REFUSE);
            // end
        }
        // example: georeference
        try (CfDataset dataset = CfDataset.open(location)) {
            Georeference grid = dataset.variable("height").georeference();
            System.out.println(
                    grid.crs().orElseThrow() + ": " + grid.boundingBox().orElseThrow());
            long row = grid.row(500_123, 4_999_321).orElseThrow(); // the cell that holds a point
            long column = grid.column(500_123, 4_999_321).orElseThrow();
            // end
            assertEquals(67, row);
            assertEquals(12, column);
            assertEquals(List.of(), grid.notes());
        }
    }
}
