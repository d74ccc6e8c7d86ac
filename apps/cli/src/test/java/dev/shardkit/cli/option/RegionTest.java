package dev.shardkit.cli.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.shardkit.cli.Cli;
import dev.shardkit.cli.Nodes;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.spi.array.Box;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegionTest {
    @TempDir
    Path dir;

    private static final long[] SHAPE = {10, 20};

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "2:5,3; 2 3 3 1",
                ":,:; 0 10 0 20",
                "4:,:7; 4 6 0 7",
                "9,19; 9 1 19 1",
                "3:3,20:; 3 0 20 0",
                "0:10,0:20; 0 10 0 20",
                "007,:; 7 1 0 20",
                "-3:,:-1; 7 3 0 19",
                "-10,-1; 0 1 19 1",
                "2:-2:1,::1; 2 6 0 20"
            })
    void parse_aRegion_isItsBox(String text, String expected) {
        Box box = Region.parse(text, SHAPE);
        assertEquals(expected, box.origin(0) + " " + box.shape(0) + " " + box.origin(1) + " " + box.shape(1));
    }

    @Test
    void parse_nothing_isTheRegionOfNoDimensions() {
        assertEquals(Box.of(new long[0]), Region.parse("", new long[0]));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "1,2,3",
                "1,2,",
                "a,:",
                "1:2:2,:",
                "1:2:0,:",
                "1:2:-1,:",
                "--1,:",
                "+1,:",
                " 1,:",
                "1 ,:",
                "1.0,:",
                "::,:",
                "-2:-3,:",
                "y=1",
                "5:3,:",
                ",",
                "...,:",
                "1:,: "
            })
    void parse_whatIsNoRegion_isWrongUse(String text) {
        assertThrows(UsageException.class, () -> Region.parse(text, SHAPE));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10,:",
                ":,20",
                "0:11,:",
                "11:,:",
                "11:11,:",
                "99999999999999999999,:",
                "0:9223372036854775808,:",
                "12:11,:",
                "-11,:",
                "-11:,:",
                ":-11,:"
            })
    void parse_outside_isOutOfBounds(String text) {
        assertThrows(IndexOutOfBoundsException.class, () -> Region.parse(text, SHAPE));
    }

    @Test
    void parse_theTextOfAnyBox_isThatBox() {
        Random random = new Random(1);
        for (int round = 0; round < 2000; round++) {
            int rank = random.nextInt(5);
            long[] shape = new long[rank];
            long[] origin = new long[rank];
            long[] lengths = new long[rank];
            StringBuilder text = new StringBuilder();
            for (int d = 0; d < rank; d++) {
                shape[d] = random.nextBoolean() ? random.nextInt(5) : random.nextLong() >>> 1;
                origin[d] = shape[d] == 0 ? 0 : Math.floorMod(random.nextLong(), shape[d]);
                lengths[d] =
                        shape[d] == 0 ? 0 : Math.floorMod(random.nextLong(), shape[d] - origin[d]) + random.nextInt(2);
                text.append(d > 0 ? "," : "").append(item(random, origin[d], origin[d] + lengths[d], shape[d]));
            }
            assertEquals(Box.of(origin, lengths), Region.parse(text.toString(), shape), text.toString());
        }
    }

    /** One of the ways to say it. */
    private static String item(Random random, long from, long to, long length) {
        if (to == from + 1 && random.nextBoolean()) {
            return String.valueOf(from);
        }
        String first = from == 0 && random.nextBoolean() ? "" : String.valueOf(from);
        String second = to == length && random.nextBoolean() ? "" : String.valueOf(to);
        return first + ":" + second;
    }

    @Test
    void namesAndSteps_selectWhatTheySay() throws IOException {
        String url = Nodes.numbers(dir.resolve("a"));
        assertEquals(
                List.of("14", "16", "34", "36", "54", "56"),
                Cli.good("read", url, "--region", "1::2,4::2").lines());
        assertEquals(
                List.of("30", "33", "36"),
                Cli.good("read", url, "--region", "x=::3,y=3").lines());
        assertEquals(
                List.of("56", "57"),
                Cli.good("read", url, "--region", "y=-1,x=-2:").lines());
        assertEquals(
                List.of("[[0, 5],", " [40, 45]]"),
                Cli.good("read", url, "--region", "::4,::5", "--format", "json").lines());
        Cli.bad(2, "no dimension is called t; the dimensions are [y, x]", "read", url, "--region", "t=1");
        Cli.bad(2, "two items are called y", "read", url, "--region", "y=1,y=2");
        Cli.bad(2, "expected a name before \"3\"", "read", url, "--region", "y=1,3");
        Cli.bad(2, "without steps", "stats", url, "--region", "::2,:");
    }

    @Test
    void steps_areWritten_andExported() throws IOException {
        String url = Nodes.numbers(dir.resolve("a"));
        Path raw = dir.resolve("raw");
        Cli.good("read", url, "--region", "::2,1::3", "--format", "raw", "-o", raw.toString());
        String other = Nodes.sparse(dir.resolve("b"));
        Cli.good("write", other, "--region", "::2,1::3", "--from", raw.toString());
        assertEquals(
                Cli.good("read", url, "--region", "::2,1::3").lines(),
                Cli.good("read", other, "--region", "::2,1::3").lines());
        assertEquals("3", Cli.good("read", other, "--region", "1,2").out().strip(), "not in the region");
        Cli.bad(2, "expected 24 elements", "write", other, "--region", "::2,:", "--from", raw.toString());
        assertEquals(
                List.of("1,4,7", "21,24,27", "41,44,47"),
                Cli.good("export", url, "--region", "::2,1::3", "--format", "csv", "-o", "-")
                        .lines());
        assertEquals(
                "1 3\n21 23",
                Cli.good("head", url, "--region", "::2,1::2", "-n", "2").lines().stream()
                        .skip(2)
                        .collect(Collectors.joining("\n"))
                        .replaceAll(" +", " ")
                        .replaceAll("(?m)^ ", ""));
    }

    @Test
    void stepsOfText_areWritten() throws IOException {
        String url = Nodes.tree(dir.resolve("t")) + "/deep/a/b";
        Path raw = dir.resolve("raw");
        Cli.good("read", url, "--region", "::2", "--format", "raw", "-o", raw.toString());
        Cli.good("write", url, "--region", "1:", "--from", raw.toString());
        assertEquals(
                List.of("\"x\"", "\"x\"", "\"é\\u000a\""), Cli.good("read", url).lines());
        Cli.good("write", url, "--region", "::2", "--from", raw.toString());
        assertEquals(
                List.of("\"x\"", "\"x\"", "\"é\\u000a\""), Cli.good("read", url).lines());
    }
}
