package dev.shardkit.maintenance.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Part;
import dev.shardkit.maintenance.check.Verification.Summary;
import dev.shardkit.maintenance.copy.PartedCopyTestBase;
import dev.shardkit.maintenance.stats.Statistics;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks and statistics in parts have the same figures as those of the whole. */
class PartedChecksTest {
    @TempDir
    Path dir;

    @ParameterizedTest
    @ValueSource(ints = {2, 9})
    void statisticsAndChecksOfParts_addUpToTheWhole(int parts) {
        ZarrGroup source = PartedCopyTestBase.createSource(dir.resolve("from"));
        Statistics statistics = Statistics.of(source.array("g/a")).withBins(8);
        List<Json.Obj> documents = new ArrayList<>();
        List<Summary> checks = new ArrayList<>();
        for (int part = parts; part > 0; part--) {
            documents.add(statistics.runPart(new Part(part, parts)));
            checks.add(Verification.of(source).withPart(new Part(part, parts)).run(finding -> {}));
        }
        assertEquals(statistics.run(), statistics.merged(documents));
        Summary whole = Verification.of(source).run(finding -> {});
        assertEquals(whole.arrays(), checks.stream().mapToLong(Summary::arrays).sum());
        assertEquals(whole.shards(), checks.stream().mapToLong(Summary::shards).sum());
        assertEquals(
                whole.innerChunks(),
                checks.stream().mapToLong(Summary::innerChunks).sum());
        assertEquals(whole.bytes(), checks.stream().mapToLong(Summary::bytes).sum());
        List<Json.Obj> some = documents.subList(1, parts);
        assertTrue(assertThrows(StoreException.class, () -> statistics.merged(some))
                .getMessage()
                .contains("part " + parts + "/" + parts + " is missing"));
    }

    @Test
    void progressOfAPart_endsWithAllElementsOfThePart() {
        List<List<Long>> heard = new ArrayList<>();
        Statistics.of(PartedCopyTestBase.createSource(dir.resolve("from")).array("g/a"))
                .withProgress((path, done, total) -> heard.add(List.of(done, total)))
                .runPart(new Part(2, 3));
        assertEquals(List.of(200L, 200L), heard.get(heard.size() - 1));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void statisticsOfDoubles_addUpToTheWhole(long seed) {
        Random random = new Random(seed);
        double[] values = random.doubles(512).toArray();
        for (int i = 0; i < values.length; i++) {
            values[i] = i % 91 == 0 ? Double.NaN : Math.scalb(values[i] - 0.5, random.nextInt(60) - 30);
        }
        try (ZarrArray array = Zarr.createArray(
                "memory:parts",
                ArraySpec.of("float64", 512).withChunkShape(16),
                IfExists.OVERWRITE,
                ZarrOptions.defaults())) {
            array.write(array.domain(), values, 0);
            Statistics statistics = Statistics.of(array).withBins(16);
            List<Json.Obj> documents = IntStream.rangeClosed(1, 7)
                    .mapToObj(k -> statistics.runPart(new Part(k, 7)))
                    .toList();
            Statistics.Numbers whole = statistics.run().numbers().orElseThrow();
            Statistics.Numbers merged = statistics.merged(documents).numbers().orElseThrow();
            assertEquals(whole.histogram(), merged.histogram());
            assertEquals(whole.min(), merged.min());
            assertEquals(whole.max(), merged.max());
            assertEquals(whole.nans(), merged.nans());
            double mean = whole.mean().orElseThrow();
            assertEquals(mean, merged.mean().orElseThrow(), Math.abs(mean) * 1e-12);
        }
    }
}
