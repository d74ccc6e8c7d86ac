package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.json.Json;
import dev.shardkit.testkit.internal.Rounds;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code conformance/partial.py} counts what shardkit asks for, and catches a tool that reads wrongly. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the tools under test are commands of a POSIX shell")
class PartialKitTest {
    @TempDir
    private Path dir;

    @BeforeAll
    static void needsPython() throws Exception {
        KitScripts.needsPython();
    }

    private static void costs(Map<String, Json.Obj> rows, String id, long requests, long bytes) {
        Json.Obj row = rows.get("partial/" + id);
        assertEquals(requests, KitScripts.number(row, "requests"), row.toString());
        assertEquals(bytes, KitScripts.number(row, "bytes"), row.toString());
        assertEquals(requests, KitScripts.number(row, "least_requests"), row.toString());
        assertEquals(bytes, KitScripts.number(row, "least_bytes"), row.toString());
    }

    @Test
    void shardkit_readsPartsRightlyWhateverTheServerDoes() throws Exception {
        boolean all = Rounds.areMany(); // rows of faults wait for the server
        String tags = all ? "partial,change,fault,choice" : "partial,change";
        Map<String, Json.Obj> rows =
                KitScripts.rows(dir, "partial.py", "--batch", KitScripts.shardkit(), "--tags", tags);
        Set<String> wrong = new TreeSet<>();
        Map<String, Integer> kinds = new TreeMap<>();
        rows.values().forEach(row -> {
            kinds.merge(KitScripts.text(row, "id").replaceAll("/.*", ""), 1, Integer::sum);
            if (!row.get("passed").orElseThrow().toString().equals("true")) {
                wrong.add(row.toString());
            }
        });
        assertEquals(Set.of(), wrong);
        assertTrue(
                kinds.getOrDefault("fault", 0) >= (all ? 20 : 0)
                        && kinds.get("partial") >= 15
                        && kinds.get("change") >= 3,
                kinds.toString());
        costs(rows, "one_element", 2, 4356);
        costs(rows, "row", 2, 16644);
        costs(rows, "four_shards", 8, 17424);
        costs(rows, "whole_shard", 1, 65796);
        costs(rows, "missing_inner_chunk", 1, 260);
    }

    @Test
    @Tag("one-jdk")
    void wrongValues_areCaught() throws Exception {
        String broken = KitScripts.broken(dir, "broken_reader.py");
        Map<String, Json.Obj> rows = KitScripts.rows(dir, "partial.py", "--batch", broken, "--tags", "partial,change");
        Map<String, String> expected = new TreeMap<>();
        Map<String, String> verdicts = new TreeMap<>();
        rows.forEach((id, row) -> {
            verdicts.put(id, KitScripts.text(row, "verdict"));
            expected.put(id, expected(row));
        });
        assertEquals(expected, verdicts);
        assertTrue(Set.copyOf(verdicts.values()).containsAll(Set.of("equal", "different")), verdicts.toString());
    }

    /** A reader that takes failures for absent chunks, and one that takes every body for data: each row catches one. */
    @Test
    @Tag("one-jdk")
    void everyFault_catchesACarelessReader() throws Exception {
        Path script = dir.resolve("careless_reader.py");
        try (InputStream in = PartialKitTest.class.getResourceAsStream("careless_reader.py")) {
            Files.write(script, in.readAllBytes());
        }
        Map<String, Set<String>> verdicts = new TreeMap<>();
        for (String way : List.of("blind", "trusting")) {
            KitScripts.rows(dir, "partial.py", "--batch", "python3 '" + script + "' " + way, "--tags", "fault,change")
                    .forEach((id, row) ->
                            verdicts.computeIfAbsent(id, i -> new TreeSet<>()).add(KitScripts.text(row, "verdict")));
        }
        assertEquals(Set.of("accepted"), verdicts.remove("change/no_etag"), "no reader of ranges can know");
        assertEquals(30, verdicts.size());
        verdicts.values().removeIf(found -> found.contains("different"));
        assertEquals(Map.of(), verdicts, "rows that catch neither");
    }

    private static String expected(Json.Obj row) {
        CRC32 crc = new CRC32();
        crc.update(KitScripts.text(row, "id").getBytes(StandardCharsets.UTF_8));
        String verdict = KitScripts.text(row, "verdict");
        if (verdict.equals("refused")) {
            return verdict;
        }
        return crc.getValue() % 2 == 0 ? "different" : verdict.equals("accepted") ? verdict : "equal";
    }
}
