package dev.shardkit.cli.command.look;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.cli.Cli;
import dev.shardkit.cli.Nodes;
import dev.shardkit.cli.command.serve.TourServer;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code du}, {@code tree} and {@code head}. */
class AbstractSizeCommandTest {
    @TempDir
    Path dir;

    private static long bytes(Path array) throws IOException {
        try (Stream<Path> files = Files.walk(array.resolve("c"))) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    private static List<Json.Obj> nodes(String... args) {
        return ((Json.Arr) Cli.good(args).json())
                .items().stream().map(Json.Obj.class::cast).toList();
    }

    @Test
    void du_countsStoredAndUnencodedBytes() throws IOException {
        String url = Nodes.tree(dir.resolve("t"));
        long top = bytes(dir.resolve("t/top"));
        long deep = bytes(dir.resolve("t/deep/a/b"));
        List<String[]> rows = Cli.good("du", url).lines().stream()
                .map(line -> line.strip().split(" +"))
                .toList();
        assertEquals(List.of("stored", "unencoded", "ratio", "objects", "path"), List.of(rows.get(0)));
        assertEquals(List.of(deep + "", "0", "-", "2", "/deep/a/b"), List.of(rows.get(1)));
        assertEquals(List.of(top + "", "192"), List.of(rows.get(2)).subList(0, 2));
        assertEquals(List.of("4", "/top"), List.of(rows.get(2)).subList(3, 5));
        assertEquals(List.of(top + deep + "", "192"), List.of(rows.get(3)).subList(0, 2));
        Json.Obj root = nodes("du", url, "--json").get(0);
        assertEquals(Optional.of(Json.of(top + deep)), root.get("stored_bytes"));
        assertEquals(Optional.of(Json.of(6)), root.get("objects"));
    }

    @Test
    void du_ofAnArray_countsOnlyStoredShards() throws IOException {
        String url = Nodes.sparse(dir.resolve("a"));
        Json.Obj array = nodes("du", url, "--json").get(0);
        assertEquals(Optional.of(Json.of(1)), array.get("objects"));
        assertEquals(Optional.of(Json.of(bytes(dir.resolve("a")))), array.get("stored_bytes"));
        assertEquals(2, Cli.good("du", url).lines().size(), "no total below one array");
    }

    @Test
    void du_overHttp_asksForEachChunk() throws IOException {
        String url = Nodes.tree(dir.resolve("t"));
        Cli.good("consolidate", url);
        try (TourServer server = TourServer.start(dir)) {
            assertEquals(
                    Cli.good("du", url).out(),
                    Cli.good("du", server.url() + "/t").out());
        }
    }

    @Test
    void tree_isDrawn() throws IOException {
        String url = Nodes.tree(dir.resolve("t"));
        List<String> lines = Cli.good("tree", url).lines();
        long all = bytes(dir.resolve("t/top")) + bytes(dir.resolve("t/deep/a/b"));
        assertEquals("/  group; " + all + " bytes stored of 192 bytes", lines.get(0));
        assertTrue(lines.get(1).startsWith("|-- deep  group; "), lines::toString);
        assertTrue(lines.get(2).startsWith("|   `-- a  group; "), lines::toString);
        assertTrue(lines.get(3).startsWith("|       `-- b  string [3], chunks [2]; "), lines::toString);
        assertEquals("|-- empty  group; 0 bytes stored", lines.get(4));
        assertTrue(lines.get(5).startsWith("`-- top  int32 [6, 8], "), lines::toString);
        Files.writeString(dir.resolve("t/empty/zarr.json"), "{");
        Cli.Result damaged = Cli.run("tree", url);
        assertEquals(1, damaged.status());
        assertTrue(damaged.lines().get(4).startsWith("|-- empty  "), damaged.out());
        assertEquals(6, damaged.lines().size());
    }

    @Test
    void largeSizes_areReadable() {
        Zarr.createArray(dir.resolve("a").toString(), ArraySpec.of("uint16", 3L << 40, 1L << 30))
                .close();
        assertTrue(
                Cli.good("tree", dir.resolve("a").toString()).out().endsWith("; 0 bytes stored of 6144.0 EiB\n"),
                "6 ZiB, more than 64 bits can count");
    }

    @Test
    void head_showsTheCorner() {
        String url = Nodes.numbers(dir.resolve("a"));
        assertEquals(
                List.of(
                        "int32 [6, 8], shards [4, 4] of inner chunks [2, 2]",
                        "region 0:3,0:3",
                        " 0  1  2",
                        "10 11 12",
                        "20 21 22"),
                Cli.good("head", url, "-n", "3").lines());
        assertEquals(8, Cli.good("head", url).lines().size());
        assertEquals(
                "[[0, 1],\n [10, 11]]\n",
                Cli.good("head", url, "-n", "2", "--json").out());
        Cli.bad(2, "-n: expected at least 1", "head", url, "-n", "0");
    }

    @Test
    void head_ofOtherRanks_andTypes() {
        String url = dir.resolve("a").toString();
        try (ZarrArray array = Zarr.createArray(url, ArraySpec.of("uint8", 2, 3, 4))) {
            array.write(array.domain(), new byte[24], 0);
        }
        assertEquals("region 0:1,0:3,0:4", Cli.good("head", url).lines().get(1));
        assertEquals(5, Cli.good("head", url).lines().size());
        String text = Nodes.tree(dir.resolve("t")) + "/deep/a/b";
        assertEquals(
                "\"x\" \"\" \"é\\u000a\"", Cli.good("head", text).lines().get(2).replaceAll(" +", " "));
        Zarr.createArray(dir.resolve("s").toString(), ArraySpec.of("int8")).close();
        assertEquals("0", Cli.good("head", dir.resolve("s").toString()).lines().get(2));
        Zarr.createArray(dir.resolve("e").toString(), ArraySpec.of("int8", 0, 3))
                .close();
        assertEquals(2, Cli.good("head", dir.resolve("e").toString()).lines().size());
    }
}
