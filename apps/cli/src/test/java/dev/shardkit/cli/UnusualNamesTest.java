package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Folders in a group whose names no node may have, or which this JVM cannot decode. */
class UnusualNamesTest {
    @TempDir
    Path dir;

    private String group;

    @BeforeEach
    void createGroup() {
        group = dir.resolve("g").toString();
        Cli.good("group", group);
        Cli.good(create(group + "/a"));
    }

    private static String[] create(String place) {
        return new String[] {"create", place, "--shape", "4", "--data-type", "int8", "--chunk-shape", "2"};
    }

    @Test
    void node_whoseNameReadersSkip_isRefused() {
        Cli.bad(1, "must not start with __", create(group + "/__x"));
        Cli.bad(1, "must not start with __", create(group + "/__x/y"));
        Cli.bad(1, "must not start with __", "group", group + "/__x");
        if (File.separatorChar == '/') { // Windows removes periods at the end of a name
            Cli.bad(1, "must not be only periods", create(group + "/..."));
            assertFalse(Files.exists(dir.resolve("g/...")));
        }
        Cli.bad(1, "must not start with __", "copy", group + "/a", group + "/__x");
        assertFalse(Files.exists(dir.resolve("g/__x")));
    }

    @Test
    void name_thatIsNotBelowAGroup_isFree() {
        Cli.good(create(dir.resolve("__x").toString()));
    }

    @Test
    void reservedFolder_ofAnotherProgram_isNotRemoved() throws Exception {
        Path data = Files.writeString(
                Files.createDirectories(dir.resolve("g/__x/__shardkit")).resolve("data"), "x");
        Cli.bad(1, "__x/__shardkit/data", "rm", group, "--recursive");
        assertTrue(Files.exists(data));
        Files.delete(data);
        Cli.good("rm", group, "--recursive");
        assertFalse(Files.exists(dir.resolve("g")));
    }

    @Test
    void reservedFiles_ofShardkit_areRemoved() throws Exception {
        Files.writeString(Files.createDirectories(dir.resolve("g/a/__relayout")).resolve("data"), "x");
        Files.writeString(Files.createDirectories(dir.resolve("g/a/__shardkit")).resolve("lock"), "");
        Cli.good("rm", group, "--recursive");
        assertFalse(Files.exists(dir.resolve("g")));
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows removes periods at the end of a name")
    void folder_ofPeriods_isNotRemoved() throws Exception {
        Files.createDirectories(dir.resolve("g/..."));
        Cli.bad(1, "...", "rm", group, "--recursive");
        assertTrue(Files.exists(dir.resolve("g/a/zarr.json")));
    }

    @Test
    void folder_withANameThatIsNoText_isNotRemoved() throws Exception {
        assumeTrue("UTF-8".equals(System.getProperty("sun.jnu.encoding")));
        shell("mkdir \"$1/$(printf 'bad\\377')\" && cp -r \"$1/a/.\" \"$1/$(printf 'bad\\377')\"");
        Cli.bad(1, "bad", "rm", group, "--recursive");
        assertTrue(Files.exists(dir.resolve("g/a/zarr.json")));
    }

    /** Java cannot open such a file, so its chunks or its node would be left out in silence. */
    @Test
    void names_thatAreNoText_areNamed() throws Exception {
        assumeTrue("UTF-8".equals(System.getProperty("sun.jnu.encoding")));
        shell("cp -r \"$1/a\" \"$1/$(printf 'node\\377')\" && mkdir -p \"$1/a/c\" && "
                + "printf x > \"$1/a/c/$(printf 'chunk\\377')\"");
        Cli.Result listed = Cli.run("ls", group);
        assertEquals(1, listed.status(), listed.out());
        assertTrue(listed.out().contains("node%FF (percent-encoded)"), listed.out());
        Cli.Result verified = Cli.run("verify", group);
        assertEquals(1, verified.status(), verified.out());
        assertTrue(verified.out().contains("node%FF (percent-encoded)"), verified.out());
        assertTrue(verified.out().contains("chunk\ufffd"), verified.out());
    }

    private void shell(String script) throws Exception {
        Process process = new ProcessBuilder("sh", "-c", script, "sh", group)
                .redirectErrorStream(true)
                .start();
        process.getInputStream().readAllBytes();
        assumeTrue(process.waitFor() == 0, "the file system takes such names");
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "names are Unicode")
    void name_thatThisJvmCannotDecode_isAnErrorThatSaysHowToStartIt() throws Exception {
        shell("mkdir \"$1/$(printf '\\303\\251')\"");
        ProcessBuilder java = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "ls",
                group);
        java.environment().put("LC_ALL", "C");
        Process process = java.redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        assumeTrue(!out.contains("\u00e9"), "a system whose names are always UTF-8");
        assertEquals(1, status, out);
        assertTrue(out.contains("LC_ALL=C.UTF-8"), out);
    }
}
