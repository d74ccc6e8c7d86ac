package dev.shardkit.cli.command.look;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.cli.Cli;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChunksCommandTest {
    @TempDir
    Path dir;

    private String url;

    @BeforeEach
    void write() {
        url = dir.resolve("a").toString();
        ArraySpec spec = ArraySpec.of("int16", 7, 8)
                .withShardShape(4, 4)
                .withChunkShape(2, 2)
                .withCodecs(Codecs.bytesLittleEndian());
        try (ZarrArray array = Zarr.createArray(url, spec)) {
            array.write(Box.of(new long[] {1, 1}, new long[] {1, 2}), new short[] {1, 2}, 0);
            array.write(Box.of(new long[] {6, 7}, new long[] {1, 1}), new short[] {3}, 0);
        }
    }

    @Test
    void lines_areOneAChunk() {
        assertEquals(
                List.of("0,0\t0:2,0:2\tc/0/0\t0\t8", "0,1\t0:2,2:4\tc/0/0\t8\t8", "3,3\t6:7,6:8\tc/1/1\t0\t8"),
                Cli.good("chunks", url).lines());
        assertEquals(
                List.of("0,1\t0:2,2:4\tc/0/0\t8\t8"),
                Cli.good("chunks", url, "--region", "0:4,2:4").lines());
        assertEquals(
                List.of("0,0\t0:4,0:4\tc/0/0\t0\t84", "1,1\t4:7,4:8\tc/1/1\t0\t76"),
                Cli.good("chunks", url, "--level", "0").lines());
        assertEquals(List.of(), Cli.good("chunks", url, "--region", "4:6,:").lines());
    }

    @Test
    void countAndBitmap() {
        assertEquals("3\n", Cli.good("chunks", url, "--count").out());
        assertEquals(
                List.of("##..", "....", "....", "...#"),
                Cli.good("chunks", url, "--bitmap").lines());
        Json.Obj bitmap = Cli.good("chunks", url, "--bitmap", "--json").object();
        assertEquals("3", bitmap.members().get("existing").toString());
        assertArrayEquals(
                new byte[] {3, (byte) 0x80},
                Base64.getDecoder().decode(((Json.Str) bitmap.members().get("bits")).value()));
    }

    @Test
    void json_isOneDocument() {
        Json.Obj all = Cli.good("chunks", url, "--json").object();
        Json.Obj last =
                (Json.Obj) ((Json.Arr) all.members().get("chunks")).items().get(2);
        assertEquals(
                "{\"cell\":[3,3],\"origin\":[6,6],\"shape\":[1,2],\"key\":\"c/1/1\",\"offset\":0,\"size\":8}",
                last.toString());
        assertEquals(
                "3",
                ((Json.Obj) all.members().get("summary"))
                        .members()
                        .get("existing")
                        .toString());
    }

    @Test
    void nonemptyChunks_isVerified_andRebuilt() throws IOException {
        Cli.Result none = Cli.run("chunks", url, "--verify-nonempty");
        assertEquals(1, none.status());
        assertTrue(none.out().startsWith("absent "), none.out());
        assertEquals("3 keys\n", Cli.good("chunks", url, "--rebuild-nonempty").out());
        assertEquals(
                "nonempty_chunks matches the stored chunks\n",
                Cli.good("chunks", url, "--verify-nonempty").out());
        Path document = dir.resolve("a/zarr.json");
        assertTrue(Files.readString(document)
                .replaceAll("\\s", "")
                .contains("\"nonempty_chunks\":[\"0.0\",\"0.1\",\"3.3\"]"));
        Files.writeString(document, Files.readString(document).replace("\"0.1\"", "\"0.2\""));
        Cli.Result stale = Cli.run("chunks", url, "--verify-nonempty");
        assertEquals(1, stale.status());
        assertEquals(List.of("missing 0.1", "gone 0.2", "2 differences"), stale.lines());
        Json.Obj json = Cli.run("chunks", url, "--verify-nonempty", "--json").object();
        assertEquals(
                "2",
                ((Json.Obj) json.members().get("summary"))
                        .members()
                        .get("differences")
                        .toString());
    }

    @Test
    void exitStatuses() throws IOException {
        assertEquals(2, Cli.run("chunks", url, "--region", "0:9,:").status());
        assertEquals(2, Cli.run("chunks", url, "--level", "2").status());
        assertEquals(2, Cli.run("chunks", url, "--count", "--bitmap").status());
        assertEquals(
                2, Cli.run("chunks", url, "--verify-nonempty", "--level", "0").status());
        assertEquals(1, Cli.run("chunks", dir.resolve("none").toString()).status());
        Cli.good("chunks", url, "--rebuild-nonempty");
        Files.write(dir.resolve("a/c/0/0"), new byte[3]);
        assertEquals(1, Cli.run("chunks", url).status());
        assertEquals(1, Cli.run("chunks", url, "--rebuild-nonempty").status());
        assertEquals(3, Cli.run("chunks", url, "--verify-nonempty").status());
    }
}
