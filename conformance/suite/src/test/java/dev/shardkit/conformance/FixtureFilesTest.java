package dev.shardkit.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The checksums beside the fixtures are those of the files, and the manifests fit their schemas. */
class FixtureFilesTest {
    private static final Path FIXTURES = Path.of("../../conformance-tests/fixtures");

    @Test
    void checksums_areThoseOfTheFiles() throws Exception {
        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> files = Files.walk(FIXTURES)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                byte[] sum = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
                found.put(
                        FIXTURES.relativize(file).toString().replace('\\', '/'),
                        HexFormat.of().formatHex(sum));
            }
        }
        found.remove("SHA256SUMS");
        Map<String, String> said = new TreeMap<>();
        for (String line : Files.readAllLines(FIXTURES.resolve("SHA256SUMS"))) {
            said.put(line.substring(66), line.substring(0, 64));
        }
        assertEquals(said, found, "run conformance-tests/tools/fixture_checksums.py");
    }

    @Test
    void manifests_fitTheirSchemas() throws Exception {
        ObjectMapper json = new ObjectMapper();
        for (String name : List.of("manifest", "malformed", "writing")) {
            JsonNode schema =
                    json.readTree(FIXTURES.resolve(name + ".schema.json").toFile());
            JsonNode manifest = json.readTree(FIXTURES.resolve(name + ".json").toFile());
            assertEquals(List.of(), SchemaCheck.complaints(schema, manifest));
            ObjectNode row = (ObjectNode) manifest.get("cases").get(0);
            row.put("kind", "other").remove("tags");
            ((ObjectNode) row.get("expected")).put(name.equals("malformed") ? "stage" : "sha256", "none");
            assertEquals(3, SchemaCheck.complaints(schema, manifest).size());
        }
    }
}
