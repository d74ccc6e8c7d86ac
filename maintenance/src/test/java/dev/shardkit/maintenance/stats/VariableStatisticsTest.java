package dev.shardkit.maintenance.stats;

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
import dev.shardkit.cf.CfMatch;
import dev.shardkit.cf.CfSelection;
import dev.shardkit.cf.CfVariable;
import dev.shardkit.maintenance.stats.Statistics.Bin;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Statistics of physical values. */
class VariableStatisticsTest {
    @TempDir
    private Path folder;

    private ZarrGroup group;

    @BeforeEach
    void create() {
        group = Zarr.createGroup(
                folder.resolve("data").toString(), Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
        write("lat", "int32", new int[] {40, 30, 20, 10}, Map.of(), "lat");
    }

    @AfterEach
    void close() {
        group.close();
    }

    private ZarrArray write(String name, String type, Object values, Map<String, ?> attributes, String... dimensions) {
        long[] shape = new long[dimensions.length];
        java.util.Arrays.fill(shape, 4);
        long[] chunk = shape.clone();
        chunk[0] = 1;
        ArraySpec spec = ArraySpec.of(type, shape)
                .withChunkShape(chunk)
                .withFillValue(type.equals("string") ? Json.of("") : Json.of(7))
                .withDimensionNames(dimensions)
                .withAttributes(Json.of(attributes));
        ZarrArray array = group.createArray(name, spec, IfExists.REFUSE);
        array.write(Box.of(shape), values, 0);
        return array;
    }

    private CfVariable variable(String name) {
        return CfDataset.of(group).variable(name);
    }

    @Test
    void numbers_arePhysical_andMissingOnesAreCounted() {
        write(
                "t",
                "int16",
                new short[] {10, -1, 30, 40},
                Map.of("scale_factor", 0.5, "add_offset", 100, "_FillValue", -1),
                "lat");
        VariableStatistics.Result result = VariableStatistics.of(variable("t")).run();
        assertEquals(4, result.elements());
        assertEquals(1, result.missing());
        Statistics.Numbers numbers = result.numbers().orElseThrow();
        assertEquals("105.0", numbers.min().orElseThrow().toString());
        assertEquals("120.0", numbers.max().orElseThrow().toString());
        assertEquals((105 + 115 + 120) / 3.0, numbers.mean().orElseThrow());
        assertEquals(3, numbers.histogram().stream().mapToLong(Bin::count).sum());
        assertEquals(0, numbers.nans());
        assertEquals(1, numbers.missing());
    }

    @Test
    void chunksThatAreNotStored_countAsDecodedFillValues() {
        ZarrArray array =
                write("sparse", "int16", new short[16], Map.of("scale_factor", 2, "missing_value", 9), "lat", "lon");
        array.erase(Box.of(new long[] {1, 0}, new long[] {3, 4})); // 7 again
        VariableStatistics.Result result =
                VariableStatistics.of(variable("sparse")).run();
        assertEquals(16, result.elements());
        assertEquals(0, result.missing());
        assertEquals(12 * 14.0 / 16, result.numbers().orElseThrow().mean().orElseThrow());
        ZarrArray missing = write("gone", "int16", new short[16], Map.of("_FillValue", 7), "lat", "lon");
        missing.erase(Box.of(new long[] {1, 0}, new long[] {3, 4}));
        assertEquals(12, VariableStatistics.of(variable("gone")).run().missing());
    }

    @Test
    void selectedElements_andRegions_areCounted() {
        write("n", "int32", new int[] {1, 2, 3, 4}, Map.of(), "lat");
        CfVariable n = variable("n");
        assertEquals(2.5, mean(VariableStatistics.of(n.select().range("lat", 20, 30)), 2), "neighbours");
        assertEquals(2.5, mean(VariableStatistics.of(n.select().labels("lat", List.of(10, 40), CfMatch.EXACT)), 2));
        assertEquals(3.5, mean(VariableStatistics.of(n).within(Box.of(new long[] {2}, new long[] {2})), 2));
        assertEquals(3, mean(VariableStatistics.of(n.select().at("lat", 20)), 1));
        assertThrows(
                IndexOutOfBoundsException.class, () -> VariableStatistics.of(n).within(Box.of(new long[] {5})));
        assertThrows(
                IllegalArgumentException.class, () -> VariableStatistics.of(n).withBins(7));
    }

    private static double mean(VariableStatistics statistics, long elements) {
        VariableStatistics.Result result = statistics.run();
        assertEquals(elements, result.elements());
        return result.numbers().orElseThrow().mean().orElseThrow();
    }

    @Test
    void otherElements_haveCounts() {
        write("name", "string", new String[] {"a", "b", "c", "d"}, Map.of(), "lat");
        write("large", "uint64", new long[] {-1, -1, 1, 0}, Map.of(), "lat");
        write(
                "day",
                "int32",
                new int[] {1, 2, 3, -5},
                Map.of("units", "days since 2000-01-01", "_FillValue", -5),
                "lat");
        write("flag", "int8", new byte[] {0, 1, 1, 1}, Map.of("dtype", "bool"), "lat");
        VariableStatistics.Result names =
                VariableStatistics.of(variable("name")).run();
        assertEquals(4, names.elements());
        assertTrue(names.numbers().isEmpty());
        assertEquals(
                0x1p63 + 0.25,
                VariableStatistics.of(variable("large"))
                        .run()
                        .numbers()
                        .orElseThrow()
                        .mean()
                        .orElseThrow());
        VariableStatistics.Result days = VariableStatistics.of(variable("day")).run();
        assertEquals(1, days.missing());
        assertEquals("3", days.numbers().orElseThrow().max().orElseThrow().toString());
        assertEquals(0.75, mean(VariableStatistics.of(variable("flag")), 4));
    }

    @Test
    void meansOfExtremeIntegers_areExact() {
        long least = Long.MIN_VALUE;
        write("mixed", "int64", new long[] {-1, least, -1, -1}, Map.of(), "lat");
        write("least", "int64", new long[] {least, least, least, least}, Map.of(), "lat");
        write("ends", "int64", new long[] {Long.MAX_VALUE, Long.MAX_VALUE, least, least}, Map.of(), "lat");
        assertEquals((-0x1p63 - 3) / 4, mean(VariableStatistics.of(variable("mixed")), 4));
        assertEquals(-0x1p63, mean(VariableStatistics.of(variable("least")), 4));
        assertEquals(-0.5, mean(VariableStatistics.of(variable("ends")), 4));
    }

    @Test
    void meanBeyondTheGreatestNumber_isInfinite_asInNumPy() {
        write("huge", "float64", new double[] {Double.MAX_VALUE, Double.MAX_VALUE, 1, 1}, Map.of(), "lat");
        assertEquals(Double.POSITIVE_INFINITY, mean(VariableStatistics.of(variable("huge")), 4));
    }

    @Test
    void textsOfCharacters_areCountedOnce() {
        Json character = Json.extension("null_terminated_bytes", Json.object().with("length_bytes", Json.of(1)));
        ArraySpec spec = ArraySpec.of(character, 40, 4).withChunkShape(1, 2).withDimensionNames("station", "letter");
        ZarrArray array = group.createArray("station_name", spec, IfExists.REFUSE);
        array.write(Box.of(new long[] {40, 2}), "a".repeat(80).getBytes(StandardCharsets.UTF_8), 0);
        CfVariable names = variable("station_name");
        assertEquals(List.of("station"), names.dimensions());
        assertEquals(40, VariableStatistics.of(names).run().elements());
        assertEquals(
                3,
                VariableStatistics.of(names)
                        .within(Box.of(new long[] {3}))
                        .run()
                        .elements());
    }

    /** Scattered elements are read without the labels of other coordinates, which may be corrupt. */
    @Test
    void scatteredElements_needNoOtherCoordinate() throws IOException {
        short[] numbers = new short[16];
        for (int i = 0; i < 16; i++) {
            numbers[i] = (short) i;
        }
        write("t", "int16", numbers, Map.of("coordinates", "height"), "lat", "x");
        write("height", "int32", new int[16], Map.of(), "lat", "x");
        try (Stream<Path> files = Files.walk(folder.resolve("data/height/c"))) {
            for (Path chunk : files.filter(Files::isRegularFile).toList()) {
                Files.write(chunk, new byte[] {1});
            }
        }
        CfSelection selection = variable("t").select().labels("lat", List.of(40, 20), CfMatch.EXACT);
        VariableStatistics.Result result = VariableStatistics.of(selection).run();
        assertEquals(8, result.elements());
        assertEquals(5.5, result.numbers().orElseThrow().mean().orElseThrow());
    }

    @Test
    void missingTexts_areCounted() {
        Json character = Json.extension("null_terminated_bytes", Json.object().with("length_bytes", Json.of(1)));
        ArraySpec spec = ArraySpec.of(character, 40, 4)
                .withChunkShape(1, 2)
                .withDimensionNames("station", "letter")
                .withAttributes(Json.of(Map.of("_FillValue", "aa")));
        ZarrArray array = group.createArray("code", spec, IfExists.REFUSE);
        array.write(Box.of(new long[] {40, 2}), "a".repeat(80).getBytes(StandardCharsets.UTF_8), 0);
        array.write(Box.of(new long[] {5, 4}), "b".repeat(20).getBytes(StandardCharsets.UTF_8), 0);
        VariableStatistics codes = VariableStatistics.of(variable("code"));
        assertEquals(40, codes.run().elements());
        assertEquals(35, codes.run().missing());
        assertEquals(
                2, codes.within(Box.of(new long[] {4}, new long[] {3})).run().missing());
    }
}
