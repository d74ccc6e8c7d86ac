package dev.shardkit.cli.command.look;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.cli.Cli;
import dev.shardkit.cli.Nodes;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiffCommandTest {
    @TempDir
    Path dir;

    private String url(String name) {
        return dir.resolve(name).toString();
    }

    private static List<String> different(String... args) {
        Cli.Result result = Cli.run(args);
        assertEquals(1, result.status(), result.err());
        assertEquals("", result.err());
        return result.lines();
    }

    @Test
    void copies_areEqual() {
        Nodes.tree(dir.resolve("a"));
        Cli.good("copy", url("a"), url("b"));
        assertEquals(
                List.of("equal: 2 arrays, 2 compared"),
                Cli.good("diff", url("a"), url("b")).lines());
        Cli.good("consolidate", url("b"));
        Cli.good("diff", url("a"), url("b"));
    }

    @Test
    void anotherLayout_isDifferent_unlessIgnored() {
        Nodes.numbers(dir.resolve("a"));
        Cli.good("copy", url("a"), url("b"), "--shard-shape", "6,8");
        List<String> lines = different("diff", url("a"), url("b"));
        assertTrue(lines.get(0).startsWith("/ chunk_grid: "), lines::toString);
        Cli.good("diff", url("a"), url("b"), "--ignore-layout");
    }

    @Test
    void longTexts_areShownWhereTheyDiffer() {
        Nodes.numbers(dir.resolve("a"));
        Nodes.numbers(dir.resolve("b"));
        String same = "x".repeat(500);
        Cli.good("attrs", url("a"), "--set", "note=\"" + same + "left" + same + "\"");
        Cli.good("attrs", url("b"), "--set", "note=\"" + same + "right\"");
        String line = different("diff", url("a"), url("b")).get(0);
        assertTrue(line.matches("/ attributes/note: [.]{3}x{40}leftx{76}[.]{3} \\| [.]{3}x{40}right\""), line);
    }

    @Test
    void elements_areCounted_andTheFirstOnesPrintedInCOrder() {
        Nodes.numbers(dir.resolve("a"));
        Nodes.numbers(dir.resolve("b"));
        try (ZarrArray array = Zarr.openArray(url("b"))) {
            array.write(Box.of(new long[] {0, 5}, new long[] {6, 1}), new int[] {5, -7, 25, 35, -8, -9}, 0);
        }
        assertEquals(
                List.of(
                        "/ [1,5]: 15 | -7",
                        "/ [4,5]: 45 | -8",
                        "different: 1 array, 1 compared; 0 nodes, 0 members of metadata and 3 elements differ"),
                different("diff", url("a"), url("b"), "--first", "2"));
        Cli.Result json = Cli.run("diff", url("a"), url("b"), "--json");
        Json.Obj summary = (Json.Obj) json.object().get("summary").orElseThrow();
        assertEquals(Optional.of(Json.of(3)), summary.get("elements"));
        assertEquals(
                3,
                ((Json.Arr) json.object().get("differences").orElseThrow())
                        .items()
                        .size());
    }

    @Test
    void metadataAndNodes_areCompared() {
        Nodes.tree(dir.resolve("a"));
        Nodes.tree(dir.resolve("b"));
        Cli.good("attrs", url("b/top"), "--set", "unit=\"mm\"", "--set", "new=1");
        Cli.good("rm", url("a/empty"));
        Cli.good("resize", url("b/deep/a/b"), "--shape", "2");
        assertEquals(
                List.of(
                        "/deep/a/b shape: [3] | [2]",
                        "/empty: nothing | \"group\"",
                        "/top attributes/new: nothing | 1",
                        "/top attributes/unit: \"m\" | \"mm\"",
                        "different: 2 arrays, 1 compared; 1 node, 3 members of metadata and 0 elements differ"),
                different("diff", url("a"), url("b")));
        assertEquals(
                "/: \"group\" | \"array\"",
                different("diff", url("a"), url("b/top")).get(0));
    }

    @Test
    void text_isCompared_andDamageIsNoDifference() throws Exception {
        Nodes.tree(dir.resolve("a"));
        Nodes.tree(dir.resolve("b"));
        try (ZarrArray array = Zarr.openArray(url("b/deep/a/b"))) {
            array.write(Box.of(new long[] {1}, new long[] {1}), new String[] {"y"}, 0);
        }
        assertEquals(
                "/deep/a/b [1]: \"\" | \"y\"",
                different("diff", url("a"), url("b")).get(0));
        Files.write(dir.resolve("b/deep/a/b/c/0"), new byte[] {1});
        Cli.bad(3, "deep/a/b", "diff", url("a"), url("b"));
        Cli.bad(2, "expected a number of elements", "diff", url("a"), url("b"), "--first", "-1");
    }
}
