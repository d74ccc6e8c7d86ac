package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.json.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code conformance/writing.py} passes shardkit, and catches a tool that damages what it wrote in eight ways. */
@DisabledOnOs(OS.WINDOWS)
class WritingKitTest {
    private static final List<String> WAYS =
            List.of("flipped", "cut", "attribute", "member", "missing", "order", "stray", "gone", "sound", "sound");

    @TempDir
    private Path dir;

    @BeforeAll
    static void needsPython() throws Exception {
        KitScripts.needsPython();
    }

    private Map<String, Json.Obj> rows(String tool, String tags) throws Exception {
        return KitScripts.rows(
                dir,
                "writing.py",
                "--fixtures",
                KitScripts.FIXTURES.toString(),
                "--batch",
                tool,
                "--reader",
                KitScripts.shardkit(),
                "--tags",
                tags);
    }

    @Test
    void shardkit_writesEveryRowOrSaysThatItDoesNot() throws Exception {
        Map<String, Json.Obj> rows = rows(KitScripts.shardkit(), "write,update");
        assertTrue(rows.size() >= 500, rows.size() + " rows");
        Set<String> wrong = new TreeSet<>();
        int refused = 0;
        for (Json.Obj row : rows.values()) {
            String verdict = KitScripts.text(row, "verdict");
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
        Map<String, Json.Obj> rows = rows(KitScripts.broken(dir, "broken_writer.py"), "index,nan,transpose");
        Map<String, Set<String>> verdicts = new TreeMap<>();
        for (Json.Obj row : rows.values()) {
            String id = KitScripts.text(row, "id");
            boolean nothingStored = row.get("tags").orElseThrow().toString().contains("\"empty\"");
            if (!nothingStored && !KitScripts.text(row, "verdict").equals("refused")) {
                verdicts.computeIfAbsent(way(id), w -> new TreeSet<>()).add(KitScripts.text(row, "verdict"));
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
