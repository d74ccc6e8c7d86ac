package dev.shardkit.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The adapter on the page "test your implementation in ten minutes" works as it stands there. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "runs python3 by this name")
@Tag("one-jdk")
class TenMinutesPageTest {
    private static final Path FIXTURES =
            Path.of("../../conformance-tests/fixtures").toAbsolutePath().normalize();
    private static final Path PAGE = Path.of("../../docs/guide/test-your-implementation.md");

    @TempDir
    private Path dir;

    @Test
    void adapterOfThePage_readsAllButStringsAndBytes() throws Exception {
        PythonRunner.need();
        String page = Files.readString(PAGE);
        String code = page.split("```python\n", 2)[1].split("```", 2)[0];
        Files.writeString(dir.resolve("my_adapter.py"), code);
        try (InputStream in = TenMinutesPageTest.class.getResourceAsStream("my_zarr.py")) {
            Files.write(dir.resolve("my_zarr.py"), in.readAllBytes());
        }
        Files.createSymbolicLink(dir.resolve("fixtures"), FIXTURES);
        Path report = dir.resolve("report.json");
        String said = PythonRunner.run(
                dir,
                "--fixtures",
                FIXTURES.toString(),
                "--batch",
                "python3 '" + dir.resolve("my_adapter.py") + "'",
                "--without-tags",
                "malformed",
                "--report",
                "json",
                "-o",
                report.toString());
        assertEquals("0 ", said);
        JsonNode found = new ObjectMapper().readTree(report.toFile());
        assertTrue(
                found.get("sound").get("equal").intValue() > 300,
                found.get("sound").toString());
        Set<String> refused = new TreeSet<>();
        for (JsonNode row : found.get("rows")) {
            if (row.get("verdict").asText().equals("refused")
                    && row.get("kind").asText().equals("array")) {
                refused.add(row.get("detail").asText());
            }
        }
        assertEquals(Set.of("variable length"), refused);
    }
}
