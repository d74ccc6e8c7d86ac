package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.shardkit.testkit.internal.LinksAndPipes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Named pipes where a directory is expected. Opening one waits for a writer, which never comes. */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class NamedPipesTest {
    @TempDir
    Path dir;

    private String array;

    @BeforeEach
    void writeArray() throws Exception {
        array = dir.resolve("a").toString();
        Cli.good("create", array, "--shape", "4,4", "--data-type", "uint8", "--chunk-shape", "2,2");
        Cli.good("write", array, "--from", raw());
    }

    private String raw() throws Exception {
        return Files.write(dir.resolve("raw"), new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
                .toString();
    }

    private Path pipe(String name) throws Exception {
        Path pipe = dir.resolve(name);
        if (Files.isDirectory(pipe)) {
            try (var all = Files.walk(pipe)) {
                for (Path path :
                        new ArrayList<>(all.sorted(Comparator.reverseOrder()).toList())) {
                    Files.delete(path);
                }
            }
        }
        LinksAndPipes.pipe(pipe);
        return pipe;
    }

    private static void refused(Path pipe, String... args) {
        Cli.Result result = Cli.run(args);
        assertTrue(result.status() == 1 || result.status() == 3, result.status() + ": " + result.err());
        assertTrue(
                result.err().contains("expected a directory") && result.err().contains(pipe.toString()), result::err);
    }

    @Test
    void pipe_inThePlaceOfTheStagingFolder_isRefused() throws Exception {
        Path pipe = pipe("a/__relayout");
        refused(pipe, "reshard", array, "--chunks-per-shard", "2");
    }

    @Test
    void pipe_amongTheChunks_isRefused() throws Exception {
        Path pipe = pipe("a/c/0");
        refused(pipe, "write", array, "--from", raw());
    }

    @Test
    void pipe_amongTheChunks_isRemovedWithTheArray() throws Exception {
        pipe("a/c/0");
        Cli.good("rm", array, "--force");
        assertEquals(List.of(), Files.exists(Path.of(array)) ? List.of(array) : List.of());
    }

    @Test
    void pipe_inThePlaceOfANode_isRefused() throws Exception {
        Path pipe = pipe("g");
        refused(pipe, "group", pipe.toString());
        refused(pipe, "copy", array, pipe.toString());
        refused(pipe, "create", pipe + "/x", "--shape", "4", "--data-type", "int8", "--chunk-shape", "2");
    }

    /** Whether a file is HDF5 shows in its first bytes, but those of a pipe are not read. */
    @Test
    void pipe_asALocation_isNotOpened() throws Exception {
        Path pipe = pipe("p.h5");
        for (String location : List.of(pipe.toString(), pipe + "!air", pipe + "/air")) {
            Cli.Result result = Cli.run("info", location);
            assertEquals(1, result.status(), location);
        }
    }

    /** Starts a program that writes the content of a file into a pipe, and waits for a reader. */
    private Path filled(String name, Path content) throws Exception {
        Path pipe = pipe(name);
        new ProcessBuilder("sh", "-c", "cat \"$0\" >\"$1\"", content.toString(), pipe.toString()).start();
        return pipe;
    }

    @Test
    void pipe_asInput_isReadToItsEnd() throws Exception {
        Path rows = Files.write(dir.resolve("rows"), new byte[] {9, 8, 7, 6, 5, 4, 3, 2});
        Cli.good(
                "write", array, "--region", "0:2,:", "--from", filled("w", rows).toString());
        Cli.good("append", array, "--from", filled("p", rows).toString());
        assertArrayEquals(
                new byte[] {9, 8, 7, 6, 5, 4, 3, 2, 9, 10, 11, 12, 13, 14, 15, 16, 9, 8, 7, 6, 5, 4, 3, 2},
                Cli.good("read", array, "--format", "raw").bytes());
    }

    @Test
    void pipe_ofAFileToImport_isReadToItsEnd() throws Exception {
        Path npy = dir.resolve("four.npy");
        Cli.good("export", array, "-o", npy.toString());
        String imported = dir.resolve("i").toString();
        Cli.good("import", filled("p.npy", npy).toString(), imported);
        assertArrayEquals(
                Files.readAllBytes(Path.of(raw())),
                Cli.good("read", imported, "--format", "raw").bytes());
        String rows = dir.resolve("r").toString();
        Cli.good("import", filled("q", Path.of(raw())).toString(), rows, "--shape", "16", "--data-type", "uint8");
        assertArrayEquals(
                Files.readAllBytes(Path.of(raw())),
                Cli.good("read", rows, "--format", "raw").bytes());
    }

    @Test
    void pipe_thatHasTooFewBytes_isNamed() throws Exception {
        Path three = Files.write(dir.resolve("three"), new byte[] {1, 2, 3});
        Path pipe = filled("t", three);
        Cli.bad(2, pipe + " does not fit a region of shape [4, 4]", "write", array, "--from", pipe.toString());
    }

    /** Every command with a location says why it takes no pipe, in place of "no such file". */
    @Test
    void pipe_inPlaceOfAnArrayOrFile_isNamedWithTheWayOut() throws Exception {
        String pipe = pipe("q").toString();
        String out = dir.resolve("out").toString();
        for (List<String> args : List.of(
                List.of("info", pipe),
                List.of("info", "zip:" + pipe),
                List.of("ls", "hdf5:" + pipe + "!a"),
                List.of("diff", array, pipe),
                List.of("copy", pipe, out),
                List.of("references", pipe, "-o", out),
                List.of("adopt", pipe, out),
                List.of("tree", "reference:" + pipe))) {
            Cli.Result result = Cli.run(args.toArray(String[]::new));
            assertTrue(result.status() == 1 || result.status() == 3, result.err());
            assertTrue(
                    result.err().contains(pipe)
                            && result.err().contains("found a pipe or a device")
                            && result.err().contains("copy it to a file first"),
                    result::err);
        }
        Cli.bad(1, "found standard input", "info", "-");
    }

    @Test
    void document_toValidate_mayComeFromAPipe() throws Exception {
        Path document = Files.writeString(dir.resolve("d"), "{}");
        Cli.Result result = Cli.run("ome", "validate", filled("v", document).toString());
        assertEquals(1, result.status());
        assertTrue(result.out().contains("expected OME-Zarr metadata"), result.out());
        assertEquals(
                1,
                Cli.run("{}".getBytes(StandardCharsets.UTF_8), "ome", "validate", "-")
                        .status());
    }

    /** Runs the command in a process of its own, in a shell that gives it an output. */
    private static String shell(String end, String... args) throws Exception {
        List<String> command = new ArrayList<>(List.of("bash", "-c", "\"$@\" " + end, "bash", java()));
        command.addAll(
                List.of("-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(List.of(args));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), printed);
        return printed;
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** The name of a shell's pipe is a link that leads to no path. */
    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "needs bash")
    void output_toAPipeOfAShell_isWritten() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/self/fd")) && Files.exists(Path.of("/bin/bash")), "no such names");
        String text = Cli.good("read", array).out();
        assertEquals(text, shell("-o /dev/fd/3 3>&1 | cat", "read", array));
        assertEquals(text, shell("-o /dev/stdout | cat", "read", array));
        assertEquals(text, shell("-o >(cat) | cat", "read", array));
        Path two = dir.resolve("two");
        shell("-o /dev/stdout >> " + two, "read", array);
        shell("-o /dev/stdout >> " + two, "read", array);
        assertEquals(text + text, Files.readString(two), "a file that a shell has opened is not replaced");
    }
}
