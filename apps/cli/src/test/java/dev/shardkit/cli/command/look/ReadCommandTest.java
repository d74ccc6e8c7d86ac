package dev.shardkit.cli.command.look;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.cli.Cli;
import dev.shardkit.cli.Main;
import dev.shardkit.cli.Nodes;
import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testkit.internal.LinksAndPipes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadCommandTest {
    @TempDir
    Path dir;

    private String array(String type, Object values, long... shape) {
        Path path = dir.resolve(type + shape.length);
        long[] chunks = Arrays.stream(shape).map(s -> Math.max(1, s - 1)).toArray();
        try (ZarrArray array =
                Zarr.createArray(path.toString(), ArraySpec.of(type, shape).withChunkShape(chunks))) {
            array.write(array.domain(), values, 0);
        }
        return path.toString();
    }

    /** The moments are those of cftime. */
    @ParameterizedTest
    @CsvSource({
        "days since 2000-01-01, standard, 59.25, 2000-02-29T06:00:00",
        "days since 2000-01-01, noleap, 59.25, 2000-03-01T06:00:00",
        "days since 2000-01-01, 360_day, 59, 2000-02-30T00:00:00",
        "days since 2001-01-01, all_leap, 59, 2001-02-29T00:00:00",
        "days since 1900-02-28, julian, 1, 1900-02-29T00:00:00",
        "days since 1582-10-04, standard, 1, 1582-10-15T00:00:00",
        "days since 1582-10-04, proleptic_gregorian, 1, 1582-10-05T00:00:00",
        "seconds since 1999-12-31 23:59:59, standard, 1.5, 2000-01-01T00:00:00.5",
        "hours since 2000-01-01, standard, -9, NaT",
        "hours since 9999-12-31, standard, 24, 10000-01-01T00:00:00",
        "hours since 2000-01-01, standard, -1, 1999-12-31T23:00:00",
    })
    void times_areDecodedByOption(String units, String calendar, double number, String moment) {
        String url = dir.resolve("time").toString();
        Json.Obj attributes = Json.object()
                .with("units", Json.of(units))
                .with("calendar", Json.of(calendar))
                .with("_FillValue", Json.of(-9));
        try (ZarrArray array = Zarr.createArray(url, ArraySpec.of("float64", 1).withAttributes(attributes))) {
            array.write(array.domain(), new double[] {number}, 0);
        }
        String shown = moment.equals("24") ? "24.0" : moment;
        assertEquals(List.of(shown), Cli.good("read", url, "--decode-times").lines());
        assertEquals(
                shown, Cli.good("head", url, "--decode-times").lines().get(2).strip());
    }

    @Test
    void times_needUnits_andText() {
        String url = dir.resolve("time").toString();
        Zarr.createArray(url, ArraySpec.of("int32", 1)).close();
        Cli.bad(2, "found int32 with no units", "read", url, "--decode-times");
        Cli.good("attrs", url, "--set", "units=days since 2000-01-01");
        assertEquals(
                "[\"2000-01-01T00:00:00\"]",
                Cli.good("read", url, "--decode-times", "--format", "json")
                        .out()
                        .strip());
        Cli.bad(2, "cannot be used with --format raw", "read", url, "--decode-times", "--format", "raw");
    }

    @Test
    void text_isOneElementALine() {
        String url = Nodes.numbers(dir.resolve("a"));
        List<String> expected =
                Arrays.stream(Nodes.numbers()).mapToObj(String::valueOf).collect(Collectors.toList());
        assertEquals(expected, Cli.good("read", url).lines());
        assertEquals(expected, Cli.good("--array_path", url).lines());
        assertEquals(
                List.of("33", "34", "43", "44"),
                Cli.good("read", url, "--region", "3:5,3:5").lines());
        assertEquals(List.of("57"), Cli.good("read", url, "--region", "5,7").lines());
        assertEquals(List.of(), Cli.good("read", url, "--region", "5:5,7").lines());
    }

    /** Also in arrays of zarr-python, whose fill values are base64. */
    @Test
    void records_areObjects() {
        for (String form : List.of("{\"name\": \"x\", \"data_type\": \"int16\"}", "[\"x\", \"int16\"]")) {
            String name = form.startsWith("{") ? "struct" : "structured";
            Json type = Json.extension(
                    name,
                    Json.object().with("fields", new Json.Arr(List.of(JsonReader.read(form, Limits.defaults())))));
            String url = dir.resolve(name).toString();
            try (ZarrArray array = Zarr.createArray(url, ArraySpec.of(type, 2).withChunkShape(1))) {
                array.write(Box.of(new long[] {1}, new long[] {1}), new byte[] {2, 1}, 0);
            }
            assertEquals(
                    List.of("{\"x\":0}", "{\"x\":258}"), Cli.good("read", url).lines());
            assertEquals(
                    "[{\"x\":0}, {\"x\":258}]\n",
                    Cli.good("read", url, "--format", "json").out());
        }
    }

    @Test
    void json_isNestedLists() {
        String url = Nodes.numbers(dir.resolve("a"));
        assertEquals(
                "[[33, 34],\n [43, 44]]\n",
                Cli.good("read", url, "--region", "3:5,3:5", "--format", "json").out());
        assertEquals(
                "[[0]]\n",
                Cli.good("read", url, "--region", "0,0", "--format", "JSON").out());
        assertEquals(
                "[]\n",
                Cli.good("read", url, "--region", "2:2,:", "--format=json").out());
        assertEquals(
                "[[], []]\n",
                Cli.good("read", url, "--region", "2:4,1:1", "--format=json").out());
        Json.Arr all = (Json.Arr) Cli.good("read", url, "--format", "json").json();
        assertEquals(6, all.items().size());
        assertEquals("[50,51,52,53,54,55,56,57]", all.items().get(5).toString());
        String cube = array("uint8", new byte[] {0, 1, 2, 3, 4, 5, 6, 7}, 2, 2, 2);
        assertEquals(
                "[[[0, 1],\n  [2, 3]],\n [[4, 5],\n  [6, 7]]]\n",
                Cli.good("read", cube, "--format", "json").out());
    }

    @Test
    void noDimensions_isOneElement() {
        String url = array("float64", new double[] {0.1});
        assertEquals("0.1\n", Cli.good("read", url).out());
        assertEquals("0.1\n", Cli.good("read", url, "--region", "").out());
        assertEquals("0.1\n", Cli.good("read", url, "--format", "json").out());
        Cli.bad(2, "expected 0 items", "read", url, "--region", "0");
    }

    @Test
    void floats_areTheShortestThatReadBack() {
        float[] floats = {
            3.4f, 1f, -0f, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, 1e30f, 1.17549435E-38f
        };
        List<String> lines = Cli.good("read", array("float32", floats, 8)).lines();
        assertEquals("3.4", lines.get(0));
        assertEquals(List.of("NaN", "Infinity", "-Infinity"), lines.subList(3, 6));
        for (int i : new int[] {0, 1, 2, 6, 7}) {
            assertEquals(floats[i], Float.parseFloat(lines.get(i)), 0);
        }
        assertEquals(
                List.of("0.1", "123456789.125"),
                Cli.good("read", array("float64", new double[] {0.1, 123456789.125}, 2))
                        .lines());
    }

    @Test
    void otherTypes_areTheJsonFormOfAFillValue() {
        assertEquals(
                List.of("true", "false"),
                Cli.good("read", array("bool", new boolean[] {true, false}, 2)).lines());
        assertEquals(
                List.of("18446744073709551615", "0"),
                Cli.good("read", array("uint64", new long[] {-1, 0}, 2)).lines());
        assertEquals(
                List.of("[1.5,-2.0]"),
                Cli.good("read", array("complex64", new float[] {1.5f, -2f}, 1)).lines());
        assertEquals(
                List.of("[1,2,255]"),
                Cli.good("read", array("r24", new byte[] {1, 2, -1}, 1)).lines());
        assertEquals(
                List.of("\"a\\u000ab\"", "\"é\""),
                Cli.good("read", array("string", new String[] {"a\nb", "é"}, 2)).lines());
        assertEquals(
                List.of("\"AQI=\""),
                Cli.good("read", array("bytes", new byte[][] {{1, 2}}, 1)).lines());
    }

    @ParameterizedTest
    @CsvSource({"uint16", "int16"})
    void raw_isLittleEndian(String type) {
        String url = array(type, new short[] {1, 256, -1}, 3);
        assertArrayEquals(
                new byte[] {1, 0, 0, 1, -1, -1},
                Cli.good("read", url, "--format", "raw").bytes());
    }

    @Test
    void raw_ofStrings_hasTheirSizes() {
        ByteBuffer expected = ByteBuffer.allocate(14).order(ByteOrder.LITTLE_ENDIAN);
        expected.putInt(2).put(new byte[] {(byte) 0xc3, (byte) 0xa9}).putInt(0).putInt(0);
        assertArrayEquals(
                expected.array(),
                Cli.good("read", array("string", new String[] {"é", "", ""}, 3), "--format", "raw")
                        .bytes());
    }

    @Test
    void file_takesTheData() throws IOException {
        String url = Nodes.numbers(dir.resolve("a"));
        Path file = dir.resolve("out");
        assertEquals(
                "",
                Cli.good("read", url, "--region", "0:1,0:2", "-o", file.toString())
                        .out());
        assertEquals("0\n1\n", Files.readString(file));
    }

    @Test
    void damage_endsWithStatus1AndLeavesNoFile() throws IOException {
        String url = Nodes.numbers(dir.resolve("a"));
        Path shard = dir.resolve("a/c/0/0");
        byte[] bytes = Files.readAllBytes(shard);
        bytes[bytes.length - 1] ^= 1;
        Files.write(shard, bytes);
        Path file = dir.resolve("out");
        Cli.bad(1, "crc32c of", "read", url, "-o", file.toString());
        assertFalse(Files.exists(file));
        Cli.bad(1, "crc32c of", "--array_path", url);
        Cli.good("read", url, "--region", "4:,:");
    }

    @Test
    void file_thatWasThere_isReplacedWhole_orStaysAsItWas() throws IOException {
        String url = Nodes.numbers(dir.resolve("a"));
        Path folder = Files.createDirectory(dir.resolve("results"));
        Path file = Files.writeString(folder.resolve("out"), "precious");
        Cli.good("read", url, "--region", "5,7", "-o", file.toString());
        assertEquals("57\n", Files.readString(file));
        Files.writeString(file, "precious");
        Path shard = dir.resolve("a/c/0/0");
        byte[] bytes = Files.readAllBytes(shard);
        bytes[bytes.length - 1] ^= 1;
        Files.write(shard, bytes);
        Cli.bad(1, "crc32c of", "read", url, "-o", file.toString());
        assertEquals("precious", Files.readString(file));
        assertEquals(List.of("out"), List.of(folder.toFile().list()));
    }

    @Test
    void file_behindALink_isReplacedThere() throws IOException {
        String url = Nodes.numbers(dir.resolve("a"));
        Path file = Files.writeString(dir.resolve("out"), "old");
        Path link = LinksAndPipes.link(dir.resolve("link"), file);
        Cli.good("read", url, "--region", "5,7", "-o", link.toString());
        assertEquals("57\n", Files.readString(file));
        assertEquals(file, Files.readSymbolicLink(link));
    }

    @Test
    void linkOutOfTheArray_isFollowedWithTheSwitchOnly() throws IOException {
        String url = Nodes.numbers(dir.resolve("a"));
        Path shard = dir.resolve("a/c/0/0");
        Files.move(shard, dir.resolve("elsewhere"));
        LinksAndPipes.link(shard, dir.resolve("elsewhere"));
        Cli.bad(1, "--follow-links", "read", url, "--region", "0,0");
        assertEquals(
                "0\n",
                Cli.good("read", url, "--region", "0,0", "--follow-links").out());
        assertEquals(
                "0\n",
                Cli.good("--follow-links", "read", url, "--region", "0,0").out());
        assertEquals(1, Cli.run("verify", url).status());
        assertEquals(0, Cli.run("verify", url, "--follow-links").status());
    }

    @Test
    void wrongUse_endsWithStatus2() {
        String url = Nodes.numbers(dir.resolve("a"));
        Cli.bad(2, "exceeds dimension 0", "read", url, "--region", "0:7,:");
        Cli.bad(2, "expected 2 items", "read", url, "--region", "0");
        Cli.bad(2, "URL", "read");
        Cli.bad(2, "--format", "read", url, "--format", "csv");
        Cli.bad(2, "Unknown option", "read", url, "--nope");
        Cli.bad(1, "this place does not exist", "read", dir.resolve("nowhere").toString());
        Cli.bad(1, "no such file: ", "read", url, "-o", dir.resolve("no/folder").toString());
    }

    @Test
    void debug_showsTheTrace() {
        Cli.Result result = Cli.run("read", dir.resolve("nowhere").toString(), "--debug");
        assertEquals(1, result.status());
        assertEquals(
                List.of(true, true),
                List.of(result.err().lines().count() > 2, result.err().contains("\tat ")));
    }

    /** A run whose standard output fails: its status, and what it says. */
    private static String failing(String why, String url) {
        OutputStream out = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException(why);
            }
        };
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int status = Main.run(new String[] {"read", url}, InputStream.nullInputStream(), out, err);
        return status + " " + err.toString(StandardCharsets.UTF_8).strip();
    }

    @Test
    void readerThatHasEnough_endsItQuietly_otherFailuresDoNot() {
        List<String> urls = List.of(array("int32", new int[3], 3), array("int32", new int[50_000], 1, 50_000));
        for (String url : urls) { // found at the end, and on the way
            assertEquals("141 ", failing("Broken pipe", url));
            assertTrue(failing("No space left on device", url)
                    .matches("1 shardkit: (standard output: )?the disk is full \\(No space left on device\\)"));
        }
    }
}
