package dev.shardkit.cli.command.copy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.cli.Cli;
import dev.shardkit.cli.option.Options;
import dev.shardkit.cli.print.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code copy --max-memory}. */
class BoundedCopyTest {
    private static final int[] NUMBERS = IntStream.range(1, 1 + 9 * 10 * 14).toArray();

    @TempDir
    Path dir;

    private String url(String name) {
        return dir.resolve(name).toString();
    }

    private void planes() {
        ArraySpec spec = ArraySpec.of("int32", 9, 10, 14).withChunkShape(1, 10, 14);
        try (ZarrArray array = Zarr.createArray(url("planes"), spec)) {
            array.write(array.domain(), NUMBERS, 0);
        }
    }

    private Cli.Result copy(String... options) {
        String[] all = new String[options.length + 3];
        all[0] = "copy";
        all[1] = url("planes");
        all[2] = url("columns");
        System.arraycopy(options, 0, all, 3, options.length);
        return Cli.run(all);
    }

    private void assertCopied() {
        try (ZarrArray array = Zarr.openArray(url("columns"))) {
            assertArrayEquals(NUMBERS, array.read().ints());
        }
        assertFalse(Files.exists(dir.resolve("columns/__rechunk")));
        assertFalse(Files.exists(dir.resolve("columns/__unfinished")));
    }

    @Test
    void planesToColumns_takeTwoPasses_andTheirPlanIsPrinted() throws Exception {
        planes();
        Cli.Result result = copy("--shard-shape", "9,4,4", "--chunk-shape", "9,2,2", "--max-memory", "3k");
        assertEquals(0, result.status(), result.err());
        assertTrue(result.err().contains("copy: two passes"), result.err());
        assertTrue(result.err().contains("; 1 task at once"), result.err());
        assertCopied();
    }

    @Test
    void chunksThatFit_takeOnePass() throws Exception {
        planes();
        Cli.Result result = copy("--chunk-shape", "3,10,14", "--max-memory", "1g");
        assertEquals(0, result.status(), result.err());
        assertTrue(result.err().contains("copy: one pass"), result.err());
        assertCopied();
    }

    @Test
    void tooLittleMemory_isAnErrorThatSaysHowMuch() {
        planes();
        Cli.Result result = copy("--chunk-shape", "9,10,14", "--max-memory", "1k");
        assertEquals(1, result.status());
        assertTrue(result.err().contains("for each task, expected at most"), result.err());
        assertFalse(Files.exists(dir.resolve("columns")));
    }

    @Test
    void otherWaysToCopy_areRefused() {
        planes();
        for (String option : new String[] {"--finish", "--missing-only", "--part=1/2", "--skip-unsupported"}) {
            assertEquals(2, copy("--max-memory", "1g", option).status(), option);
        }
        assertEquals(
                2,
                Cli.run("copy", url("planes"), "wkw:" + url("w"), "--max-memory", "1g")
                        .status());
        assertFalse(Files.exists(dir.resolve("w")));
    }

    @Test
    void sizes_areBytesOrPowersOf1024() {
        assertEquals(1_073_741_824, Options.bytes("--max-memory", "1073741824"));
        assertEquals(2L << 30, Options.bytes("--max-memory", "2g"));
        assertEquals(3L << 10, Options.bytes("--max-memory", "3K"));
        assertEquals(1L << 40, Options.bytes("--max-memory", "1t"));
        for (String wrong : new String[] {"", "g", "2gb", "-1", "1.5g", "99999999999999999t"}) {
            String message = assertThrows(UsageException.class, () -> Options.bytes("--max-memory", wrong))
                    .getMessage();
            assertEquals(
                    "--max-memory: expected a size such as 2g (k, m, g, t: powers of 1024; without a letter: bytes), "
                            + "found '" + wrong + "'",
                    message);
        }
    }
}
