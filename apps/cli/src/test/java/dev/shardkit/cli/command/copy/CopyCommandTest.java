package dev.shardkit.cli.command.copy;

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
import dev.shardkit.cli.Nodes;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testkit.internal.LinksAndPipes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CopyCommandTest {
    @TempDir
    Path dir;

    private String url(String name) {
        return dir.resolve(name).toString();
    }

    private Json.Obj info(String name) {
        return Cli.good("info", url(name), "--json").object();
    }

    private void assertNumbers(String name) {
        try (ZarrArray array = Zarr.openArray(url(name))) {
            assertArrayEquals(Nodes.numbers(), array.read().ints());
        }
    }

    @Test
    void copy_withoutOptions_keepsTheMetadata() {
        Nodes.numbers(dir.resolve("a"));
        Cli.good("copy", url("a"), url("b"));
        assertEquals(info("a").members().get("metadata"), info("b").members().get("metadata"));
        assertNumbers("b");
    }

    @Test
    void copy_missingOnly_completesAnEarlierCopy() throws IOException {
        Nodes.numbers(dir.resolve("a"));
        Cli.good("copy", url("a"), url("b"), "--missing-only");
        assertNumbers("b");
        Files.delete(dir.resolve("b/c/0/0"));
        Cli.good("copy", url("a"), url("b"), "--missing-only");
        assertNumbers("b");
        for (String option : new String[] {"--overwrite", "--shard-shape=6,8", "--index-location=start"}) {
            assertEquals(
                    2,
                    Cli.run("copy", url("a"), url("c"), "--missing-only", option)
                            .status(),
                    option);
        }
        assertFalse(Files.exists(dir.resolve("c")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "--shard-shape 6,8; [6,8]; [2,2]",
                "--chunk-shape 1,4; [4,4]; [1,4]",
                "--chunk-shape 3,3 --shard-shape 9,9; [9,9]; [3,3]",
                "--codecs [{\"name\":\"crc32c\"}]; [4,4]; [2,2]",
                "--index-location start; [4,4]; [2,2]"
            })
    void copy_withOptions_changesWhatTheySay(String options, String shards, String chunks) {
        Nodes.numbers(dir.resolve("a"));
        String[] said = options.split(" ");
        Cli.good(Stream.concat(Stream.of("copy", url("a"), url("b")), Stream.of(said))
                .toArray(String[]::new));
        assertNumbers("b");
        Json.Obj info = info("b");
        assertEquals(shards, info.members().get("shard_shape").toString());
        assertEquals(chunks, info.members().get("chunk_shape").toString());
        Json.Obj metadata = (Json.Obj) info.members().get("metadata");
        String codecs = metadata.members().get("codecs").toString();
        assertEquals(options.contains("start"), codecs.contains("\"index_location\":\"start\""), codecs);
        assertEquals(!options.contains("--codecs"), codecs.contains("zstd"), codecs);
        assertEquals("{\"unit\":\"m\"}", metadata.members().get("attributes").toString());
        assertEquals("-1", metadata.members().get("fill_value").toString());
        assertEquals("[\"y\",\"x\"]", metadata.members().get("dimension_names").toString());
    }

    @Test
    void copy_ofPlainChunks_canBeSharded() {
        try (ZarrArray a = Zarr.createArray(
                url("a"),
                ArraySpec.of("int32", 6, 8).withChunkShape(3, 4).withCodecs(Codecs.transpose(1, 0), Codecs.gzip(1)))) {
            a.write(a.domain(), Nodes.numbers(), 0);
        }
        Cli.bad(2, "give a shard shape", "copy", url("a"), url("b"), "--index-location", "start");
        Cli.good("copy", url("a"), url("b"), "--shard-shape", "6,8");
        assertNumbers("b");
        assertEquals("[3,4]", info("b").members().get("chunk_shape").toString());
        assertTrue(info("b").toString().contains("transpose"));
    }

    @Test
    void copy_ofATree_copiesAllOfIt() {
        String tree = Nodes.tree(dir.resolve("t"));
        try (ZarrGroup group = Zarr.openGroup(tree)) {
            group.consolidate();
        }
        Cli.good("copy", tree, url("u"));
        assertEquals(
                Cli.good("ls", tree, "--json").out(),
                Cli.good("ls", url("u"), "--json").out());
        assertEquals(info("t").members().get("metadata"), info("u").members().get("metadata"));
        assertNumbers("u/top");
        assertEquals(
                "[\"x\", \"\", \"é\\u000a\"]\n",
                Cli.good("read", url("u/deep/a/b"), "--format", "json").out());
    }

    @Test
    void copy_ofMissingShards_storesNone() {
        Nodes.sparse(dir.resolve("a"));
        Cli.good("copy", url("a"), url("b"));
        assertTrue(Files.exists(dir.resolve("b/c/0/0")));
        assertFalse(Files.exists(dir.resolve("b/c/1/1")));
        assertEquals(
                Cli.good("read", url("a")).out(), Cli.good("read", url("b")).out());
    }

    @Test
    void copy_ontoSomething_needsOverwrite() throws IOException {
        Nodes.numbers(dir.resolve("a"));
        Nodes.tree(dir.resolve("t"));
        Cli.bad(1, "--overwrite", "copy", url("a"), url("t"));
        assertTrue(Files.exists(dir.resolve("t/deep/a/b/zarr.json")));
        Cli.good("copy", url("a"), url("t"), "--overwrite");
        assertFalse(Files.exists(dir.resolve("t/deep")));
        assertNumbers("t");
        Files.createDirectories(dir.resolve("mine"));
        Files.writeString(dir.resolve("mine/letter.txt"), "dear");
        Cli.bad(1, "nothing was overwritten", "copy", url("a"), url("mine"), "--overwrite");
        assertEquals("dear", Files.readString(dir.resolve("mine/letter.txt")));
    }

    @Test
    void copy_ontoItself_isWrongUse() throws IOException {
        Nodes.tree(dir.resolve("t"));
        Cli.bad(2, "overlap", "copy", url("t"), url("t"), "--overwrite");
        Cli.bad(2, "overlap", "copy", url("t"), url("t/deep/../copy"));
        Cli.bad(2, "overlap", "copy", url("t/deep"), dir.resolve("t").toUri().toString(), "--overwrite");
        LinksAndPipes.link(dir.resolve("link"), dir.resolve("t"));
        Cli.bad(2, "overlap", "copy", url("t"), url("link"), "--overwrite");
        assertNumbers("t/top");
    }

    @Test
    void copy_thatFails_staysUnfinished_andIsReplacedOnceItsSourceHasChanged() throws IOException {
        Nodes.tree(dir.resolve("t"));
        String gzip = "[{\"name\": \"gzip\", \"configuration\": {\"level\": 1}}]";
        Path shard = dir.resolve("t/top/c/1/1");
        byte[] bytes = Files.readAllBytes(shard);
        bytes[0] ^= 1;
        Files.write(shard, bytes);
        Cli.bad(1, "top", "copy", url("t"), url("u"), "--codecs", gzip);
        assertFalse(Files.exists(dir.resolve("u/zarr.json")));
        assertTrue(Files.exists(dir.resolve("u/__unfinished")));
        bytes[0] ^= 1;
        Files.write(shard, bytes);
        // the source has changed since
        Cli.bad(1, "unfinished copy", "copy", url("t"), url("u"), "--codecs", gzip);
        Cli.good("copy", url("t"), url("u"), "--overwrite");
        assertNumbers("u/top");
    }

    @Test
    void copy_thatWasKilled_isNoNodeAndCanBeReplaced() throws IOException {
        Nodes.numbers(dir.resolve("a"));
        Files.createDirectories(dir.resolve("b/c/0"));
        Files.writeString(dir.resolve("b/c/0/0"), "half");
        Files.writeString(dir.resolve("b/__unfinished"), "{\"work\":\"copy\",\"step\":\"staging\",\"source\":\"\"}");
        Cli.bad(1, "there is no Zarr v3 array or group", "info", url("b"));
        Cli.bad(
                1,
                "unfinished copy; to replace it, with all that it contains, use --overwrite",
                "copy",
                url("a"),
                url("b"));
        Cli.good("copy", url("a"), url("b"), "--overwrite");
        assertNumbers("b");
        assertFalse(Files.exists(dir.resolve("b/__unfinished")));
    }

    @Test
    void copy_ofATree_checksTheOptionsBeforeItWrites() {
        Nodes.tree(dir.resolve("t"));
        Cli.bad(2, "no array of", "copy", url("t"), url("u"), "--chunk-shape", "2,2,2,2");
        assertFalse(Files.exists(dir.resolve("u")));
    }
}
