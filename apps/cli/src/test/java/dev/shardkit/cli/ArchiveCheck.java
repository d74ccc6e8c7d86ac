package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The archive that users unpack, in a folder with blanks in its name. Runs after the build has packed it (Maven's phase
 * integration-test), so its name does not end in Test.
 */
@EnabledIfSystemProperty(named = "shardkit.archive", matches = ".+")
class ArchiveCheck {
    private static final long DEADLINE_MINUTES = 5;
    private static final int JDK = Runtime.version().feature();

    @TempDir
    static Path temporary;

    private static Path home;
    private static Path launcher;

    @BeforeAll
    static void unpack() throws IOException {
        Path target = Files.createDirectory(temporary.resolve("an empty folder (x86)"));
        try (ZipFile zip = new ZipFile(System.getProperty("shardkit.archive"))) {
            for (Enumeration<? extends ZipEntry> all = zip.entries(); all.hasMoreElements(); ) {
                ZipEntry entry = all.nextElement();
                Path path = target.resolve(entry.getName());
                if (entry.isDirectory()) {
                    Files.createDirectories(path);
                } else {
                    Files.createDirectories(path.getParent());
                    try (InputStream in = zip.getInputStream(entry)) {
                        Files.copy(in, path);
                    }
                }
            }
        }
        try (Stream<Path> roots = Files.list(target)) {
            home = roots.toList().get(0);
        }
        launcher = home.resolve("bin/shardkit");
        assertTrue(launcher.toFile().setExecutable(true));
    }

    private record Result(int status, byte[] out, String err) {
        String text() {
            return new String(out, StandardCharsets.UTF_8);
        }
    }

    /** A command that runs, with its output in files. */
    private record Started(Process process, Path out, Path err) {
        Result result() throws IOException, InterruptedException {
            if (!process.waitFor(DEADLINE_MINUTES, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                throw new AssertionError("hangs: " + Files.readString(err));
            }
            return new Result(process.exitValue(), Files.readAllBytes(out), Files.readString(err));
        }
    }

    private static Started start(Map<String, String> environment, byte[] in, Object... command) throws IOException {
        List<String> words = new ArrayList<>();
        for (Object word : command) {
            words.add(word.toString());
        }
        Path out = Files.createTempFile(temporary, "out", "");
        Path err = Files.createTempFile(temporary, "err", "");
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(temporary.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("SHARDKIT_STARTS", "off");
        builder.environment().putAll(environment);
        Process process = builder.start();
        try (OutputStream stream = process.getOutputStream()) {
            stream.write(in);
        }
        return new Started(process, out, err);
    }

    private static Result good(Map<String, String> environment, byte[] in, Object... command)
            throws IOException, InterruptedException {
        Result result = start(environment, in, command).result();
        assertEquals("", result.err());
        assertEquals(0, result.status());
        return result;
    }

    @Test
    void commands_run_throughALink_withAPlugin() throws IOException, InterruptedException {
        Path link = Files.createSymbolicLink(temporary.resolve("sk"), launcher);
        Path jars = Files.createDirectory(temporary.resolve("my plug-ins"));
        ExamplePlugins.build("plugin-codec", jars);
        String codecs = "[{\"name\":\"numcodecs.lz4\",\"configuration\":{\"acceleration\":3}}]";
        byte[] values = {1, 2, 3, 4};
        Map<String, String> none = Map.of();
        Map<String, String> plugins = Map.of("SHARDKIT_PLUGINS", jars.toString());

        good(
                none,
                new byte[0],
                link,
                "create",
                "a.zarr",
                "--shape",
                "4",
                "--data-type",
                "uint8",
                "--codecs",
                codecs,
                "--plugin",
                jars);
        good(plugins, values, link, "write", "a.zarr", "--from", "-");
        assertArrayEquals(
                values,
                good(plugins, new byte[0], link, "read", "a.zarr", "--format", "raw")
                        .out());
        assertTrue(good(none, new byte[0], link, "info", "a.zarr").text().contains("uint8"));
    }

    /** Each cache takes seconds of two cores, so one serves several claims. */
    @Test
    @Tag("long")
    @Tag("each-jdk")
    void cache_ofSeveralFirstStarts_isMadeOnce_andServes() throws IOException, InterruptedException {
        Path caches = Files.createDirectory(temporary.resolve("caches of starts"));
        for (int i = 0; i < 7; i++) {
            old(caches.resolve("17.0.1-home-" + i + "-lib.cache"), i + 10);
        }
        old(caches.resolve("17.0.1-home-lib.cache.4711"), 2);
        old(caches.resolve("other.cache"), 20);
        Map<String, String> environment = Map.of("SHARDKIT_STARTS", caches.toString());
        List<Started> runs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            runs.add(start(environment, new byte[0], launcher, "--version"));
        }
        for (Started run : runs) {
            Result result = run.result();
            assertEquals("", result.err());
            assertEquals(0, result.status());
        }
        List<Path> made = list(caches, true);
        assertEquals(1, made.size(), made::toString);
        assertTrue(Files.size(made.get(0)) > 1_000_000, made::toString);
        assertEquals(
                List.of(
                        "17.0.1-home-0-lib.cache",
                        "17.0.1-home-1-lib.cache",
                        "17.0.1-home-2-lib.cache",
                        "17.0.1-home-3-lib.cache",
                        "other.cache"),
                list(caches, false).stream()
                        .map(path -> path.getFileName().toString())
                        .toList());

        // The JVM ends with an error if it cannot use the cache.
        String strict = JDK >= 25 ? "-XX:AOTMode=on" : "-Xshare:on";
        Map<String, String> must = Map.of("SHARDKIT_STARTS", caches.toString(), "SHARDKIT_JAVA_OPTS", strict);
        good(must, new byte[0], launcher, "--version");
        good(must, new byte[0], launcher, "plugins");

        Files.delete(made.get(0)); // it may be read-only
        Files.writeString(made.get(0), "not a cache");
        assertTrue(good(environment, new byte[0], launcher, "--version").text().contains("0.1.0"));
    }

    /** The caches of this version, or the other files of the folder, sorted. */
    private static List<Path> list(Path caches, boolean isOurs) throws IOException {
        try (Stream<Path> files = Files.list(caches)) {
            return files.filter(path -> path.getFileName().toString().contains("shardkit-cli-") == isOurs)
                    .sorted()
                    .toList();
        }
    }

    private static void old(Path file, int hours) throws IOException {
        Files.writeString(file, "old");
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(Duration.ofHours(hours))));
    }

    @Test
    void nativeCodecs_areInUse_onJdk25() throws IOException, InterruptedException {
        assertEquals(JDK >= 25, Files.isDirectory(home.resolve("lib/jdk25")));
        assertEquals(JDK >= 25 ? List.of("blosc", "gzip", "zstd") : List.of(), nativeCodecs(Map.of()));
        writeAndRead(Map.of(), "native.zarr");
    }

    /** .ci/run names JDK 17 in its build by JDK 25. */
    @Test
    @EnabledIfEnvironmentVariable(named = "SHARDKIT_JDK17", matches = ".+")
    void nativeCodecs_areLeftAlone_byOlderJava() throws IOException, InterruptedException {
        Map<String, String> older = Map.of("JAVA_HOME", System.getenv("SHARDKIT_JDK17"));
        assertEquals(List.of(), nativeCodecs(older));
        writeAndRead(older, "older.zarr");
    }

    /** Returns the names of the codecs of the plug-in that {@code plugins} calls active, sorted. */
    private static List<String> nativeCodecs(Map<String, String> environment) throws IOException, InterruptedException {
        return good(environment, new byte[0], launcher, "plugins")
                .text()
                .lines()
                .map(line -> line.split(" +"))
                .filter(words -> words[4].startsWith("shardkit-codecs-ffm-") && words[5].equals("active"))
                .map(words -> words[1])
                .sorted()
                .toList();
    }

    private static void writeAndRead(Map<String, String> environment, String name)
            throws IOException, InterruptedException {
        String codecs = "[\"zstd\",\"gzip\"]";
        byte[] values = new byte[100_000];
        for (int i = 0; i < values.length; i++) {
            values[i] = (byte) (i / 7);
        }
        good(
                environment,
                new byte[0],
                launcher,
                "create",
                name,
                "--shape",
                "100000",
                "--data-type",
                "uint8",
                "--codecs",
                codecs);
        good(environment, values, launcher, "write", name, "--from", "-");
        assertArrayEquals(
                values,
                good(environment, new byte[0], launcher, "read", name, "--format", "raw")
                        .out());
    }

    @Test
    void homes_thatCannotBeWritten_doNoHarm() throws IOException, InterruptedException {
        Path file = Files.writeString(temporary.resolve("file"), "");
        good(Map.of("SHARDKIT_STARTS", file + "/starts"), new byte[0], launcher, "--version");
    }

    @Test
    void oldJava_isRefused() throws IOException, InterruptedException {
        Path old = Files.createDirectories(temporary.resolve("jdk11/bin")).getParent();
        Files.writeString(old.resolve("release"), "JAVA_VERSION=\"11.0.2\"\n");
        Path java = Files.writeString(old.resolve("bin/java"), "#!/bin/sh\nexit 9\n");
        assertTrue(java.toFile().setExecutable(true));
        Result result = start(Map.of("JAVA_HOME", old.toString()), new byte[0], launcher, "info")
                .result();
        assertEquals(2, result.status());
        assertEquals("shardkit: Java 17 or newer is needed; " + java + " is version 11\n", result.err());
    }

    /** Wine and the JVMs that {@code conformance-tests/tools/windows.sh} installs. */
    private static Optional<Path> jvmOfWindows() throws IOException {
        String place = System.getenv().getOrDefault("SHARDKIT_WINDOWS", "");
        Path folder = place.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".cache", "shardkit", "windows")
                : Path.of(place);
        if (!Files.isExecutable(Path.of("/usr/bin/wine")) || !Files.isDirectory(folder)) {
            return Optional.empty();
        }
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(path -> path.getFileName().toString().startsWith("jre-"))
                    .max(Comparator.naturalOrder());
        }
    }

    private static String onWindows(Path path) {
        return "Z:" + path.toString().replace('/', '\\');
    }

    /** Runs a line of a batch file by Wine: {@code SHARDKIT} stands for the launcher. */
    private static Result onWindows(Path prefix, Path jvm, byte[] in, String line)
            throws IOException, InterruptedException {
        Path batch = Files.createTempFile(temporary, "line", ".cmd");
        String command = "\"" + onWindows(home.resolve("bin/shardkit.cmd")) + "\"";
        Files.writeString(batch, "@echo off\r\n" + line.replace("SHARDKIT", command) + "\r\n");
        Map<String, String> environment = Map.of(
                "WINEDEBUG",
                "-all",
                "WINEPREFIX",
                prefix.toString(),
                "JAVA_HOME",
                onWindows(jvm),
                "SHARDKIT_JAVA_OPTS",
                "-Djava.net.preferIPv4Stack=true");
        return start(environment, in, "wine", "cmd", "/c", onWindows(batch)).result();
    }

    /** Wine takes longer than all other tests of the archive together. */
    @Test
    @Tag("long")
    void launcherOfWindows_runsCommands() throws IOException, InterruptedException {
        Path jvm = jvmOfWindows().orElse(null);
        assumeTrue(jvm != null, "Wine or the JVM of conformance-tests/tools/windows.sh is missing");
        Path prefix = jvm.resolveSibling("prefix"); // not in the temporary folder: it has a link to the root
        byte[] none = new byte[0];
        Result version = onWindows(prefix, jvm, none, "SHARDKIT --version");
        assertTrue(version.text().contains("0.1.0"), version.text() + version.err());
        String created = "SHARDKIT create \"a b! (c).zarr\" --shape 256 --data-type uint8 --codecs gzip";
        assertEquals(0, onWindows(prefix, jvm, none, created).status());
        byte[] values = new byte[256];
        for (int i = 0; i < values.length; i++) {
            values[i] = (byte) i;
        }
        Result written = onWindows(prefix, jvm, values, "SHARDKIT write \"a b! (c).zarr\" --from -");
        assertEquals(0, written.status(), written.err());
        assertArrayEquals(
                values,
                onWindows(prefix, jvm, none, "SHARDKIT read \"a b! (c).zarr\" --format raw")
                        .out());
        Result unknown = onWindows(prefix, jvm, none, "SHARDKIT info x --none");
        assertEquals(2, unknown.status(), unknown.err());
        assertTrue(unknown.err().contains("--none"), unknown.err());

        Path jars = Files.createDirectory(temporary.resolve("plug-ins of Windows"));
        ExamplePlugins.build("plugin-codec", jars);
        String plugins = onWindows(prefix, jvm, none, "SHARDKIT plugins --plugin \"" + onWindows(jars) + "\"")
                .text();
        assertTrue(plugins.contains("numcodecs.lz4"), plugins);

        Path old =
                Files.createDirectories(temporary.resolve("jdk 11 (x86)/bin")).getParent();
        Files.writeString(old.resolve("release"), "JAVA_VERSION=\"11.0.2\"\nMODULES=\"java.base\"\n");
        Files.writeString(old.resolve("bin/java.exe"), "");
        Result refused = onWindows(prefix, old, none, "SHARDKIT info");
        assertEquals(2, refused.status());
        assertEquals(
                "shardkit: Java 17 or newer is needed; " + onWindows(old) + "\\bin\\java.exe is version 11",
                refused.err().strip());
    }

    @Test
    void files_ofTheArchive_areThere() throws IOException, InterruptedException {
        for (String name : List.of(
                "LICENSE",
                "THIRD-PARTY.txt",
                "bin/shardkit.cmd",
                "man/man1/shardkit.1",
                "completion/shardkit.fish",
                "completion/shardkit.zsh")) {
            assertTrue(Files.size(home.resolve(name)) > 0, name);
        }
        String manual = Files.readString(home.resolve("man/man1/shardkit.1"));
        assertTrue(manual.contains(".SH \"shardkit reshard\""), manual.substring(0, 300));
        assertTrue(Files.readString(home.resolve("bin/shardkit.cmd")).contains("\r\n"));
        Path script = home.resolve("completion/shardkit.bash");
        String ask =
                "source \"$0\"; COMP_WORDS=(shardkit reshard --dry); COMP_CWORD=2; _complete_shardkit 2>/dev/null; "
                        + "echo \"${COMPREPLY[@]}\"";
        assertEquals(
                "--dry-run\n",
                good(Map.of(), new byte[0], "bash", "-c", ask, script).text());
    }
}
