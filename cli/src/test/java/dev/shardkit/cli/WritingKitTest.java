package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code conformance/writing.py} passes shardkit, and catches a tool that damages what it wrote in eight ways. */
@DisabledOnOs(OS.WINDOWS)
class WritingKitTest {
    private static final Path KIT = Path.of("../conformance").toAbsolutePath().normalize();
    private static final Path FIXTURES =
            Path.of("../conformance-tests/fixtures").toAbsolutePath().normalize();
    private static final List<String> WAYS =
            List.of("flipped", "cut", "attribute", "member", "missing", "order", "stray", "gone", "sound", "sound");

    @TempDir
    private Path dir;

    @BeforeAll
    static void needsPython() throws Exception {
        try {
            Process python = new ProcessBuilder("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))")
                    .redirectErrorStream(true)
                    .start();
            Assumptions.assumeTrue(python.waitFor() == 0);
        } catch (IOException e) {
            Assumptions.abort("no Python");
        }
    }

    private static String shardkit() {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return "'" + java + "' -Xmx256m -XX:TieredStopAtLevel=1 -cp '" + System.getProperty("java.class.path") + "' "
                + Main.class.getName() + " conformance-batch";
    }

    /** The rows of a report of the kit. */
    private Map<String, Json.Obj> rows(String tool, String tags) throws Exception {
        Path report = dir.resolve("report.json");
        List<String> command =
                new ArrayList<>(List.of("python3", KIT.resolve("writing.py").toString()));
        command.addAll(List.of("--fixtures", FIXTURES.toString(), "--batch", tool, "--reader", shardkit()));
        command.addAll(List.of("--tags", tags, "--jobs", "1", "--report", "json", "-o", report.toString()));
        Path said = dir.resolve("said");
        Process kit = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        kit.waitFor();
        assertTrue(Files.exists(report), () -> read(said));
        Json.Obj document = (Json.Obj) JsonReader.read(Files.readAllBytes(report), Limits.defaults());
        Map<String, Json.Obj> rows = new TreeMap<>();
        for (Json row : ((Json.Arr) document.get("rows").orElseThrow()).items()) {
            rows.put(text((Json.Obj) row, "id"), (Json.Obj) row);
        }
        return rows;
    }

    private static String text(Json.Obj row, String member) {
        return ((Json.Str) row.get(member).orElseThrow()).value();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Test
    void shardkit_writesEveryRowOrSaysThatItDoesNot() throws Exception {
        Map<String, Json.Obj> rows = rows(shardkit(), "write,update");
        assertTrue(rows.size() >= 500, rows.size() + " rows");
        Set<String> wrong = new TreeSet<>();
        int refused = 0;
        for (Json.Obj row : rows.values()) {
            String verdict = text(row, "verdict");
            refused += verdict.equals("refused") ? 1 : 0;
            if (!Set.of("equal", "refused").contains(verdict)) {
                wrong.add(row.toString());
            }
        }
        assertEquals(Set.of(), wrong);
        assertEquals(15, refused, "shards with foreign bytes, and blosclz");
    }

    @Test
    void damage_isCaught() throws Exception {
        Path broken = dir.resolve("broken_writer.py");
        try (InputStream in = WritingKitTest.class.getResourceAsStream("broken_writer.py")) {
            Files.write(broken, in.readAllBytes());
        }
        Map<String, Json.Obj> rows = rows("python3 '" + broken + "' " + shardkit(), "index,nan,transpose");
        Map<String, Set<String>> verdicts = new TreeMap<>();
        for (Json.Obj row : rows.values()) {
            String id = text(row, "id");
            boolean nothingStored = row.get("tags").orElseThrow().toString().contains("\"empty\"");
            if (!nothingStored && !text(row, "verdict").equals("refused")) {
                verdicts.computeIfAbsent(way(id), w -> new TreeSet<>()).add(text(row, "verdict"));
            }
        }
        Map<String, Set<String>> expected = new TreeMap<>();
        WAYS.forEach(way -> expected.put(way, Set.of(way.equals("sound") ? "equal" : "different")));
        assertEquals(expected, verdicts);
    }

    private static String way(String id) {
        CRC32 crc = new CRC32();
        crc.update(id.getBytes(StandardCharsets.UTF_8));
        return WAYS.get((int) (crc.getValue() % WAYS.size()));
    }
}
