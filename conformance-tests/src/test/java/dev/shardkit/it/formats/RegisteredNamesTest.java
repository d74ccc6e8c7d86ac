package dev.shardkit.it.formats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.it.Samples;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every registered data type and codec is supported, or the documentation lists it as refused. */
class RegisteredNamesTest {
    private static final Registry REGISTRY = Registry.load();

    private static List<String> names() throws IOException {
        try (InputStream in = Samples.class.getResourceAsStream("registered-names.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith("codecs/") || line.startsWith("data-types/"))
                    .toList();
        }
    }

    private static boolean isSupported(String point, String name) {
        try {
            if (point.equals("codecs")) {
                REGISTRY.codec(Json.of(name), "");
            } else {
                REGISTRY.dataType(Json.of(name.equals("r") ? "r8" : name), "");
            }
            return true;
        } catch (UnsupportedException e) {
            assertTrue(e.getMessage().contains("\"" + name + "\" is unknown; the nearest of "), e.getMessage());
            return false;
        } catch (MetadataException e) {
            return true; // known, but it needs a configuration
        }
    }

    @Test
    void eachName_isSupported_orListedAsRefused() throws IOException {
        String refused = Files.readAllLines(Path.of("..", "docs", "extensions.md")).stream()
                .filter(line -> line.startsWith("| codecs ")
                        || line.startsWith("| `numcodecs.pickle`")
                        || line.startsWith("| data type "))
                .collect(Collectors.joining());
        List<String> names = names();
        assertEquals(97, names.size());
        List<String> wrong = names.stream()
                .filter(line -> {
                    String name = line.substring(line.indexOf('/') + 1);
                    boolean isListed = refused.contains("`" + name + "`");
                    return isSupported(line.substring(0, line.indexOf('/')), name) == isListed;
                })
                .collect(Collectors.toList());
        assertEquals(List.of(), wrong, "neither supported nor listed, or both");
    }
}
