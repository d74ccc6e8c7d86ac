package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a JVM says that has too little memory for what it is asked. */
@Timeout(600)
class LittleMemoryTest {
    private static final int MIB = 1 << 20;
    private static final int SIZE = 128;

    @TempDir
    Path dir;

    @Test
    void copy_intoShardsThatDoNotFit_saysWhatTheyNeed_andCanBeReplaced() throws Exception {
        Path source = dir.resolve("a");
        ArraySpec spec = ArraySpec.of("uint8", (long) SIZE * MIB)
                .withChunkShape(MIB)
                .withCodecs(Codecs.named("bytes", Json.object()));
        try (ZarrArray array = Zarr.createArray(source.toString(), spec)) {
            byte[] noise = new byte[MIB];
            Random random = new Random(1);
            for (long i = 0; i < SIZE; i++) {
                random.nextBytes(noise);
                array.write(Box.of(new long[] {i * MIB}, new long[] {MIB}), noise, 0);
            }
        }
        Path target = dir.resolve("b");
        String err = run(1, "copy", source.toString(), target.toString(), "--shard-shape", String.valueOf(SIZE * MIB));
        assertTrue(err.contains("not enough memory: the heap is ") && !err.contains("OutOfMemoryError"), err);
        assertTrue(
                err.contains("writing shards of shape [134217728] takes up to 128 MiB") && err.contains("-Xmx"), err);
        assertFalse(Files.exists(target.resolve("zarr.json")), "a copy that is not whole");
        String smaller = String.valueOf(4 * MIB);
        assertEquals(
                "",
                run(0, "copy", source.toString(), target.toString(), "--shard-shape", smaller, "--overwrite"),
                "another layout is another copy");
    }

    private String run(int status, String... arguments) throws IOException, InterruptedException {
        Path err = dir.resolve("err");
        List<String> command = new java.util.ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectError(err.toFile()).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        Process process = builder.start();
        int found = process.waitFor();
        String said = Files.readString(err);
        assertEquals(status, found, said);
        assertTrue(said.lines().count() <= 1, said);
        return said;
    }
}
