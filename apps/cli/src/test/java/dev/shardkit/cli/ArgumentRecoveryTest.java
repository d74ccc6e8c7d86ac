package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.json.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Arguments that are not ASCII in an environment without a locale, as containers and cron jobs have it. */
@Timeout(120)
class ArgumentRecoveryTest {
    private static final Path LAUNCHER = Path.of("src/dist/bin/shardkit").toAbsolutePath();

    @TempDir
    Path dir;

    /**
     * Runs a script without a locale and returns what it prints. The test's own JVM may have no UTF-8 locale either.
     */
    private String script(String text) throws Exception {
        Path script = Files.write(dir.resolve("script.sh"), text.getBytes(StandardCharsets.UTF_8));
        ProcessBuilder builder = new ProcessBuilder("sh", script.toString())
                .directory(dir.toFile())
                .redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("LC_") || name.equals("LANG"));
        builder.environment().put("CP", System.getProperty("java.class.path"));
        builder.environment().put("SK", System.getProperty("java.home") + "/bin/java");
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return printed + "status " + process.waitFor();
    }

    private static final String SHARDKIT = "\"$SK\" -XX:TieredStopAtLevel=1 -cp \"$CP\" dev.shardkit.cli.Main ";

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "there are no locales")
    void textOfArguments_isStored_withoutALocale() throws Exception {
        assumeTrue(Files.isReadable(Path.of("/proc/self/cmdline")), "only Linux has the bytes of arguments");
        assertEquals(
                "status 0",
                script(SHARDKIT + "create u --shape 4,4 --data-type int8 --dimension-names 'y,\u00b5' --attributes "
                        + "'{\"unit\":\"\u00b5m\",\"site\":\"Z\u00fcrich\"}' \"--chunk-shape=2,2\""));
        String document = Files.readString(dir.resolve("u/zarr.json"));
        Json.Obj node = (Json.Obj) JsonReader.read(document.getBytes(StandardCharsets.UTF_8), Limits.defaults());
        assertEquals(
                "[\"y\",\"\u00b5\"]",
                node.get("dimension_names").orElseThrow().toString().replace(" ", ""));
        Json.Obj attributes = (Json.Obj) node.get("attributes").orElseThrow();
        assertEquals(Json.of("\u00b5m"), attributes.get("unit").orElseThrow());
        assertEquals(Json.of("Z\u00fcrich"), attributes.get("site").orElseThrow());
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "there are no locales")
    void pathOfArguments_isRefusedWithAdvice_withoutALocale() throws Exception {
        String said = script(SHARDKIT + "info '\u00b5.zarr'");
        assertTrue(said.contains("LC_ALL=C.UTF-8") && !said.endsWith("status 0"), said);
    }

    @Test
    void argumentWithReplacementCharacter_isRefusedWithAdvice() throws Exception {
        String place = dir.resolve("a").toString();
        Cli.bad(
                2,
                "LC_ALL=C.UTF-8",
                "create",
                place,
                "--shape",
                "4",
                "--data-type",
                "int8",
                "--dimension-names",
                "\ufffd\ufffd");
        assertTrue(Files.notExists(Path.of(place)));
    }

    @Test
    void decoded_takesWordsThatJavaReplaced_only() {
        byte[] line = "java\0-cp\0x\0Main\0\u00b5m\0\0plain\0".getBytes(StandardCharsets.UTF_8);
        assertArrayEquals(
                new String[] {"\u00b5m", "", "plain"},
                ArgumentRecovery.decode(new String[] {"\ufffd\ufffdm", "", "plain"}, line));
        String[] others = {"\ufffdm", "", "plain"}; // not what Java makes of these words
        assertArrayEquals(others, ArgumentRecovery.decode(others, line));
        byte[] latin = {'a', 0, (byte) 0xb5, 0};
        assertArrayEquals(new String[] {"\ufffd"}, ArgumentRecovery.decode(new String[] {"\ufffd"}, latin));
        String[] many = {"\ufffd", "b", "c", "d"};
        assertArrayEquals(many, ArgumentRecovery.decode(many, latin));
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "there are no locales")
    void launcher_setsAUtf8Locale_ifThereIsNone() throws Exception {
        Path java = Files.createDirectories(dir.resolve("jdk/bin")).resolve("java");
        Files.writeString(dir.resolve("jdk/release"), "JAVA_VERSION=\"17.0.1\"\n");
        Files.writeString(java, "#!/bin/sh\nprintf '%s|' \"${LC_ALL-}\"\n");
        assumeTrue(java.toFile().setExecutable(true));
        String run =
                "SHARDKIT_STARTS=off SHARDKIT_LIB=lib JAVA_HOME=" + dir.resolve("jdk") + " sh " + LAUNCHER + " ls\n";
        String known = "C.UTF-8|";
        for (String locale : List.of("", "LC_ALL=C ", "LANG=C ", "LC_CTYPE=POSIX ", "LANG=xx_NONE.UTF-8 ")) {
            boolean tells = !locale.contains("xx_") || Files.isExecutable(Path.of("/usr/bin/locale"));
            assertEquals(tells ? known + "status 0" : "|status 0", script(locale + run), locale);
        }
        assertEquals("|status 0", script("LANG=C.UTF-8 " + run));
        assertEquals("C.utf8|status 0", script("LC_ALL=C.utf8 " + run));
    }
}
