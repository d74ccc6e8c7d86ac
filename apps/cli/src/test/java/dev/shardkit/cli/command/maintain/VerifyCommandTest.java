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

class VerifyCommandTest {
    @TempDir
    Path dir;

    private static Json.Obj summary(Json.Obj document) {
        return (Json.Obj) document.members().get("summary");
    }

    private static List<Json> findings(Json.Obj document) {
        return ((Json.Arr) document.members().get("findings")).items();
    }

    @Test
    void soundTree_endsWithZero() {
        String url = Nodes.tree(dir.resolve("t"));
        Cli.Result text = Cli.good("verify", url);
        assertEquals(1, text.lines().size(), text.out());
        assertTrue(text.out().startsWith("2 arrays, 4 shards with 12 inner chunks, 2 chunks; "), text.out());
        Json.Obj json = Cli.good("verify", url, "--json").object();
        assertEquals(List.of(), findings(json));
        assertEquals("12", summary(json).members().get("inner_chunks").toString());
        assertEquals("0", summary(json).members().get("errors").toString());
    }

    @Test
    void nodesBelowAFolderThatIsNoGroup_areNamed_andAGroupCanBeMadeOfIt() throws IOException {
        Cli.good("group", dir.resolve("t").toString());
        Nodes.numbers(dir.resolve("t/x/a"));
        Nodes.numbers(dir.resolve("t/x/y/b"));
        Files.createDirectories(dir.resolve("t/x/empty/c"));
        String url = dir.resolve("t").toString();
        Cli.Result found = Cli.good("verify", url);
        assertEquals(3, found.lines().size(), found.out());
        assertTrue(found.lines().get(0).startsWith("note x/a expected a group above each node"), found.out());
        assertTrue(found.lines().get(1).startsWith("note x/y/b "), found.out());
        Json.Obj first =
                (Json.Obj) findings(Cli.good("verify", url, "--json").object()).get(0);
        assertEquals("\"hidden_node\"", first.members().get("kind").toString());

        Cli.Result consolidated = Cli.run("consolidate", url);
        assertEquals(0, consolidated.status());
        assertTrue(consolidated.err().contains("left out /x/a: a folder above it is no group"), consolidated.err());
        Cli.good("group", url + "/x");
        Cli.good("group", url + "/x/y");
        Cli.good("consolidate", url);
        assertEquals(5, Cli.good("ls", url).lines().size());
    }

    @Test
    void brokenShard_endsWithOne_andIsListed() throws IOException {
        String url = Nodes.numbers(dir.resolve("a"));
        Path shard = dir.resolve("a/c/0/0");
        byte[] bytes = Files.readAllBytes(shard);
        bytes[5] ^= 1;
        Files.write(shard, bytes);
        Cli.Result text = Cli.run("verify", url);
        assertEquals(1, text.status());
        assertEquals("", text.err());
        assertTrue(
                text.lines().get(0).startsWith("error shard or chunk c/0/0, inner chunk [0, 0] bytes 0 to "),
                text.out());
        assertTrue(text.lines().get(1).endsWith("1 error, 0 notes"), text.out());
        Cli.Result json = Cli.run("verify", url, "--json");
        assertEquals(1, json.status());
        Json.Obj finding = (Json.Obj) findings(json.object()).get(0);
        assertEquals("\"error\"", finding.members().get("severity").toString());
        assertEquals("\"c/0/0\"", finding.members().get("key").toString());
        assertEquals("[[0,0]]", finding.members().get("inner_chunk").toString());
        assertEquals("0", finding.members().get("offset").toString());
        Cli.good("verify", url, "--no-decode");
    }

    @Test
    void notes_areNoErrors() throws IOException {
        String url = Nodes.numbers(dir.resolve("a"));
        Files.writeString(dir.resolve("a/readme"), "x");
        Files.writeString(dir.resolve("a/c/more"), "x");
        Cli.Result text = Cli.good("verify", url);
        assertEquals(3, text.lines().size(), text.out());
        assertEquals(2, findings(Cli.good("verify", url, "--json").object()).size());
    }

    @Test
    void brokenMetadata_isAFinding_andNothingThereIsAFailure() throws IOException {
        Path node = Files.createDirectories(dir.resolve("m"));
        Files.writeString(node.resolve("zarr.json"), "{}");
        Cli.Result broken = Cli.run("verify", node.toString(), "--json");
        assertEquals(1, broken.status());
        assertEquals(
                "\"metadata\"",
                ((Json.Obj) findings(broken.object()).get(0))
                        .members()
                        .get("kind")
                        .toString());
        Cli.bad(3, "this place does not exist", "verify", dir.resolve("none").toString());
        Cli.bad(3, "127.0.0.1:9", "verify", "http://127.0.0.1:9/a");
        Cli.bad(2, "URL", "verify");
    }
}
