package dev.shardkit.cli.command.maintain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.cli.Cli;
import dev.shardkit.cli.Nodes;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompactCommandTest {
    private static final int INDEX = 68;

    @TempDir
    Path dir;

    /** Puts bytes between the inner chunks of a shard and its index. */
    private static void widen(Path shard, byte with) throws IOException {
        byte[] stored = Files.readAllBytes(shard);
        byte[] wide = java.util.Arrays.copyOf(stored, stored.length + 5);
        java.util.Arrays.fill(wide, stored.length - INDEX, stored.length - INDEX + 5, with);
        System.arraycopy(stored, stored.length - INDEX, wide, wide.length - INDEX, INDEX);
        Files.write(shard, wide);
    }

    @Test
    void unusedBytes_go_afterADryRun() throws IOException {
        String url = Nodes.tree(dir.resolve("t"));
        Path shard = dir.resolve("t/top/c/0/0");
        byte[] sound = Files.readAllBytes(shard);
        widen(shard, (byte) 0);
        Cli.Result dry = Cli.good("compact", url, "--dry-run");
        assertTrue(dry.lines().get(0).startsWith("would be compacted top/c/0/0: "), dry.out());
        assertEquals(sound.length + 5, Files.size(shard));
        Json.Obj done = Cli.good("compact", url, "--json").object();
        Json.Obj one =
                (Json.Obj) ((Json.Arr) done.members().get("shards")).items().get(0);
        assertEquals("5", one.members().get("unused_bytes").toString());
        assertEquals("\"compacted\"", one.members().get("outcome").toString());
        assertEquals(
                "4",
                ((Json.Obj) done.members().get("summary"))
                        .members()
                        .get("shards")
                        .toString());
        assertEquals(sound.length, Files.size(shard));
        assertEquals(
                List.of("4 shards, 0 compacted, 0 refused; "),
                Cli.good("compact", url).lines().stream()
                        .map(l -> l.substring(0, l.indexOf(';') + 2))
                        .toList());
        Cli.good("verify", url);
    }

    @Test
    void foreignBytes_areRefused_unlessTold() throws IOException {
        String url = Nodes.numbers(dir.resolve("a"));
        Path shard = dir.resolve("a/c/0/0");
        widen(shard, (byte) 'x');
        long size = Files.size(shard);
        Cli.Result refused = Cli.run("compact", url, "--json");
        assertEquals(1, refused.status());
        assertEquals("", refused.err());
        assertTrue(refused.out().contains("\"reason\":"), refused.out());
        assertEquals(size, Files.size(shard));
        assertTrue(refused.out().contains("shardkit compact --foreign drop removes them"), refused.out());
        Path element = Files.write(dir.resolve("element.raw"), new byte[4]);
        Cli.bad(
                1,
                "shardkit compact --foreign drop removes them; if the shard is damaged, shardkit repair --foreign keep",
                "write",
                url,
                "--from",
                element.toString(),
                "--region",
                "0,0");
        Cli.good("compact", url, "--foreign", "drop", "--order", "as-they-come");
        assertEquals(size - 5, Files.size(shard));
    }

    @Test
    void threshold_isPercentOfTheShard() throws IOException {
        String url = Nodes.numbers(dir.resolve("a"));
        widen(dir.resolve("a/c/0/0"), (byte) 0);
        assertTrue(Cli.good("compact", url, "--threshold", "50").out().contains(", 0 compacted"));
        assertTrue(Cli.good("compact", url, "--threshold", "1").out().contains(", 1 compacted"));
    }

    @Test
    void wrongly_isRefused() {
        String url = Nodes.numbers(dir.resolve("a"));
        Cli.bad(2, "as-they-come", "compact", url, "--order", "random");
        Cli.bad(2, "percent", "compact", url, "--threshold", "101");
        Cli.bad(3, "this place does not exist", "compact", dir.resolve("none").toString());
    }
}
