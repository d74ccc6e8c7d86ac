package dev.shardkit.cli.command.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.cli.Cli;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdoptCommandTest {
    private static final String ARRAY = "{\"shape\":[8,6],\"data_type\":\"int32\",\"chunk_shape\":[2,6],"
            + "\"dimension_names\":[\"y\",null],\"attributes\":{\"units\":\"K\"}}";

    @TempDir
    Path folder;

    private Path file;
    private byte[] content;

    @BeforeEach
    void write() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(100 + 48 * 4 + 9)
                .order(ByteOrder.LITTLE_ENDIAN)
                .position(100);
        for (int i = 0; i < 48; i++) {
            bytes.putInt(i);
        }
        content = bytes.array();
        file = folder.resolve("data.bin");
        Files.write(file, content);
        Files.writeString(folder.resolve("array.json"), ARRAY);
    }

    private String at(String name) {
        return folder.resolve(name).toString();
    }

    private static void counts(String location) {
        try (ZarrArray array = Zarr.openArray(location)) {
            int[] values = array.read().ints();
            for (int i = 0; i < 48; i++) {
                assertEquals(i, values[i], location);
            }
        }
    }

    @Test
    void contiguousElements_areAdopted_copied_andGivenBack() throws IOException {
        String[] adopt = adopt("--contiguous", "100");
        String[] dry = java.util.Arrays.copyOf(adopt, adopt.length + 1);
        dry[adopt.length] = "--dry-run";
        assertTrue(Cli.good(dry).out().startsWith("would be adopted: "));
        assertArrayEquals(content, Files.readAllBytes(file));
        String said = Cli.good(adopt).out();
        assertTrue(said.contains("as c/0/0, 4 chunks, 301 bytes, 132 added"), said);
        assertTrue(Cli.good(adopt).out().contains(", 0 added"));
        counts(at("array"));
        Cli.good("copy", at("array"), at("copy"), "--shard-shape", "4,6", "--chunk-shape", "2,3");
        counts(at("copy"));
        Cli.good("adopt", "--undo", at("data.bin"), at("array"));
        assertArrayEquals(content, Files.readAllBytes(file));
        counts(at("copy"));
        Cli.bad(1, "is not an unchanged index of an adoption", "adopt", "--undo", at("data.bin"), at("array"));
    }

    @Test
    void linesOfChunks_besideTheFile_areReadAndCopied() throws IOException {
        Files.writeString(
                folder.resolve("array.json"),
                ARRAY.replace(
                        "\"dimension_names\"",
                        "\"codecs\":[{\"name\":\"bytes\",\"configuration\":{\"endian\":\"little\"}}],\"dimension_names\""));
        Files.writeString(
                folder.resolve("chunks.csv"), "y,x,offset,size\n0,0,100,48\n1,0,148,48\n2, 0, 196, 48\n3,0,244,48\n");
        Cli.good(
                "adopt",
                at("data.bin"),
                at("adopted.json"),
                "--beside",
                "--array",
                at("array.json"),
                "--chunks",
                at("chunks.csv"));
        assertArrayEquals(content, Files.readAllBytes(file));
        counts("reference:" + at("adopted.json"));
        Cli.good("copy", "reference:" + at("adopted.json"), at("copy"), "--shard-shape", "8,6", "--chunk-shape", "4,6");
        counts(at("copy"));
        byte[] lines = "{\"cell\":[3,0],\"offset\":244,\"size\":48}\n".getBytes();
        Cli.Result one = Cli.run(lines, adopt("--chunks", "-"));
        assertEquals(0, one.status(), one.err());
        try (ZarrArray array = Zarr.openArray(at("array"))) {
            assertEquals(0, array.read().ints()[0]);
            assertEquals(47, array.read().ints()[47]);
        }
    }

    /** The command for the file and the array of the test, with more arguments. */
    private String[] adopt(String... more) {
        return Stream.concat(
                        Stream.of("adopt", at("data.bin"), at("array"), "--array", at("array.json")), Stream.of(more))
                .toArray(String[]::new);
    }

    /** Describes the array by its codecs, which a list of chunks needs. */
    private void describeCodecs() throws IOException {
        Files.writeString(
                folder.resolve("array.json"),
                ARRAY.replace(
                        "\"attributes\"",
                        "\"codecs\":[{\"name\":\"bytes\",\"configuration\":{\"endian\":\"little\"}}],\"attributes\""));
    }

    @Test
    void wrongUse_isSaid() throws IOException {
        Cli.bad(2, "--array is missing", "adopt", at("data.bin"), at("array"), "--contiguous", "0");
        Cli.bad(2, "expected a member codecs", adopt("--chunks", "-"));
        Cli.bad(1, "expected a file of at least", adopt("--contiguous", "110"));
        Files.writeString(folder.resolve("array.json"), ARRAY.replace("[2,6]", "[2,3]"));
        Cli.bad(2, "expected one shard of unencoded chunks", adopt("--contiguous", "100"));
        Files.writeString(folder.resolve("array.json"), ARRAY.replace("\"shape\"", "\"shapes\""));
        Cli.bad(2, "found \"shapes\"", adopt("--contiguous", "100"));
        describeCodecs();
        for (String line : new String[] {"1,2,3", "0,0,a,5", "{\"cell\":[0,0],\"offset\":1}", "{\"cell\":5}"}) {
            Cli.Result result = Cli.run((line + "\n").getBytes(), adopt("--chunks", "-"));
            assertEquals(2, result.status(), result.err());
            assertTrue(result.err().contains("line 1: expected"), result.err());
        }
        assertArrayEquals(content, Files.readAllBytes(file));
    }

    @Test
    void noChunks_isWrongUse() throws IOException {
        describeCodecs();
        for (String lines : new String[] {"", "y,x,offset,size\n"}) {
            Cli.Result result = Cli.run(lines.getBytes(), adopt("--chunks", "-"));
            assertEquals(2, result.status(), result.err());
            assertTrue(result.err().contains("expected a line for each chunk"), result.err());
        }
        assertArrayEquals(content, Files.readAllBytes(file));
    }

    @Test
    void documentWithASpaceInItsPath_isOpened() throws IOException {
        Cli.good(
                "adopt",
                at("data.bin"),
                at("a [b] c.json"),
                "--beside",
                "--array",
                at("array.json"),
                "--contiguous",
                "100");
        counts("reference:" + at("a [b] c.json"));
    }

    @Test
    void undo_leavesAShardThatWasReplaced_andNeverCutsAnother() throws IOException {
        Files.writeString(
                folder.resolve("array.json"),
                ARRAY.replace("[8,6]", "[16,6]")
                        .replace(
                                "\"dimension_names\"",
                                "\"shard_shape\":[8,6],\"codecs\":[{\"name\":\"bytes\",\"configuration\":{\"endian\":\"little\"}}],"
                                        + "\"dimension_names\""));
        String lines = "0,0,100,48\n1,0,148,48\n2,0,196,48\n3,0,244,48\n";
        Cli.Result adopted = Cli.run(lines.getBytes(), adopt("--chunks", "-", "--shard", "1,0"));
        assertEquals(0, adopted.status(), adopted.err());
        Cli.bad(1, "is another shard", "adopt", "--undo", at("data.bin"), at("array"));
        Path shard = folder.resolve("array/c/1/0");
        byte[] other = Files.readAllBytes(shard);
        Files.delete(shard);
        Files.write(shard, other);
        Cli.good("adopt", "--undo", at("data.bin"), at("array"), "--shard", "1,0");
        assertArrayEquals(content, Files.readAllBytes(file));
        assertArrayEquals(other, Files.readAllBytes(shard));
    }

    @Test
    void undo_afterAReshard_needsToKnowWhatTheArrayWas() throws IOException {
        Cli.good(adopt("--contiguous", "100"));
        Cli.good("reshard", at("array"), "--shard-shape", "4,6");
        Cli.bad(1, "is not an unchanged index of an adoption", "adopt", "--undo", at("data.bin"), at("array"));
        Cli.good("adopt", "--undo", at("data.bin"), at("array"), "--array", at("array.json"));
        assertArrayEquals(content, Files.readAllBytes(file));
        counts(at("array"));
    }
}
