package dev.shardkit.cli.command.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.cli.Cli;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testkit.internal.LinksAndPipes;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("one-jdk")
class ConcatCommandTest {
    @TempDir
    Path dir;

    private String array(String name, int length, int chunk) {
        String url = dir.resolve(name).toString();
        try (ZarrArray array = Zarr.createArray(
                url,
                ArraySpec.of("int16", length, 2)
                        .withChunkShape(chunk, 2)
                        .withCodecs(Codecs.bytesLittleEndian())
                        .withDimensionNames("t", "x"))) {
            short[] values = new short[2 * length];
            Arrays.fill(values, (short) chunk);
            array.write(array.domain(), values, 0);
        }
        return url;
    }

    private short[] read(String name) {
        try (ZarrArray array = Zarr.openArray(dir.resolve(name).toString())) {
            return array.read().shorts();
        }
    }

    /** A folder as NetCDF files of several variables. */
    private String tree(String name, int length, String units, int... mask) {
        String url = dir.resolve(name).toString();
        Cli.good("group", url, "--attributes", "{\"title\":\"it's " + name + "\"}");
        Cli.good("group", url + "/in", "--attributes", "{\"level\":1}");
        array(name + "/v", 4, 2);
        array(name + "/in/w", length, 2);
        int[] times = new int[length];
        Arrays.setAll(times, i -> i);
        ArraySpec time = ArraySpec.of("int32", length)
                .withDimensionNames("t")
                .withAttributes(Json.object().with("units", Json.of(units)));
        ArraySpec still = ArraySpec.of("int32", 2).withDimensionNames("x");
        for (String part : List.of("t", "mask")) {
            try (ZarrArray array = Zarr.createArray(url + "/" + part, part.equals("t") ? time : still)) {
                array.write(array.domain(), part.equals("t") ? times : mask, 0);
            }
        }
        return url;
    }

    private static String commands(Cli.Result told) {
        assertEquals(2, told.status(), told.err());
        return told.err().replaceFirst("(?s).*one by one: (.*)\\R", "$1");
    }

    /** Runs commands as a shell does that knows only single quotes, or on Windows only double quotes. */
    private static void runAll(String commands) {
        boolean isWindows = File.separatorChar == '\\';
        Pattern wordPattern =
                Pattern.compile(isWindows ? "(?:\"(?:\\\\\"|[^\"])*\"|[^ \"])+" : "(?:'[^']*'|\\\\'|[^ '])+");
        String quote = isWindows ? "\"" : "'";
        for (String command : commands.split(" && ")) {
            List<String> words = wordPattern
                    .matcher(command)
                    .results()
                    .map(word -> word.group()
                            .replace(isWindows ? "\\\"" : "'\\''", "\0")
                            .replace(quote, "")
                            .replace("\0", quote))
                    .toList();
            Cli.Result run = Cli.run(words.subList(1, words.size()).toArray(String[]::new));
            assertEquals(0, run.status(), run.err());
        }
    }

    /** The commands of the message run as they are printed, and lose nothing of the tree. */
    @Test
    void groups_areRefusedWithTheCommandsThatJoinTheirArrays() {
        String f1 = tree("f1", 3, "days since 2000-01-01", 5, 6);
        String f2 = tree("f2", 2, "days since 2000-02-01", 5, 6);
        String to = dir.resolve("all").toString();
        Cli.Result told = Cli.run("concat", f1, f2, "--axis", "t", "--to", to);
        assertTrue(told.err().contains("concat joins arrays; join its arrays one by one: "), told.err());
        String commands = commands(told);
        String paths = commands.replace('\\', '/');
        assertTrue(paths.contains("/all/in/w --reencode-edges && "), commands);
        assertTrue(paths.contains("/all/t --recode-times && "), commands);
        assertTrue(paths.contains("/all/v && "), commands);
        assertTrue(commands.endsWith(" && shardkit consolidate " + to), commands);
        runAll(commands);
        assertEquals(16, read("all/v").length);
        assertEquals(10, read("all/in/w").length);
        try (ZarrGroup all = Zarr.openGroup(to)) {
            assertEquals("{\"title\":\"it's f1\"}", all.attributes().toString());
            assertEquals("{\"level\":1}", all.group("in").attributes().toString());
            assertArrayEquals(new int[] {0, 1, 2, 31, 32}, all.array("t").read().ints());
            assertArrayEquals(new int[] {5, 6}, all.array("mask").read().ints());
        }
        assertTrue(Cli.good("info", to, "--json").out().contains("\"consolidated\": true"));
        Cli.Result virtual = Cli.run("concat", f1, f2, "--axis", "t", "--virtual", "-o", "x.json");
        assertTrue(virtual.err().contains("--axis t --virtual -o v.json"), virtual.err());
        assertFalse(commands(virtual).contains("mask"), virtual.err());
    }

    @Test
    void differencesOfGroups_areNamed() {
        String f1 = tree("f1", 4, "days since 2000-01-01", 5, 6);
        String f2 = tree("f2", 4, "m", 5, 7);
        array("f2/more", 4, 2);
        try (ZarrArray array =
                Zarr.createArray(f1 + "/once", ArraySpec.of("int8", 4, 2).withDimensionNames("t", "x"))) {
            assertEquals(4, array.shape()[0]);
        }
        Cli.Result told = Cli.run(
                "concat", f1, f2, "--axis", "t", "--to", dir.resolve("all").toString());
        String err = told.err();
        assertTrue(err.contains("its element 1 is 6 in " + f1 + "/mask, 7 in " + f2 + "/mask)"), err);
        assertTrue(err.contains("; t (") && err.contains("the same units, which says"), err);
        assertTrue(err.contains("; once ("), err);
        assertTrue(err.contains("more is only in " + f2), err);
        String commands = commands(told);
        assertFalse(commands.contains("/all/t ") || commands.contains("/all/once"), commands);
        runAll(commands);
        Cli.bad(
                2,
                "none of its arrays has a dimension of the name nope",
                "concat",
                f1,
                f2,
                "--axis",
                "nope",
                "--to",
                dir.resolve("other").toString());
    }

    @Test
    void otherCoordinates_areRefused_alsoByReferences() {
        List<String> arrays = new ArrayList<>();
        for (int[] x : new int[][] {{1, 2}, {2, 1}}) {
            arrays.add(array("g" + x[0] + "/v", 4, 2));
            try (ZarrArray array = Zarr.createArray(
                    dir.resolve("g" + x[0] + "/x").toString(),
                    ArraySpec.of("int32", 2).withDimensionNames("x"))) {
                array.write(array.domain(), x, 0);
            }
        }
        String to = dir.resolve("to").toString();
        for (List<String> way : List.of(List.of("--to", to), List.of("--virtual", "-o", to))) {
            Cli.bad(
                    1,
                    "expected x[0] = 1 as in ",
                    Stream.of(List.of("concat"), arrays, List.of("--axis", "t"), way)
                            .flatMap(List::stream)
                            .toArray(String[]::new));
            assertFalse(Files.exists(Path.of(to)));
        }
    }

    @Test
    void referencesToEdges_areRefused_withTheCommandThatCopies() {
        String a = array("a", 5, 2);
        String out = dir.resolve("x.json").toString();
        Cli.bad(1, "concat --to URL with --reencode-edges", "concat", a, a, "--axis", "t", "--virtual", "-o", out);
    }

    /** Each refusal names the next step. */
    @Test
    void refusals_sayWhatToDoInstead() throws Exception {
        Path document = dir.resolve("x.json");
        String a = array("a", 4, 2);
        Path zip = dir.resolve("b.zip");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) { // deflates
            for (String name : List.of("zarr.json", "c/0/0", "c/1/0")) {
                out.putNextEntry(new ZipEntry(name));
                Files.copy(dir.resolve("a").resolve(name), out);
            }
        }
        virtual("one place, so no reference can name them; concat --to URL makes a copy", zip.toString(), a, document);
        String days = array("days", 4, 2);
        String later = array("later", 4, 2);
        Cli.good("attrs", days, "--set", "units=days since 2000-01-01");
        Cli.good("attrs", later, "--set", "units=days since 2000-02-01");
        virtual("use concat --to URL with --recode-times", days, later, document);
        Cli.good("attrs", later, "--set", "units=m");
        virtual("give the arrays the same attribute first", days, later, document);
        String narrow = dir.resolve("narrow").toString();
        Cli.good("copy", a, narrow, "--chunk-shape", "2,1");
        virtual("instead, by shardkit copy with --codecs, --chunk-shape and --shard-shape", a, narrow, document);
        String copied = dir.resolve("copied").toString();
        Cli.good("copy", narrow, copied, "--chunk-shape", "2,2");
        Cli.good("concat", a, copied, "--axis", "t", "--virtual", "-o", document.toString());
    }

    private static void virtual(String message, String first, String second, Path document) {
        Cli.bad(1, message, "concat", first, second, "--axis", "t", "--virtual", "-o", document.toString());
        assertFalse(Files.exists(document));
    }

    @Test
    void copies_andMoves() {
        String a = array("a", 4, 2);
        String b = array("b", 6, 3);
        assertEquals(
                "4 objects copied; 40 bytes\n",
                Cli.run(
                                "concat",
                                a,
                                b,
                                "--axis",
                                "0",
                                "--to",
                                dir.resolve("copied").toString())
                        .out());
        short[] all = {2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
        assertArrayEquals(all, read("copied"));
        Cli.Result moved = Cli.run(
                "concat", b, a, "--axis", "0", "--to", dir.resolve("moved").toString(), "--move", "--json");
        assertEquals(0, moved.status(), moved.err());
        assertEquals(
                "{\"objects\":4,\"reencoded\":0,\"found\":0,\"bytes\":0}",
                moved.object().toString());
        assertEquals(20, read("moved").length);
        assertFalse(Files.exists(dir.resolve("a/zarr.json")));
        assertFalse(Files.exists(dir.resolve("b/c")));
    }

    @Test
    void edges_areEncodedAgain_whenAsked() {
        String a = array("a", 5, 2);
        String b = array("b", 6, 3);
        String to = dir.resolve("to").toString();
        Cli.Result refused = Cli.run("concat", a, b, "--axis", "0", "--to", to);
        assertEquals(1, refused.status());
        assertTrue(refused.err().contains("c/2/0") && refused.err().contains("--reencode-edges"), refused.err());
        assertTrue(Cli.good("concat", a, b, "--axis", "0", "--to", to, "--dry-run")
                .out()
                .replaceAll("\\s", "")
                .contains("[[[2,2],1,[3,2]],2]"));
        assertFalse(Files.exists(dir.resolve("to/zarr.json")));
        Cli.Result done = Cli.run("concat", a, b, "--axis", "0", "--to", to, "--reencode-edges");
        assertEquals("5 objects copied, 1 of them encoded again; 40 bytes\n", done.out());
        assertTrue(done.err().contains("rectilinear") && done.err().contains("shardkit copy " + to), done.err());
        assertEquals(22, read("to").length);
        Cli.good("verify", to);
        Cli.Result same = Cli.run("copy", to, dir.resolve("same").toString());
        assertEquals(0, same.status());
        assertEquals(1, same.err().split("zarr-python 3.1", -1).length - 1, same.err());
        Cli.good("copy", to, dir.resolve("regular").toString(), "--chunk-shape", "2,2");
    }

    @Test
    void arrayByTwoNames_isNotMoved() throws IOException {
        String a = array("a", 4, 2);
        LinksAndPipes.link(dir.resolve("la"), dir.resolve("a"));
        Cli.Result result = Cli.run(
                "concat",
                a,
                dir.resolve("la").toString(),
                "--axis",
                "0",
                "--to",
                dir.resolve("to").toString(),
                "--move");
        assertEquals(2, result.status());
        assertTrue(result.err().contains("one is given twice"), result.err());
        assertEquals(8, read("a").length);
    }

    @Test
    void arrayOfZarrV2_isToBeConvertedFirst() throws IOException {
        Files.createDirectories(dir.resolve("v2"));
        Files.writeString(
                dir.resolve("v2/.zarray"),
                "{\"zarr_format\": 2, \"shape\": [4], \"chunks\": [2], "
                        + "\"dtype\": \"|u1\", \"fill_value\": 9, \"order\": \"C\", \"filters\": null, "
                        + "\"compressor\": null}");
        Cli.Result result = Cli.run(
                "concat",
                dir.resolve("v2").toString(),
                "--axis",
                "0",
                "--to",
                dir.resolve("to").toString());
        assertEquals(1, result.status());
        assertTrue(result.err().contains("convert it first"), result.err());
    }

    /** Counts the files in a folder, which may be absent. */
    private long files(String folder) throws IOException {
        Path path = dir.resolve(folder);
        if (!Files.exists(path)) {
            return 0;
        }
        try (Stream<Path> all = Files.walk(path)) {
            return all.filter(Files::isRegularFile).count();
        }
    }

    /** A chunk that cannot be decoded ends the run when other chunks have moved already. */
    @ParameterizedTest
    @ValueSource(strings = {"0", "t"})
    void interruptedMove_isCompletedByTheSameCommand(String axis) throws IOException {
        String a = array("a", 5, 2);
        String b = array("b", 6, 3);
        String to = dir.resolve("to").toString();
        String[] command = {"concat", a, b, "--axis", axis, "--to", to, "--move", "--reencode-edges"};
        Path chunk = dir.resolve("a/c/2/0");
        byte[] whole = Files.readAllBytes(chunk);
        Files.write(chunk, new byte[1]);
        Cli.bad(1, dir.resolve("a").toString(), command);
        assertFalse(Files.exists(dir.resolve("a/zarr.json")));
        String what = "an array that an unfinished concatenation moves to another place";
        Cli.bad(1, what, "info", a);
        Cli.bad(3, what, "verify", a);
        Cli.bad(1, what, "rm", a);
        Cli.bad(1, "concat --move with the same arrays", "rm", "--force", a);
        Files.write(chunk, whole);
        String state = Files.readString(dir.resolve("to/__unfinished")).replace("\"staging\"", "\"switched\"");
        assertEquals(0, Cli.run(command).status());
        assertEquals(22, read("to").length);
        assertEquals(0, files("a"), "files that are left");
        Files.writeString(dir.resolve("to/__unfinished"), state); // killed behind the last removal
        assertEquals(0, Cli.run(command).status());
        assertFalse(Files.exists(dir.resolve("to/__unfinished")));
        Cli.good("verify", to);
    }

    @Test
    void exitStatuses() {
        String a = array("a", 4, 2);
        assertEquals(2, Cli.run("concat", a, "--axis", "0").status());
        assertEquals(
                2,
                Cli.run("concat", a, "--axis", "3", "--to", dir.resolve("to").toString())
                        .status());
        assertEquals(2, Cli.run("concat", a, "--axis", "0", "--to", a + "/in").status());
        assertEquals(
                1,
                Cli.run(
                                "concat",
                                a,
                                dir.resolve("none").toString(),
                                "--axis",
                                "0",
                                "--to",
                                dir.resolve("to").toString())
                        .status());
        assertEquals(
                1, Cli.run("concat", a, "--axis", "0", "--to", array("b", 2, 2)).status());
    }
}
