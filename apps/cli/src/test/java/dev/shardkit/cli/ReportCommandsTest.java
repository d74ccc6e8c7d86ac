package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.testkit.internal.LinksAndPipes;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every command that a report prints runs as it stands, and nothing is advised where nothing helps. */
@Tag("one-jdk")
class ReportCommandsTest {
    private static final Pattern COMMAND = Pattern.compile("<code>(shardkit [^<]*)</code>");
    private static final Pattern WORD =
            Pattern.compile(File.separatorChar == '\\' ? "\"([^\"]*)\"|(\\S+)" : "'([^']*)'|(\\S+)");

    @TempDir
    Path dir;

    private String path(String name) {
        return dir.resolve(name).toString();
    }

    private List<String> commands(String url) throws IOException {
        Cli.run("report", url, "-o", path("report.html"));
        List<String> commands = new ArrayList<>();
        Matcher found = COMMAND.matcher(Files.readString(dir.resolve("report.html"))
                .replace("&amp;", "&")
                .replace("&#39;", "'")
                .replace("&quot;", "\""));
        while (found.find()) {
            commands.add(found.group(1));
        }
        return commands;
    }

    /** Runs the commands of a line; relative targets lie in the temporary folder. */
    private void runs(String line) {
        for (String command : line.split(" && ")) {
            List<String> words = new ArrayList<>();
            Matcher word = WORD.matcher(command);
            while (word.find()) {
                words.add(word.group(1) != null ? word.group(1) : word.group(2));
            }
            words.remove(0);
            words.replaceAll(w -> w.matches("[^/]+-(v3|layout|copy)[.]zarr") ? path(w) : w);
            Cli.Result result = Cli.run(words.toArray(String[]::new));
            assertEquals(0, result.status(), command + "\n" + result.err());
        }
    }

    private void create(String name, String... options) throws IOException {
        List<String> words = new ArrayList<>(List.of("create", path(name)));
        words.addAll(List.of(options));
        Cli.good(words.toArray(String[]::new));
    }

    private void fill(String name, int bytes, boolean isNoise) throws IOException {
        byte[] values = new byte[bytes];
        if (isNoise) {
            new Random(1).nextBytes(values);
        }
        for (int i = 0; !isNoise && i < bytes; i++) {
            values[i] = (byte) (i / 64 + 1);
        }
        Files.write(dir.resolve("values.raw"), values);
        Cli.good("write", path(name), "--from", path("values.raw"));
    }

    @Test
    void eachCommand_runs() throws IOException {
        Cli.good("group", path("t.zarr"));
        create(
                "t.zarr/raw",
                "--shape",
                "2048,1024",
                "--chunk-shape",
                "512,512",
                "--data-type",
                "uint8",
                "--codecs",
                "none");
        fill("t.zarr/raw", 2048 * 1024, false);
        create("t.zarr/noise data", "--shape", "2048,1024", "--chunk-shape", "512,512", "--data-type", "uint8");
        fill("t.zarr/noise data", 2048 * 1024, true);
        create("t.zarr/tiny", "--shape", "64,640", "--chunk-shape", "4,64", "--data-type", "int32");
        fill("t.zarr/tiny", 64 * 640 * 4, true);
        List<String> commands = commands(path("t.zarr"));
        assertTrue(commands.stream().anyMatch(c -> c.contains("--codecs zstd:3")), commands::toString);
        assertTrue(commands.stream().anyMatch(c -> c.contains("--codecs blosc:zstd:5")), commands::toString);
        assertTrue(commands.stream().anyMatch(c -> c.contains("aggregate")), commands::toString);
        assertTrue(commands.stream().anyMatch(c -> c.contains("consolidate")), commands::toString);
        commands.forEach(this::runs);
        Cli.good("consolidate", path("t.zarr"));
        create("u.zarr", "--shape", "64,640", "--chunk-shape", "4,64", "--data-type", "int32");
        fill("u.zarr", 64 * 640 * 4, true);
        Cli.good("copy", path("u.zarr"), "n5:" + path("n"));
        List<String> other = commands(path("n"));
        assertEquals(1, other.size(), other::toString);
        assertTrue(other.get(0).matches("shardkit copy .* n-v3.zarr --chunk-shape .*"), other::toString);
        other.forEach(this::runs);
        commands(path("t.zarr")).stream().filter(c -> !c.contains(" copy ")).forEach(this::runs);
    }

    /** Changes that need a copy are one copy; a tree of another format is converted at once. */
    @Test
    void oneArrayOfZarrV2_getsOneAdvice() throws IOException {
        Files.createDirectories(dir.resolve("old/a b"));
        Files.writeString(dir.resolve("old/.zgroup"), "{\"zarr_format\":2}");
        Files.writeString(
                dir.resolve("old/a b/.zarray"),
                "{\"zarr_format\":2,\"shape\":[1024,1024],\"chunks\":[32,1024],\"dtype\":\"|u1\",\"fill_value\":0,"
                        + "\"order\":\"C\",\"filters\":null,\"compressor\":null}");
        Files.createDirectories(dir.resolve("old/b"));
        Files.writeString(
                dir.resolve("old/b/.zarray"),
                Files.readString(dir.resolve("old/a b/.zarray")).replace("[32,", "[4,"));
        fill("old/a b", 1024 * 1024, true);
        fill("old/b", 1024 * 1024, true);
        List<String> alone = commands(path("old/b"));
        assertEquals(1, alone.size(), alone::toString);
        assertTrue(
                alone.get(0).contains(" b-v3.zarr --chunk-shape ")
                        && alone.get(0).endsWith(" --codecs zstd:3"),
                alone::toString);
        List<String> tree = commands(path("old"));
        assertEquals(
                List.of("old-a_b-v3.zarr", "old-b-v3.zarr", "old-v3.zarr"),
                tree.stream().map(c -> c.replaceFirst(".* (old-\\S*).*", "$1")).toList(),
                tree::toString);
        assertTrue(tree.get(2).startsWith("shardkit convert "), tree::toString);
        assertTrue(tree.get(0).endsWith("old-a_b-v3.zarr --codecs zstd:3"), tree::toString);
        alone.forEach(this::runs);
        tree.forEach(this::runs);
    }

    /** Readers load an array of some KiB as a whole, whatever its chunks. */
    @Test
    void tinyArrays_getNoAdvice() throws IOException {
        create("tiny.zarr", "--shape", "60,60", "--chunk-shape", "10,10", "--data-type", "float32");
        fill("tiny.zarr", 60 * 60 * 4, true);
        assertEquals(List.of(), commands(path("tiny.zarr")));
        create("many.zarr", "--shape", "300", "--chunk-shape", "1", "--data-type", "float32");
        fill("many.zarr", 300 * 4, true);
        assertEquals(1, commands(path("many.zarr")).size(), "300 objects");
    }

    @Test
    void coordinatesAndScalars_getNoAdvice() throws IOException {
        Cli.good("group", path("t.zarr"));
        create(
                "t.zarr/time",
                "--shape",
                "1000",
                "--chunk-shape",
                "10",
                "--data-type",
                "int64",
                "--dimension-names",
                "time");
        fill("t.zarr/time", 8000, true);
        create("t.zarr/crs", "--shape", "", "--data-type", "int32");
        Cli.good("consolidate", path("t.zarr"));
        assertEquals(List.of(), commands(path("t.zarr")));
    }

    @Test
    void coordinatesThatOtherArraysName_getNoAdvice() throws IOException {
        String[] fine = {"--shape", "100,100", "--chunk-shape", "10,10", "--data-type", "float64"};
        Cli.good("group", path("t.zarr"));
        Cli.good("group", path("t.zarr/below"));
        for (String name : List.of("t.zarr/lat", "t.zarr/lon", "t.zarr/edges", "t.zarr/other")) {
            create(name, fine);
            fill(name, 80_000, true);
        }
        create("t.zarr/below/data", "--shape", "1", "--data-type", "int8");
        Cli.good("attrs", path("t.zarr/below/data"), "--set", "coordinates=\"lat /lon  nix\"");
        Cli.good("attrs", path("t.zarr/lat"), "--set", "bounds=\"edges\"");
        Cli.good("consolidate", path("t.zarr"));
        List<String> commands = commands(path("t.zarr"));
        assertEquals(1, commands.size(), commands::toString);
        assertTrue(commands.get(0).contains("t.zarr/other "), commands::toString);
    }

    @Test
    void slotsOutsideTheArray_doNotCount() throws IOException {
        create(
                "a.zarr",
                "--shape",
                "70,70",
                "--chunk-shape",
                "10,10",
                "--shard-shape",
                "40,40",
                "--data-type",
                "uint8");
        fill("a.zarr", 4900, true);
        Cli.good("report", path("a.zarr"), "-o", path("report.html"));
        String page = Files.readString(dir.resolve("report.html"));
        assertTrue(
                page.contains("stored inner chunks: 100 % to 100 %"),
                page.replaceAll("(?s).*(stored inner chunks[^<]*).*", "$1"));
        assertFalse(page.contains("56 %"));
    }

    /** Messages of the library name options of its API; the command's users have switches. */
    @Test
    void errors_nameSwitches() throws IOException {
        Files.createDirectories(dir.resolve("tree"));
        Files.writeString(dir.resolve("tree/zarr.json"), "{\"zarr_format\":3,\"node_type\":\"group\"}");
        create("outside", "--shape", "4", "--data-type", "uint8");
        Files.createDirectories(dir.resolve("tree/linked"));
        LinksAndPipes.link(dir.resolve("tree/linked/zarr.json"), dir.resolve("outside/zarr.json"));
        Cli.run("report", path("tree"), "-o", path("report.html"));
        String page = Files.readString(dir.resolve("report.html"));
        assertTrue(page.contains("--follow-links"), page);
        assertFalse(page.contains("withLinks"), page);
    }
}
