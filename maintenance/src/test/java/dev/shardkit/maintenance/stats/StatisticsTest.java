package dev.shardkit.maintenance.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Part;
import dev.shardkit.maintenance.SkippedElements;
import dev.shardkit.maintenance.compare.Comparison;
import dev.shardkit.maintenance.compare.Comparison.Difference;
import dev.shardkit.maintenance.stats.Statistics.Bin;
import dev.shardkit.maintenance.stats.Statistics.Numbers;
import dev.shardkit.maintenance.stats.Statistics.Result;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares {@link Statistics} with naively computed numbers. Runs it and {@link Comparison} on large arrays. */
class StatisticsTest {
    private static ZarrArray array(String name, ArraySpec spec) {
        return Zarr.createArray("memory:" + name, spec, IfExists.OVERWRITE, ZarrOptions.defaults());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void doubles_ofAnyMagnitude_areCountedExactly(long seed) {
        Random random = new Random(seed);
        double[] values = new double[7 * 9 * 11];
        int spread = 1 + random.nextInt(1000);
        for (int i = 0; i < values.length; i++) {
            values[i] = Math.scalb(random.nextDouble() - 0.5, random.nextInt(2 * spread) - spread);
        }
        if (seed == 8) {
            values[5] = Double.MAX_VALUE;
            values[6] = -Double.MAX_VALUE;
            values[7] = -Double.MIN_VALUE;
        }
        ArraySpec spec = ArraySpec.of("float64", 7, 9, 11)
                .withChunkShape(2, 3, 4)
                .withShardShape(4, 6, 8)
                .withCodecs(Codecs.zstd(1));
        try (ZarrArray array = array("doubles", spec)) {
            array.write(array.domain(), values, 0);
            Numbers numbers = Statistics.of(array).withBins(20).run().numbers().orElseThrow();
            assertTrue(numbers.histogram().size() <= 20, "seed " + seed + ": " + numbers);
            assertEquals(
                    values.length,
                    numbers.histogram().stream().mapToLong(Bin::count).sum(),
                    "seed " + seed);
            for (Bin bin : numbers.histogram()) {
                long inside = Arrays.stream(values)
                        .filter(v -> v >= bin.from() && v < bin.to())
                        .count();
                assertEquals(inside, bin.count(), "seed " + seed + ": " + bin);
            }
            double least = Arrays.stream(values).min().orElseThrow();
            assertEquals(
                    Double.toString(least),
                    Double.toString(
                            Double.parseDouble(numbers.min().orElseThrow().toString())));
        }
    }

    @Test
    void bigEndianElements_andRegions() {
        ArraySpec spec = ArraySpec.of("int16", 5, 6)
                .withChunkShape(2, 2)
                .withCodecs(Json.extension("bytes", Json.object().with("endian", Json.of("big"))))
                .withFillValue(-300);
        try (ZarrArray array = array("big", spec)) {
            array.write(Box.of(new long[] {2, 2}), new short[] {1000, -300, -300, 7}, 0);
            Result result =
                    Statistics.of(array).within(Box.of(new long[] {2, 3})).run();
            assertEquals(6, result.elements());
            assertEquals(4, result.fill());
            Numbers numbers = result.numbers().orElseThrow();
            assertEquals(Optional.of(Json.of(-300)), numbers.min());
            assertEquals(Optional.of(Json.of(1000)), numbers.max());
            assertEquals(Optional.of((1007 - 1200) / 6.0), numbers.mean());
            assertThrows(
                    IndexOutOfBoundsException.class, () -> Statistics.of(array).within(Box.of(new long[] {6, 1})));
        }
    }

    @Test
    void missingElements_areInNoFigure_alsoInParts() {
        for (String type : List.of("float32", "int16")) {
            ArraySpec spec = ArraySpec.of(type, 6)
                    .withChunkShape(2)
                    .withFillValue(0)
                    .withAttributes(Json.object().with("_FillValue", Json.of(-9)));
            try (ZarrArray array = array("missing", spec)) {
                if (type.equals("int16")) {
                    array.write(Box.of(new long[] {4}), new short[] {-9, 4, 5, -9}, 0);
                } else {
                    array.write(Box.of(new long[] {4}), new float[] {-9, 4, 5, -9}, 0);
                }
                Statistics statistics = Statistics.of(array);
                Numbers numbers = statistics.run().numbers().orElseThrow();
                assertEquals(2, numbers.missing(), type);
                assertEquals(Optional.of((4 + 5 + 0 + 0) / 4.0), numbers.mean(), type);
                assertEquals(
                        4, numbers.histogram().stream().mapToLong(Bin::count).sum(), type);
                Statistics filled = statistics.withSkipped(SkippedElements.FILL);
                assertEquals(4, filled.run().numbers().orElseThrow().missing(), type);
                List<Json.Obj> parts = List.of(filled.runPart(Part.parse("1/2")), filled.runPart(Part.parse("2/2")));
                assertEquals(filled.run(), filled.merged(parts), type);
                assertThrows(IllegalArgumentException.class, () -> statistics.merged(parts), "another choice");
                Numbers all = statistics
                        .withSkipped(SkippedElements.NONE)
                        .run()
                        .numbers()
                        .orElseThrow();
                assertEquals(Optional.of((9 - 18) / 6.0), all.mean(), type);
            }
        }
    }

    @Test
    void sparseArrays_takeNoTime() {
        long length = 3L << 40;
        try (ZarrArray array = array("sparse", ArraySpec.of("uint8", length).withChunkShape(1L << 22))) {
            for (long at : new long[] {length - 1, length - (1L << 32)}) {
                array.write(Box.of(new long[] {at}, new long[] {1}), new byte[] {9}, 0);
            }
            List<Long> steps = new ArrayList<>();
            Result result = Statistics.of(array)
                    .within(Box.of(new long[] {length - (1L << 33)}, new long[] {1L << 33}))
                    .withProgress((path, done, total) -> steps.add(done))
                    .run();
            assertEquals(1L << 33, result.elements());
            assertEquals((1L << 33) - 2, result.fill());
            assertEquals(Optional.of(Json.of(9)), result.numbers().orElseThrow().max());
            assertEquals(2, steps.size(), steps::toString);
            assertEquals(1L << 33, steps.get(1));
        }
    }

    @Test
    void comparison_ofManyPieces_reportsTheFirstElementsInCOrder() {
        ArraySpec spec = ArraySpec.of("uint8", 3000, 30_000).withChunkShape(1000, 1000);
        try (ZarrArray a = array("left", spec);
                ZarrArray b = array("right", spec.withChunkShape(700, 4000))) {
            long[][] places = {{2999, 0}, {0, 29_999}, {1500, 1500}, {0, 5}, {2999, 29_999}};
            for (long[] place : places) {
                b.write(Box.of(place, new long[] {1, 1}), new byte[] {1}, 0);
            }
            List<Difference> reported = new ArrayList<>();
            Comparison.Summary summary =
                    Comparison.of(a, b).ignoringLayout().reporting(3).run(reported::add);
            assertEquals(places.length, summary.elements());
            assertEquals(
                    List.of("0,5", "0,29999", "1500,1500"),
                    reported.stream().map(Difference::position).toList());
        }
    }
}
