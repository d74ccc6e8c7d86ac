package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --part} and {@code --finish}. */
class PartsTest {
    @TempDir
    Path dir;

    @BeforeEach
    void makeArray() {
        Nodes.numbers(dir.resolve("a"));
    }

    private String url(String name) {
        return dir.resolve(name).toString();
    }

    @Test
    void copy_inParts() {
        Cli.bad(1, "no unfinished copy", "copy", url("a"), url("b"), "--finish");
        Cli.good("copy", url("a"), url("b"), "--codecs", "none", "--part", "2/2");
        Cli.bad(1, "missing part 1/2", "copy", url("a"), url("b"), "--codecs", "none", "--finish");
        Cli.bad(1, "there is no Zarr v3 array or group", "info", url("b"));
        Cli.bad(1, "unfinished copy in parts", "copy", url("a"), url("b"), "--part", "1/2");
        Cli.bad(1, "Remove it first", "copy", url("a"), url("b"), "--part", "1/2");
        Cli.bad(3, "copy --finish", "verify", url("b"));
        Cli.good("copy", url("a"), url("b"), "--codecs", "none", "--part", "1/2");
        Cli.good("copy", url("a"), url("b"), "--codecs", "none", "--finish");
        Cli.good("copy", url("a"), url("b"), "--codecs", "none", "--finish"); // as schedulers do
        Cli.good("diff", url("a"), url("b"), "--ignore-layout");
    }

    @Test
    void layout_inParts() {
        Cli.good("copy", url("a"), url("b"));
        String[] change = {"unshard", url("b")};
        Cli.bad(1, "no part was staged", change[0], change[1], "--finish");
        Cli.good(change[0], change[1], "--part", "2/2");
        Cli.bad(1, "missing part 1/2", change[0], change[1], "--finish");
        Cli.good("diff", url("a"), url("b"));
        String unfinished = "a change of layout that was stopped before it changed the array, or that runs; rerun it";
        assertTrue(Cli.good("info", url("b")).out().matches("(?s).*\nunfinished +" + unfinished + ".*"));
        assertTrue(Cli.good("info", url("b"), "--json").out().contains("\"unfinished\": \"" + unfinished));
        assertTrue(Cli.good("tree", url("b")).out().contains("; unfinished: " + unfinished));
        assertTrue(Cli.good("tree", url("b"), "--json").out().contains("\"unfinished\": \"" + unfinished));
        assertFalse(Cli.good("tree", url("a")).out().contains("unfinished"));
        Cli.good(change[0], change[1], "--part", "1/2");
        Cli.good(change[0], change[1], "--finish");
        Cli.good(change[0], change[1], "--finish"); // as schedulers do
        Cli.good("diff", url("a"), url("b"), "--ignore-layout");
        Cli.good("verify", url("b"));
        Cli.bad(2, "exclude each other", change[0], change[1], "--part", "1/2", "--dry-run");
    }

    @Test
    void wrongUse() {
        Cli.bad(2, "expected a part such as 3/8", "copy", url("a"), url("b"), "--part", "one");
        Cli.bad(2, "expected a part from 1", "verify", url("a"), "--part", "3/2");
        Cli.bad(2, "exclude each other", "copy", url("a"), url("b"), "--part", "1/2", "--finish");
        Cli.bad(2, "exclude each other", "copy", url("a"), url("b"), "--part", "1/2", "--overwrite");
    }

    @Test
    void stats_inParts() throws IOException {
        List<String> args = new ArrayList<>(List.of("stats", url("a"), "--bins", "8", "--finish"));
        for (int part = 1; part <= 3; part++) {
            Path file = dir.resolve("part-" + part + ".json");
            Files.write(
                    file,
                    Cli.good("stats", url("a"), "--bins", "8", "--part", part + "/3")
                            .lines());
            args.add(file.toString());
        }
        assertEquals(
                Cli.good("stats", url("a"), "--bins", "8").lines(),
                Cli.good(args.toArray(String[]::new)).lines());
        Cli.bad(1, "part 3/3 is missing", args.subList(0, args.size() - 1).toArray(String[]::new));
        Cli.bad(2, "another array", "stats", url("a"), "--finish", args.get(5));
        Files.writeString(dir.resolve("part-1.json"), "[]");
        Cli.bad(2, "expected a JSON object", args.toArray(String[]::new));
    }

    @Test
    void verify_inParts() throws IOException {
        Cli.good("verify", url("a"), "--part", "1/2");
        Cli.good("verify", url("a"), "--part", "2/2");
        List<Path> shards;
        try (var files = Files.walk(dir.resolve("a/c"))) {
            shards = files.filter(Files::isRegularFile).sorted().toList();
        }
        Path last = shards.get(shards.size() - 1);
        Files.write(last, new byte[] {1});
        Cli.good("verify", url("a"), "--part", "1/2");
        assertEquals(1, Cli.run("verify", url("a"), "--part", "2/2").status());
    }
}
