package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CreateAndWriteTest {
    @TempDir
    Path dir;

    private String url(String name) {
        return dir.resolve(name).toString();
    }

    private Path file(byte... bytes) throws IOException {
        return Files.write(dir.resolve("raw"), bytes);
    }

    @Test
    void create_withEverything_saysItInMetadata() {
        Cli.good(
                "create",
                url("a"),
                "--shape",
                "512,512",
                "--data-type",
                "float32",
                "--chunk-shape",
                "64,32",
                "--shard-shape",
                "256,256",
                "--codecs",
                "[{\"name\":\"gzip\",\"configuration\":{\"level\":1}}]",
                "--index-codecs",
                "[{\"name\":\"bytes\",\"configuration\":{\"endian\":\"big\"}}]",
                "--index-location",
                "start",
                "--fill-value",
                "NaN",
                "--dimension-names",
                "y,x",
                "--attributes",
                "{\"scale\": 1.10}");
        Json.Obj info = Cli.good("info", url("a"), "--json").object();
        assertEquals("[256,256]", info.members().get("shard_shape").toString());
        assertEquals("[64,32]", info.members().get("chunk_shape").toString());
        Json.Obj metadata = (Json.Obj) info.members().get("metadata");
        assertEquals("\"NaN\"", metadata.members().get("fill_value").toString());
        assertEquals("[\"y\",\"x\"]", metadata.members().get("dimension_names").toString());
        assertEquals("{\"scale\":1.10}", metadata.members().get("attributes").toString());
        String codecs = metadata.members().get("codecs").toString();
        assertTrue(
                codecs.contains("\"index_location\":\"start\"")
                        && codecs.contains("\"level\":1")
                        && codecs.contains("\"endian\":\"big\""),
                codecs);
    }

    @Test
    void create_insideAnArray_isRefused_evenOverAnOldNode() throws IOException {
        String[] rest = {"--shape", "4", "--data-type", "int8"};
        Cli.good("create", url("a"), rest[0], rest[1], rest[2], rest[3]);
        Path old = Files.createDirectories(dir.resolve("a/b"));
        Files.copy(dir.resolve("a/zarr.json"), old.resolve("zarr.json"));
        String said = "in the folder of the array file:" + url("a") + ", and an array has no children";
        Cli.bad(1, said, "create", url("a/b"), rest[0], rest[1], rest[2], rest[3], "--overwrite");
        Cli.bad(1, said, "create", url("a/c/0"), rest[0], rest[1], rest[2], rest[3]);
        assertTrue(Files.exists(old.resolve("zarr.json")));
    }

    @Test
    void create_withShardingInTheCodecs_nests() {
        Cli.good(
                "create",
                url("a"),
                "--shape",
                "64,64",
                "--data-type",
                "uint8",
                "--chunk-shape",
                "16,16",
                "--shard-shape",
                "32,32",
                "--codecs",
                "[{\"name\":\"sharding_indexed\",\"configuration\":{\"chunk_shape\":[4,4],"
                        + "\"codecs\":[{\"name\":\"bytes\"}],\"index_codecs\":[{\"name\":\"bytes\",\"configuration\":"
                        + "{\"endian\":\"little\"}},{\"name\":\"crc32c\"}]}}]");
        Json.Obj info = Cli.good("info", url("a"), "--json").object();
        assertEquals("[4,4]", info.members().get("chunk_shape").toString());
    }

    @Test
    void create_wrongly_isWrongUseAndLeavesNothing() {
        Cli.bad(2, "--shape", "create", url("a"), "--data-type", "uint8");
        Cli.bad(
                2,
                "--shard-shape: expected multiples of --chunk-shape [3], found [4]; the nearest legal values in dimension 0 are 3 or 6",
                "create",
                url("a"),
                "--shape",
                "9",
                "--data-type",
                "uint8",
                "--chunk-shape",
                "3",
                "--shard-shape",
                "4");
        Cli.bad(2, "\"uint7\" is unknown", "create", url("a"), "--shape", "9", "--data-type", "uint7");
        Cli.bad(
                2,
                "\"no\" is unknown",
                "create",
                url("a"),
                "--shape",
                "9",
                "--data-type",
                "int8",
                "--codecs",
                "[\"no\"]");
        Cli.bad(2, "--fill-value", "create", url("a"), "--shape", "9", "--data-type", "int8", "--fill-value", "300");
        Cli.bad(2, "--codecs: not JSON", "create", url("a"), "--shape", "9", "--data-type", "int8", "--codecs", "[");
        Cli.bad(2, "--attributes", "create", url("a"), "--shape", "9", "--data-type", "int8", "--attributes", "[]");
        Cli.bad(
                2,
                "--shard-shape",
                "create",
                url("a"),
                "--shape",
                "9",
                "--data-type",
                "int8",
                "--index-location",
                "end");
        Cli.bad(
                2,
                "--dimension-names",
                "create",
                url("a"),
                "--shape",
                "9",
                "--data-type",
                "int8",
                "--dimension-names",
                "a,b");
        Cli.bad(2, "--shape", "create", url("a"), "--shape", "9,-1", "--data-type", "int8");
        Cli.bad(
                2,
                "expected 1 length",
                "create",
                url("a"),
                "--shape",
                "9",
                "--data-type",
                "int8",
                "--chunk-shape",
                "3,3");
        assertFalse(Files.exists(dir.resolve("a")));
    }

    @Test
    void create_whereSomethingIs_refuses() throws IOException {
        Nodes.numbers(dir.resolve("a"));
        Cli.bad(1, "already holds an array or group", "create", url("a"), "--shape", "9", "--data-type", "int8");
        assertTrue(Files.exists(dir.resolve("a/c/0/0")));
        Cli.good("create", url("a"), "--shape", "9", "--data-type", "int8", "--overwrite");
        assertFalse(Files.exists(dir.resolve("a/c")));
        Files.createDirectories(dir.resolve("mine"));
        Files.writeString(dir.resolve("mine/letter.txt"), "dear");
        Cli.bad(
                1,
                "nothing was overwritten",
                "create",
                url("mine"),
                "--shape",
                "9",
                "--data-type",
                "int8",
                "--overwrite");
        assertEquals("dear", Files.readString(dir.resolve("mine/letter.txt")));
    }

    @Test
    void write_whatReadGave_givesTheArrayBack() throws IOException {
        byte[] values = new byte[2 * 100 * 70];
        new Random(3).nextBytes(values);
        Cli.good(
                "create",
                url("a"),
                "--shape",
                "100,70",
                "--data-type",
                "uint16",
                "--chunk-shape",
                "8,8",
                "--shard-shape",
                "32,32");
        Cli.good("write", url("a"), "--from", file(values).toString());
        assertArrayEquals(values, Cli.good("read", url("a"), "--format", "raw").bytes());
    }

    @Test
    void write_aRegion_leavesTheRest() throws IOException {
        String url = Nodes.numbers(dir.resolve("a"));
        Cli.good(
                "write",
                url,
                "--region",
                "1:3,5",
                "--from",
                file((byte) 7, (byte) 0, (byte) 0, (byte) 0, (byte) -1, (byte) -1, (byte) -1, (byte) -1)
                        .toString());
        int[] expected = Nodes.numbers();
        expected[13] = 7;
        expected[21] = -1;
        try (ZarrArray array = Zarr.openArray(url)) {
            assertArrayEquals(expected, array.read().ints());
        }
    }

    @Test
    void write_fromStandardInput_takesStrings() {
        Cli.good(
                "create",
                url("s"),
                "--shape",
                "2",
                "--data-type",
                "string",
                "--chunk-shape",
                "1",
                "--shard-shape",
                "2");
        ByteBuffer raw = ByteBuffer.allocate(10).order(ByteOrder.LITTLE_ENDIAN);
        raw.putInt(0).putInt(2).put(new byte[] {'h', 'i'});
        String small = Cli.run(new byte[3], "write", url("s"), "--from", "-").err();
        assertTrue(small.contains("standard input does not fit a region"), small);
        assertEquals(0, Cli.run(raw.array(), "write", url("s"), "--from", "-").status());
        assertEquals(
                "[\"\", \"hi\"]\n",
                Cli.good("read", url("s"), "--format", "json").out());
    }

    @Test
    void write_aFileThatDoesNotFit_isWrongUse() throws IOException {
        String url = Nodes.numbers(dir.resolve("a"));
        Cli.bad(2, "does not fit", "write", url, "--from", file(new byte[191]).toString());
        Cli.bad(2, "does not fit", "write", url, "--from", file(new byte[193]).toString());
        Cli.bad(
                2,
                "exceeds dimension 0",
                "write",
                url,
                "--region",
                "6,0",
                "--from",
                file(new byte[4]).toString());
        Cli.bad(2, "--from", "write", url);
        Cli.bad(1, "no such file: ", "write", url, "--from", url("nofile"));
        assertEquals("57", Cli.good("read", url, "--region", "5,7").lines().get(0));
        Cli.good("create", url("s"), "--shape", "2", "--data-type", "string");
        byte[] past = {1, 0, 0, 0, 'a', (byte) 255, (byte) 255, (byte) 255, (byte) 255, 'b'};
        Cli.bad(
                2,
                "element 1 extends beyond the end of the file",
                "write",
                url("s"),
                "--from",
                file(past).toString());
        Cli.bad(
                2,
                "bytes follow the last element",
                "write",
                url("s"),
                "--from",
                file(new byte[9]).toString());
        Cli.bad(
                2,
                "does not fit",
                "write",
                url("s"),
                "--from",
                file(new byte[7]).toString());
    }

    @Test
    void write_elementsThatAreNone_isRefused() throws IOException {
        Cli.good("create", url("b"), "--shape", "2", "--data-type", "bool");
        Cli.bad(1, "bool", "write", url("b"), "--from", file((byte) 1, (byte) 2).toString());
        Cli.good("create", url("s"), "--shape", "1", "--data-type", "string");
        Cli.bad(
                1,
                "UTF-8",
                "write",
                url("s"),
                "--from",
                file((byte) 1, (byte) 0, (byte) 0, (byte) 0, (byte) 0xff).toString());
    }
}
