package dev.shardkit.cli.command.look;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.cli.Cli;
import dev.shardkit.cli.Nodes;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatsCommandTest {
    @TempDir
    Path dir;

    private String url(String name) {
        return dir.resolve(name).toString();
    }

    private Json.Obj stats(String... args) {
        return Cli.good(args).object();
    }

    private static String member(Json.Obj json, String name) {
        return json.get(name).map(Object::toString).orElse("missing");
    }

    @Test
    void integers_haveExactStatistics() {
        Nodes.numbers(dir.resolve("a"));
        List<String> lines = Cli.good("stats", url("a"), "--bins", "8").lines();
        assertEquals(
                List.of(
                        "elements     48",
                        "fill value   0 (0.0 %)",
                        "min          0",
                        "max          57",
                        "mean         28.5"),
                lines.subList(0, 5));
        assertEquals("[0, 8)   8 ########################################", lines.get(5));
        assertEquals(8, lines.size() - 5, "bins of 8 up to 64");
        Json.Obj part = stats("stats", url("a"), "--region", "1:3,0:2", "--json");
        assertEquals("4", member(part, "elements"));
        assertEquals("10", member(part, "min"));
        assertEquals("21", member(part, "max"));
        assertEquals("15.5", member(part, "mean"));
    }

    @Test
    void packedNumbers_areNamed() {
        ArraySpec spec = ArraySpec.of("int16", 4)
                .withAttributes(Json.object()
                        .with("scale_factor", Json.of(0.5))
                        .with("_Unsigned", Json.of("true"))
                        .with("valid_max", Json.of(7)));
        Zarr.createArray(url("p"), spec).close();
        String said = Cli.run("stats", url("p")).err();
        assertTrue(said.contains("values are stored numbers; scale_factor, _Unsigned, valid_max not applied"), said);
        assertEquals(
                "[\"scale_factor\",\"_Unsigned\",\"valid_max\"]",
                member(stats("stats", url("p"), "--json"), "not_applied"));
        Json.Obj large = Json.object().with("_FillValue", new Json.Num("1e40"));
        Zarr.createArray(url("large"), ArraySpec.of("float32", 4).withAttributes(large))
                .close();
        said = Cli.run("stats", url("large")).err();
        assertTrue(said.contains("_FillValue not applied"), said);
        assertFalse(Cli.run("stats", url("large"), "--skip", "none").err().contains("not applied"));
        String page = Cli.good("report", url("p"), "-o", "-").out();
        assertTrue(page.contains("scale_factor, _Unsigned, valid_max (values are stored numbers)"), page);
    }

    @Test
    void shares_areNotRoundedToNoneOrAll() {
        assertEquals(" (0.0 %)", StatsCommand.percent(0, 10_000));
        assertEquals(" (< 0.1 %)", StatsCommand.percent(1, 10_000));
        assertEquals(" (0.1 %)", StatsCommand.percent(10, 10_000));
        assertEquals(" (99.9 %)", StatsCommand.percent(9_990, 10_000));
        assertEquals(" (> 99.9 %)", StatsCommand.percent(9_998, 10_000));
        assertEquals(" (100.0 %)", StatsCommand.percent(10_000, 10_000));
    }

    @Test
    void missingChunks_areTheFillValue() {
        Nodes.sparse(dir.resolve("a"));
        Json.Obj stats = stats("stats", url("a"), "--json");
        assertEquals("43", member(stats, "fill_elements"));
        assertEquals("-1", member(stats, "min"));
        assertEquals("5", member(stats, "max"));
        assertEquals(String.valueOf((1 + 2 + 3 + 4 + 5 - 43) / 48.0), member(stats, "mean"));
    }

    @Test
    void floats_leaveOutNanAndInfinities() {
        try (ZarrArray array =
                Zarr.createArray(url("f"), ArraySpec.of("float32", 8).withChunkShape(4))) {
            array.write(
                    Box.of(new long[] {6}),
                    new float[] {0.1f, Float.NaN, -2.5f, Float.POSITIVE_INFINITY, 1e30f, Float.MIN_VALUE},
                    0);
        }
        Json.Obj stats = stats("stats", url("f"), "--json");
        assertEquals("1", member(stats, "nan"));
        assertEquals("1", member(stats, "infinite"));
        assertEquals("2", member(stats, "fill_elements"));
        assertEquals("-2.5", member(stats, "min"));
        assertEquals("1e30", member(stats, "max"));
        long counted = ((Json.Arr) stats.get("histogram").orElseThrow())
                .items().stream()
                        .mapToLong(bin -> Long.parseLong(member((Json.Obj) bin, "count")))
                        .sum();
        assertEquals(6, counted);
        List<String> lines = Cli.good("stats", url("f")).lines();
        assertTrue(lines.contains("NaN          1 (12.5 %)"), lines::toString);
    }

    /** As xarray's {@code open_dataset(..).t.mean()} and the like: -32768 marks elements without a value. */
    @Test
    void missingElements_areOnlyCounted() {
        ArraySpec spec = ArraySpec.of("int16", 2, 4)
                .withChunkShape(1, 4)
                .withFillValue(-32768)
                .withAttributes(
                        Json.object().with("_FillValue", Json.of(-32768)).with("missing_value", Json.of(-1)));
        try (ZarrArray array = Zarr.createArray(url("m"), spec)) {
            array.write(Box.of(new long[] {1, 4}), new short[] {10, -32768, -1, 20}, 0); // the other row is not stored
        }
        Json.Obj stats = stats("stats", url("m"), "--json");
        assertEquals("8", member(stats, "elements"));
        assertEquals("6", member(stats, "missing"));
        assertEquals("5", member(stats, "fill_elements"));
        assertEquals("10", member(stats, "min"));
        assertEquals("20", member(stats, "max"));
        assertEquals("15", member(stats, "mean"));
        Cli.Result text = Cli.good("stats", url("m"));
        assertTrue(
                text.lines().contains("missing      6 (75.0 %), skipped (--skip none takes them as numbers)"),
                text::out);
        Json.Obj all = stats("stats", url("m"), "--json", "--skip", "none");
        assertEquals("0", member(all, "missing"));
        assertEquals("-32768", member(all, "min"));
        assertEquals(String.valueOf((30 - 5 * 32768 - 1) / 8.0), member(all, "mean"));
    }

    @Test
    void wholeNumbersOf64Bits_areExact() {
        try (ZarrArray array = Zarr.createArray(url("u"), ArraySpec.of("uint64", 3))) {
            array.write(array.domain(), new long[] {-1, 1L << 53, (1L << 53) + 1}, 0);
        }
        Json.Obj stats = stats("stats", url("u"), "--json");
        assertEquals("18446744073709551615", member(stats, "max"));
        assertEquals("9007199254740992", member(stats, "min"));
    }

    @Test
    void otherTypes_haveTheShareOfTheFillValue() {
        String tree = Nodes.tree(dir.resolve("t"));
        Json.Obj stats = stats("stats", tree + "/deep/a/b", "--json");
        assertEquals("3", member(stats, "elements"));
        assertEquals("1", member(stats, "fill_elements"));
        assertFalse(stats.get("mean").isPresent());
        try (ZarrArray array = Zarr.createArray(url("b"), ArraySpec.of("bool", 4))) {
            array.write(array.domain(), new boolean[] {true, true, false, true}, 0);
        }
        assertEquals("0.75", member(stats("stats", url("b"), "--json"), "mean"));
        try (ZarrArray array = Zarr.createArray(url("c"), ArraySpec.of("complex64", 2))) {
            array.write(array.domain(), new float[] {0, 0, 0, 1}, 0);
        }
        assertEquals("1", member(stats("stats", url("c"), "--json"), "fill_elements"));
        Zarr.createArray(url("e"), ArraySpec.of("int8", 0, 3)).close();
        assertEquals("0", member(stats("stats", url("e"), "--json"), "elements"));
        Cli.bad(2, "expected 8 to 65536 bins", "stats", url("b"), "--bins", "1");
    }
}
