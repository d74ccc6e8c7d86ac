package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.cli.base.PluginJars;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example plug-ins, built as jars and named by {@code --plugin}. */
class PluginOptionTest {
    private static final String LZ4 = "[{\"name\":\"numcodecs.lz4\",\"configuration\":{\"acceleration\":3}}]";

    @TempDir
    static Path built;

    @TempDir
    Path folder;

    @BeforeAll
    static void build() throws IOException {
        ExamplePlugins.build("plugin-codec", built);
        ExamplePlugins.build("plugin-store", built);
    }

    private static String jar(String name) {
        return built.resolve(name + ".jar").toString();
    }

    @Test
    void codec_ofAJar_writesAndReads() {
        String array = folder.resolve("a.zarr").toString();
        String plugin = jar("plugin-codec");
        Cli.good(
                "create",
                array,
                "--shape",
                "8",
                "--data-type",
                "uint8",
                "--codecs",
                LZ4,
                "--fill-value",
                "9",
                "--plugin",
                plugin);
        byte[] values = {1, 2, 3, 4, 5, 6, 7, 8};
        assertEquals(
                0,
                Cli.run(values, "write", array, "--from", "-", "--plugin", plugin)
                        .status());
        assertArrayEquals(
                values,
                Cli.good("read", array, "--format", "raw", "--plugin", plugin).bytes());
        // Its priority is above the built-in codec of the same name, and the table says where each comes from.
        List<String> rows = Cli.good("plugins", "--plugin", plugin).lines().stream()
                .filter(row -> row.contains("numcodecs.lz4"))
                .toList();
        assertTrue(rows.stream().anyMatch(row -> row.contains(plugin) && row.endsWith("active")), rows::toString);
        assertTrue(rows.stream().anyMatch(row -> row.contains("shadowed by org.example.lz4.Lz4Codec")), rows::toString);
    }

    @Test
    void store_ofAJar_opens() {
        String archive = "zip:" + folder.resolve("a.zip");
        String[] where = {"--plugin", built.toString()};
        // The example's store writes by the owner alone; `info` of a place without an array names the store.
        Cli.Result missing = Cli.run("info", archive, where[0], where[1]);
        assertEquals(1, missing.status());
        assertTrue(missing.err().contains("zarr.json"), missing.err());
        List<String> rows = Cli.good("plugins", where[0], where[1]).lines().stream()
                .filter(row -> row.matches("store +zip .*active") && row.contains(jar("plugin-store")))
                .toList();
        assertEquals(1, rows.size());
    }

    @Test
    void contextClassLoader_isRestored() {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Cli.good("plugins", "--plugin", jar("plugin-codec"));
        assertSame(before, Thread.currentThread().getContextClassLoader());
        assertFalse(Cli.good("plugins").out().contains("org.example"));
    }

    @Test
    void wrongPaths_areNamed() throws IOException {
        Path text = Files.writeString(folder.resolve("text.jar"), "text");
        Path other = ExamplePlugins.jar(folder.resolve("other.jar"), Files.createDirectory(folder.resolve("empty")));
        Path library = ExamplePlugins.jar(folder.resolve("library.jar"), built.resolve("plugin-codec-classes"));
        Cli.bad(2, "--plugin: no such file or folder: ", "plugins", "--plugin", "missing.jar");
        Cli.bad(2, "--plugin: not a jar: " + text, "plugins", "--plugin", text.toString());
        Cli.bad(2, "--plugin: not a jar: " + other, "plugins", "--plugin", other.toString());
        Cli.bad(2, "--plugin: not a plug-in of shardkit: " + library, "plugins", "--plugin", library.toString());
        Cli.bad(
                2,
                "--plugin: no jar in folder",
                "plugins",
                "--plugin",
                folder.resolve("empty").toString());
    }

    @Test
    void failingPlugins_harmNoOther() throws IOException {
        Path jars = Files.createDirectory(folder.resolve("jars"));
        Path services = Files.createDirectories(folder.resolve("broken/META-INF/services"));
        Files.writeString(services.resolve("dev.shardkit.spi.CodecFactory"), "org.example.Missing\n");
        ExamplePlugins.jar(jars.resolve("broken.jar"), folder.resolve("broken"));
        Files.copy(Path.of(jar("plugin-codec")), jars.resolve("codec.jar"));
        String array = Nodes.numbers(folder.resolve("n.zarr"));
        String plugins = jars.toString();

        Cli.good("info", array, "--plugin", plugins);
        String table = Cli.good("plugins", "--plugin", plugins).out();
        assertTrue(
                table.lines()
                        .anyMatch(row -> row.contains("(org.example.Missing)")
                                && row.contains(jars.resolve("broken.jar").toString())
                                && row.contains("failed")),
                table);
        assertTrue(
                table.lines().anyMatch(row -> row.contains(jars.resolve("codec.jar") + "") && row.endsWith("active")));

        Files.writeString(jars.resolve("text.jar"), "text");
        Cli.Result warned = Cli.run("info", array, "--plugin", plugins);
        assertEquals(0, warned.status());
        assertEquals(
                "shardkit: --plugin: skipped a file that is not a jar: " + jars.resolve("text.jar") + "\n",
                warned.err());
    }

    @Test
    void variable_namesFoldersAndJars() throws IOException {
        List<String> warnings = new ArrayList<>();
        Path empty = Files.createDirectory(folder.resolve("empty"));
        String variable = empty + File.pathSeparator + jar("plugin-store");
        assertEquals(Set.of(Path.of(jar("plugin-store"))), PluginJars.of(List.of(), variable, warnings::add));
        assertEquals(Set.of(), PluginJars.of(List.of(), "", warnings::add));
        assertEquals(List.of(), warnings);
    }
}
