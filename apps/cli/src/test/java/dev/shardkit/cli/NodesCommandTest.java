package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrGroup;
import dev.shardkit.cli.command.serve.TourServer;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testkit.internal.LinksAndPipes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code info}, {@code ls}, {@code plugins}, {@code tour} and the command itself. */
@Tag("one-jdk")
class NodesCommandTest {
    private static final List<String> TREE = List.of("/", "/deep", "/deep/a", "/deep/a/b", "/empty", "/top");

    @TempDir
    Path dir;

    private static List<String> paths(Json list) {
        return ((Json.Arr) list)
                .items().stream()
                        .map(n -> ((Json.Str) ((Json.Obj) n).members().get("path")).value())
                        .toList();
    }

    @Test
    void info_ofAnArray_saysItsFacts() {
        String url = Nodes.numbers(dir.resolve("a"));
        Json.Obj info = Cli.good("info", url, "--json").object();
        assertEquals("\"array\"", info.members().get("node_type").toString());
        assertEquals("\"int32\"", info.members().get("data_type").toString());
        assertEquals("[6,8]", info.members().get("shape").toString());
        assertEquals("[2,2]", info.members().get("shards").toString());
        assertEquals("192", info.members().get("unencoded_bytes").toString());
        String text = Cli.good("info", url).out();
        assertTrue(text.contains("sharding_indexed chunk_shape=[2,2] index_codecs=[bytes, crc32c]"), text);
        assertTrue(text.contains("  zstd level=3"), text);
        Cli.bad(1, "this place does not exist", "info", dir.resolve("nowhere").toString());
        Cli.bad(2, "URL", "info");
    }

    @Test
    void info_ofAGroup_saysItsFacts() {
        String url = Nodes.tree(dir.resolve("t"));
        assertEquals(
                "\"group\"",
                Cli.good("info", url, "--json")
                        .object()
                        .members()
                        .get("node_type")
                        .toString());
        assertTrue(Cli.good("info", url).out().contains("{\"version\":1.10}"));
    }

    @Test
    void info_ofAnArrayWithoutElements_saysItsChunks() {
        String url = dir.resolve("a").toString();
        Cli.good(
                "create", url, "--shape", "3,0", "--data-type", "int8", "--chunk-shape", "2,2", "--shard-shape", "4,4");
        Json.Obj info = Cli.good("info", url, "--json").object();
        assertEquals("[4,4]", info.members().get("shard_shape").toString());
        assertEquals("[2,2]", info.members().get("chunk_shape").toString());
        assertEquals("0", info.members().get("elements").toString());
    }

    /** A copy into a new folder, a pyramid in a group, and a change of an array's layout, all interrupted. */
    @Test
    void ls_andInfo_nameUnfinishedWork() throws IOException {
        String url = Nodes.tree(dir.resolve("t"));
        record Interrupted(String path, String work, String text) {}
        List<Interrupted> all = List.of(
                new Interrupted("new", "copy", "an unfinished copy: rerun the command to resume it"),
                new Interrupted("deep", "pyramid", "an unfinished pyramid; rerun the interrupted command"),
                new Interrupted("top", "relayout", "a change of layout"));
        for (Interrupted one : all) {
            Path folder = Files.createDirectories(dir.resolve("t").resolve(one.path()));
            Files.writeString(
                    folder.resolve("__unfinished"),
                    "{\"work\":\"" + one.work() + "\",\"step\":\"staging\",\"source\":\"s\"}");
        }
        List<String> lines = Cli.good("ls", url).lines();
        Json.Arr nodes = (Json.Arr) Cli.good("ls", url, "--json").json();
        for (Interrupted one : all) {
            assertTrue(
                    lines.stream().anyMatch(line -> line.strip().startsWith(one.path()) && line.contains(one.text())),
                    lines::toString);
            assertTrue(
                    nodes.items().stream()
                            .map(Json.Obj.class::cast)
                            .anyMatch(node -> node.get("path").orElseThrow().equals(Json.of("/" + one.path()))
                                    && node.get("unfinished")
                                            .orElse(Json.of(""))
                                            .toString()
                                            .contains(one.text())),
                    nodes::toString);
        }
        assertTrue(Cli.good("info", url + "/deep").out().contains("an unfinished pyramid; rerun"));
    }

    @Test
    void ls_ofARecordThatCannotBeRead_isAnError() throws Exception {
        String url = Nodes.tree(dir.resolve("t"));
        LinksAndPipes.pipe(Files.createDirectories(dir.resolve("t/odd")).resolve("__unfinished"));
        Cli.Result result = Cli.run("ls", url, "--json");
        assertEquals(1, result.status());
        Json.Obj odd = ((Json.Arr) result.json())
                .items().stream()
                        .map(Json.Obj.class::cast)
                        .filter(node -> node.get("path").orElseThrow().equals(Json.of("/odd")))
                        .findFirst()
                        .orElseThrow();
        assertEquals(Set.of("path", "error"), odd.members().keySet());
    }

    @Test
    void ls_ofAGroup_showsTheTree() {
        String url = Nodes.tree(dir.resolve("t"));
        assertEquals(TREE, paths(Cli.good("ls", url, "--json").json()));
        List<String> lines = Cli.good("ls", url).lines();
        assertEquals(6, lines.size());
        String deepest = lines.get(3);
        assertTrue(deepest.startsWith("      b ") && deepest.endsWith("array string [3], chunks [2]"), deepest);
        assertEquals(
                List.of("/"),
                paths(Cli.good("ls", dir.resolve("t/top").toString(), "--json").json()));
    }

    @Test
    void ls_overHttp_needsConsolidatedMetadata() throws IOException {
        String url = Nodes.tree(dir.resolve("t"));
        try (TourServer server = TourServer.start(dir)) {
            Cli.bad(1, "list", "ls", server.url() + "/t");
            try (ZarrGroup group = Zarr.openGroup(url)) {
                group.consolidate();
            }
            TourServer.Traffic before = server.traffic();
            assertEquals(
                    TREE, paths(Cli.good("ls", server.url() + "/t", "--json").json()));
            assertEquals(1, server.traffic().minus(before).requests());
            Cli.good("copy", server.url() + "/t", dir.resolve("u").toString());
            assertEquals(
                    TREE,
                    paths(Cli.good("ls", dir.resolve("u").toString(), "--json").json()));
            Cli.bad(1, "cannot write", "create", server.url() + "/new", "--shape", "1", "--data-type", "int8");
        }
    }

    @Test
    void ls_ofADamagedTree_showsTheRest() throws IOException {
        String url = Nodes.tree(dir.resolve("t"));
        Files.writeString(dir.resolve("t/empty/zarr.json"), "{");
        Cli.Result result = Cli.run("ls", url);
        assertEquals(1, result.status());
        assertTrue(result.lines().get(4).contains("JSON"), result.out());
        assertTrue(result.lines().get(5).contains("int32"), result.out());
        assertEquals(TREE, paths(Cli.run("ls", url, "--json").json()));
    }

    @Test
    void plugins_listsThemAll() {
        Json.Arr list = (Json.Arr) Cli.good("plugins", "--json").json();
        Json.Obj zstd = list.items().stream()
                .map(Json.Obj.class::cast)
                .filter(p -> p.members().get("name").equals(Json.of("zstd")))
                .findFirst()
                .orElseThrow();
        assertEquals("\"codec\"", zstd.members().get("kind").toString());
        assertEquals("-100", zstd.members().get("priority").toString());
        assertEquals("\"active\"", zstd.members().get("state").toString());
        assertEquals(list.items().size() + 1, Cli.good("plugins").lines().size());
        Cli.bad(2, "Unknown option", "plugins", "--nope");
    }

    @Test
    void tour_checksItsValues() {
        Cli.Result result = Cli.good("tour");
        assertTrue(result.out().contains("Every value was right."), result.out());
        List<String> rows = result.lines().stream()
                .filter(line -> line.startsWith("   one inner chunk"))
                .toList();
        assertEquals(2, rows.size());
        for (String row : rows) {
            assertTrue(row.matches("   one inner chunk \\[.*] +3 .*"), row);
        }
    }

    @Test
    void command_withoutSense_isWrongUse() {
        Cli.bad(2, "a command is missing");
        Cli.bad(2, "nope", "nope");
        Cli.bad(2, "--array_path", "--array_path");
        Cli.bad(
                1,
                "this place does not exist",
                "--array_path",
                dir.resolve("nowhere").toString());
        Cli.bad(1, "no store opens \"ftp:\" URLs; the nearest of ", "info", "ftp://example.org/a");
        Cli.bad(1, "known names are n5, ", "info", "n6:/tmp/a"); // the name of a format
        Cli.bad(2, "expected a URL", "info", "http://bad host/");
    }

    @Test
    void create_withAnotherSpellingOfADataType_suggestsTheName() {
        Map<String, String> usual = Map.ofEntries(
                Map.entry("u2", "uint16"),
                Map.entry("<u2", "uint16"),
                Map.entry("|b1", "bool"),
                Map.entry(">f8", "float64"),
                Map.entry("uint16_t", "uint16"),
                Map.entry("ushort", "uint16"),
                Map.entry("int", "int32"),
                Map.entry("float", "float32"),
                Map.entry("double", "float64"),
                Map.entry("UInt8", "uint8"),
                Map.entry("unit8", "uint8"));
        usual.forEach((given, meant) -> Cli.bad(
                2,
                "data type \"" + given + "\" is unknown; did you mean \"" + meant + "\"?",
                "create",
                dir.resolve("new").toString(),
                "--shape",
                "1",
                "--data-type",
                given));
    }

    @Test
    void damagedMetadata_isNoShardOrChunk() throws IOException {
        String url = Nodes.numbers(dir.resolve("a"));
        Files.writeString(dir.resolve("a/zarr.json"), "{");
        Cli.Result result = Cli.bad(1, ", metadata zarr.json]", "info", url);
        assertFalse(result.err().contains("chunk"), result.err());
    }

    @Test
    void typo_isNamed() {
        Cli.bad(2, "did you mean stats", "stat", "a");
        Cli.bad(2, "did you mean --region?", "read", "a", "--regoin", "0:1");
        assertFalse(Cli.bad(2, "there is no command \"qqqq\"", "qqqq").err().contains("did you mean"));
    }

    @Test
    void help_isData() {
        assertTrue(Cli.good("--help").out().contains("Commands:"));
        assertTrue(Cli.good("copy", "--help").out().contains("--overwrite"));
        assertTrue(Cli.good("--version").out().startsWith("shardkit "));
    }
}
