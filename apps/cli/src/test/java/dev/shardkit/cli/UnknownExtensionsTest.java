package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code info} of nodes that name extensions without a plug-in. */
class UnknownExtensionsTest {
    @TempDir
    Path folder;

    private String changed(String from, String to) throws IOException {
        String array = Nodes.numbers(folder.resolve("a.zarr"));
        Path document = Path.of(array, "zarr.json");
        String text = Files.readString(document);
        assertTrue(text.contains(from), text);
        Files.writeString(document, text.replace(from, to));
        return array;
    }

    @Test
    void codec_isNamed_withEverythingElse() throws IOException {
        String array = changed("\"zstd\"", "\"quantum\"");
        Cli.Result result = Cli.run("info", array);
        assertEquals(1, result.status());
        assertTrue(result.out().contains("data type            int32\n"), result.out());
        assertTrue(result.out().contains("shape                [6,8]\n"), result.out());
        assertTrue(
                result.out().matches("(?s).*unsupported +codec \"quantum\" is unknown.*")
                        || result.out().contains("\"quantum\" is unknown"),
                result.out());
        assertTrue(result.err().contains("codec \"quantum\" is unknown"), result.err());
        assertFalse(result.err().contains("Exception"), result.err());

        Json.Obj json = Cli.run("info", array, "--json").object();
        assertEquals(Optional.of(Json.of("int32")), json.get("data_type"));
        assertTrue(json.get("metadata").isPresent());
    }

    @Test
    void dataType_isNamed() throws IOException {
        Cli.Result result = Cli.run("info", changed("\"int32\"", "\"decimal128\""));
        assertEquals(1, result.status());
        assertTrue(result.out().contains("data type            decimal128\n"), result.out());
        assertTrue(result.err().contains("decimal128"), result.err());
    }

    /** Answers on standard output name commands, as errors do, not methods of the API. */
    @Test
    void answers_nameTheCommandThatHelps() throws IOException {
        String array = changed("\"zstd\"", "\"quantum\"");
        Path old = Files.createDirectories(folder.resolve("tree/old"));
        String tree = old.getParent().toString();
        Files.writeString(old.resolveSibling(".zgroup"), "{\"zarr_format\":2}");
        Files.writeString(
                old.resolve(".zarray"),
                "{\"zarr_format\":2,\"shape\":[3],\"chunks\":[2],\"dtype\":\"<i2\",\"compressor\":{\"id\":\"quantum\"},"
                        + "\"fill_value\":7,\"order\":\"C\",\"filters\":null}");
        for (String[] command : new String[][] {
            {"info", array, "--json"},
            {"verify", array},
            {"verify", array, "--json"},
            {"convert", tree},
            {"convert", tree, "--json"}
        }) {
            String out = Cli.run(command).out();
            assertTrue(out.contains("(shardkit plugins lists all)"), () -> String.join(" ", command) + ": " + out);
            assertFalse(out.contains("Registry."), out);
        }
    }
}
