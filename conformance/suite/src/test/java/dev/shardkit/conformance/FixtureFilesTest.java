package dev.shardkit.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The checksums beside the fixtures are those of the files, and the manifests fit their schemas. */
@Tag("one-jdk")
class FixtureFilesTest {
    private static final Path FIXTURES = Path.of("../../conformance-tests/fixtures");

    @Test
    void checksums_areThoseOfTheFiles() throws Exception {
        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> files = Files.walk(FIXTURES)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                found.put(FIXTURES.relativize(file).toString().replace('\\', '/'), sha256(Files.readAllBytes(file)));
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
    void rows_keepTheirMeaning() throws Exception {
        Map<String, String> recorded = new TreeMap<>();
        for (String line : Files.readAllLines(FIXTURES.resolve("ROWS.sha256"))) {
            recorded.put(line.substring(66), line.substring(0, 64));
        }
        Map<String, String> found = new TreeMap<>();
        for (String name : List.of("manifest", "malformed", "writing")) {
            for (JsonNode row : new ObjectMapper()
                    .readTree(FIXTURES.resolve(name + ".json").toFile())
                    .get("cases")) {
                found.put(row.get("id").asText(), meaning(row));
            }
        }
        String changes = Files.readString(FIXTURES.resolve("CHANGES.md"));
        recorded.keySet().removeIf(id -> !found.containsKey(id) && changes.contains("`" + id + "`"));
        assertEquals(
                recorded,
                found,
                "a row that means something else needs another id; a row that is gone is named in"
                        + " CHANGES.md; for new rows run conformance-tests/tools/row_ledger.py");
    }

    /** The digest of a row, as row_ledger.py makes it. */
    private static String meaning(JsonNode row) throws Exception {
        String store = row.path(row.has("array") ? "array" : "store").asText();
        Path node = FIXTURES.resolve(store)
                .resolve(row.path("array_path").asText("/").replaceAll("^/+|/+$", ""));
        Path place = Files.isDirectory(node) ? node : FIXTURES.resolve(store);
        boolean malformed = row.get("kind").asText().equals("malformed");
        String refusal = row.get("tags").toString().contains("\"choice\"") ? "choice" : "refused";
        List<String> lines = new ArrayList<>(List.of(
                row.get("kind").asText(),
                malformed ? refusal : row.get("expected").get("sha256").asText(),
                row.has("selection") ? row.get("selection").toString() : ""));
        Map<String, String> sums = new TreeMap<>();
        try (Stream<Path> files = Files.walk(place)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                sums.put(place.relativize(file).toString().replace('\\', '/'), sha256(Files.readAllBytes(file)));
            }
        }
        sums.forEach((name, sum) -> lines.add(sum + "  " + name));
        return sha256(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
    }

    private static String sha256(byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
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
