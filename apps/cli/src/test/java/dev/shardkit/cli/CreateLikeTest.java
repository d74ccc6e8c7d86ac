package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code create} with short codecs and like another array; {@code write} with its choices. */
@Tag("one-jdk")
class CreateLikeTest {
    @TempDir
    Path folder;

    private String at(String name) {
        return folder.resolve(name).toString();
    }

    private Json.Obj metadata(String name) {
        Json.Obj facts = Cli.good("info", at(name), "--json").object();
        return (Json.Obj) facts.get("metadata").orElseThrow();
    }

    private static Json.Obj without(Json.Obj document, String name) {
        Json.Obj rest = Json.object();
        for (var member : document.members().entrySet()) {
            rest = member.getKey().equals(name) ? rest : rest.with(member.getKey(), member.getValue());
        }
        return rest;
    }

    @Test
    void codecs_haveAShortForm() {
        Cli.good("create", at("short"), "--shape", "9", "--data-type", "int8", "--codecs", "zstd:7,crc32c");
        Cli.good(
                "create",
                at("long"),
                "--shape",
                "9",
                "--data-type",
                "int8",
                "--codecs",
                "[{\"name\":\"zstd\",\"configuration\":{\"level\":7,\"checksum\":false}},{\"name\":\"crc32c\"}]");
        assertEquals(metadata("long"), metadata("short"));
        Cli.good("create", at("gzip"), "--shape", "9", "--data-type", "int8", "--codecs", "gzip");
        assertTrue(Cli.good("info", at("gzip")).out().contains("gzip level=5"));
        Cli.bad(
                2,
                "crc32c has no level",
                "create",
                at("x"),
                "--shape",
                "9",
                "--data-type",
                "int8",
                "--codecs",
                "crc32c:1");
        Cli.bad(
                2,
                "such as zstd:3,crc32c",
                "create",
                at("x"),
                "--shape",
                "9",
                "--data-type",
                "int8",
                "--codecs",
                "zstd:");
        Cli.bad(2, "did you mean", "create", at("x"), "--shape", "9", "--data-type", "int8", "--codecs", "gzpi");
    }

    @Test
    void like_hasEverythingButTheAttributes() {
        Nodes.numbers(folder.resolve("a"));
        Cli.good("create", at("b"), "--like", at("a"));
        assertEquals(without(metadata("a"), "attributes"), without(metadata("b"), "attributes"));
        Cli.good(
                "create",
                at("c"),
                "--like",
                at("a"),
                "--shape",
                "100,100",
                "--data-type",
                "uint8",
                "--shard-shape",
                "8,8");
        Json.Obj other = Cli.good("info", at("c"), "--json").object();
        assertEquals(Optional.of(Json.of(new long[] {8, 8})), other.get("shard_shape"));
        assertEquals(Optional.of(Json.of(new long[] {2, 2})), other.get("chunk_shape"));
        assertTrue(Cli.good("info", at("c")).out().contains("zstd level=3"));
        Cli.bad(2, "give --shape and --data-type, or --like", "create", at("d"), "--shape", "3");
    }

    @Test
    void like_keepsOtherGrids() {
        String grid = "{\"name\":\"rectilinear\",\"configuration\":{\"kind\":\"inline\",\"chunk_shapes\":[[2,3,4]]}}";
        Cli.good("create", at("a"), "--shape", "9", "--data-type", "int8", "--chunk-grid", grid);
        Cli.good("create", at("b"), "--like", at("a"));
        assertEquals(metadata("a"), metadata("b"));
    }

    @Test
    void like_takesTheCompression_thatAnotherFormatHas() throws IOException {
        String[] array = {"--shape", "64,64,64", "--data-type", "uint16", "--chunk-shape", "16,16,16"};
        for (String[] codec : new String[][] {
            {"none", "\"raw\""},
            {"gzip:4", "\"gzip\",\"level\":4,\"useZlib\":false"},
            {"numcodecs.zlib:2", "\"gzip\",\"level\":2,\"useZlib\":true"},
            {"numcodecs.bz2:7", "\"bzip2\",\"blockSize\":7"},
            {"zstd:5", "\"zstd\",\"level\":5"},
            {"numcodecs.lzma", "\"xz\",\"preset\":6"},
            {"numcodecs.lz4", "\"lz4\",\"blockSize\":"},
            {
                "[{\"name\":\"blosc\",\"configuration\":{\"cname\":\"zstd\",\"clevel\":3,\"shuffle\":\"bitshuffle\","
                        + "\"typesize\":2,\"blocksize\":0}}]",
                "\"blosc\",\"cname\":\"zstd\",\"clevel\":3,\"shuffle\":2"
            }
        }) {
            String name = codec[0].replaceAll("\\W", "");
            Cli.good(with(array, "create", at(name), "--codecs", codec[0]));
            Cli.good("create", "n5:" + at(name + ".n5"), "--like", at(name));
            String document = Files.readString(folder.resolve(name + ".n5/attributes.json"));
            assertTrue(document.contains("\"blockSize\":[16,16,16]"), document);
            assertTrue(document.contains("{\"type\":" + codec[1]), document);
            Cli.good("create", "n5:" + at(name + "-again"), "--like", "n5:" + at(name + ".n5"));
            assertEquals(document, Files.readString(folder.resolve(name + "-again/attributes.json")));
        }
    }

    @Test
    void like_ofShards_isRefused_whereAFormatHasNone() {
        String[] array = {"--shape", "64,64,64", "--data-type", "uint16", "--chunk-shape", "16,16,16"};
        Cli.good(with(array, "create", at("raw"), "--codecs", "none", "--shard-shape", "32,32,32"));
        Cli.good(with(array, "create", at("zstd"), "--codecs", "zstd,crc32c", "--shard-shape", "32,32,32"));
        Cli.bad(2, "no shards", "create", "n5:" + at("a"), "--like", at("raw"));
        Cli.good("create", "n5:" + at("a"), "--like", at("raw"), "--shard-shape", "none");
        Cli.bad(2, "codecs that one encoding is like", "create", "wkw:" + at("b"), "--like", at("zstd"));
        Cli.good("create", "wkw:" + at("b"), "--like", at("zstd"), "--codecs", "lz4");
        Cli.good("create", "wkw:" + at("c"), "--like", at("raw"));
        String cubes = "wkw:" + at("c") + "#shape=1,64,64,64";
        Cli.good("create", "wkw:" + at("d"), "--like", cubes);
        Cli.good("create", at("e"), "--like", cubes);
        for (String url : new String[] {cubes, "wkw:" + at("d") + "#shape=1,64,64,64", at("e")}) {
            Json.Obj facts = Cli.good("info", url, "--json").object();
            assertEquals(Optional.of(Json.of(new long[] {1, 16, 16, 16})), facts.get("chunk_shape"), url);
            assertEquals(Optional.of(Json.of(new long[] {1, 32, 32, 32})), facts.get("shard_shape"), url);
        }
        Cli.good("create", at("f"), "--like", cubes, "--shard-shape", "none");
        Cli.good("create", "neuroglancer:" + at("g"), "--like", at("raw"));
        Cli.good("create", "neuroglancer:" + at("h"), "--like", "neuroglancer:" + at("g/1_1_1"), "--codecs", "raw");
        Cli.bad(2, "codecs that one encoding is like", "create", "neuroglancer:" + at("i"), "--like", at("zstd"));
    }

    private static String[] with(String[] options, String... command) {
        return Stream.concat(Stream.of(command), Stream.of(options)).toArray(String[]::new);
    }

    @Test
    void write_takesItsChoices() {
        Nodes.numbers(folder.resolve("a"));
        byte[] one = {9, 0, 0, 0};
        for (String[] choice : new String[][] {
            {"--strategy", "append"},
            {"--strategy", "in-place"},
            {"--order", "morton"},
            {"--durability", "none"},
            {"--ownership", "owned"}
        }) {
            one[0]++;
            assertEquals(
                    0,
                    Cli.run(one, "write", at("a"), "--from", "-", "--region", "0,0", choice[0], choice[1])
                            .status());
            assertEquals(
                    String.valueOf(one[0]),
                    Cli.good("read", at("a"), "--region", "0,0").lines().get(0));
        }
        // Appending leaves the old index and the old inner chunk unused.
        Cli.run(one, "write", at("a"), "--from", "-", "--region", "0,0", "--strategy", "append");
        assertTrue(!Cli.good("verify", at("a")).out().contains(" 0 of them unused"));
        Cli.bad(2, "expected rewrite, in-place or append", "write", at("a"), "--from", "-", "--strategy", "new");
    }
}
