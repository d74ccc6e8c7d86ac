package dev.shardkit.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** One run, of this runner and of {@code run.py}, asks for reading, writing and partial reading. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "runs python3 by this name")
@Tag("one-jdk")
class TasksTest {
    private static final Path FIXTURES =
            Path.of("../../conformance-tests/fixtures").toAbsolutePath().normalize();
    private static final Set<String> TAGS = Set.of("vlen", "partial", "fault");

    /** Says that it did what it was asked for, and writes a byte at most. */
    private static final String LIES = String.join(
            "\n",
            "import json, sys",
            "print('{\"protocol\": 1}', flush=True)",
            "for line in sys.stdin:",
            "    q = json.loads(line)",
            "    if 'do' not in q:",
            "        open(q['out'], 'wb').write(b'x')",
            "    print(json.dumps({'id': q['id'], 'out': q['out']}), flush=True)",
            "");

    /** Reads from every array the values that the fixture has: right for an array that nobody has changed. */
    private static final String READER = String.join(
            "\n",
            "import json, os, shutil, sys",
            "folder = sys.argv[1]",
            "rows = json.load(open(os.path.join(folder, 'writing.json'), encoding='utf-8'))['cases']",
            "files = {r['id']: os.path.join(folder, r['expected']['file']) for r in rows}",
            "print('{\"protocol\": 1}', flush=True)",
            "for line in sys.stdin:",
            "    q = json.loads(line)",
            "    shutil.copyfile(files[q['id']], q['out'])",
            "    print(json.dumps({'id': q['id'], 'out': q['out']}), flush=True)",
            "");

    @TempDir
    private Path dir;

    @BeforeEach
    void needsPython() throws Exception {
        PythonRunner.need();
    }

    private String tool() throws IOException {
        Path tool = dir.resolve("lies.py");
        Files.writeString(tool, LIES);
        return "python3 '" + tool + "'";
    }

    private String reader() throws IOException {
        Path reader = dir.resolve("reader.py");
        Files.writeString(reader, READER);
        return "python3 '" + reader + "' '" + FIXTURES + "'";
    }

    private ConformanceRun run() throws IOException {
        return ConformanceRun.of(CommandTemplate.parseBatch(tool())).withTasks(EnumSet.allOf(Task.class));
    }

    @Test
    void rows_areThoseOfAllTasks() throws Exception {
        Map<Row.Kind, Integer> kinds = new EnumMap<>(Row.Kind.class);
        run().allRows(Manifest.read(FIXTURES)).forEach(row -> kinds.merge(row.kind(), 1, Integer::sum));
        assertEquals(Set.of(Row.Kind.values()), kinds.keySet());
        assertTrue(kinds.get(Row.Kind.WRITE) >= 285 && kinds.get(Row.Kind.UPDATE) >= 266, kinds.toString());
        assertTrue(kinds.get(Row.Kind.PARTIAL) >= 17 && kinds.get(Row.Kind.FAULT) >= 31, kinds.toString());
    }

    @Test
    void aToolThatLies_isCaughtByEveryKindOfRow_inBothRunners() throws Exception {
        ConformanceResult result = run().withTags(TAGS)
                .withReaders(List.of(CommandTemplate.parseBatch(reader())))
                .run(Manifest.read(FIXTURES), o -> {});
        Map<String, String> ours = new TreeMap<>();
        Set<Row.Kind> caught = EnumSet.noneOf(Row.Kind.class);
        for (Outcome o : result.outcomes()) {
            ours.put(o.row().id(), o.verdict().word());
            assertTrue(o.verdict() == Verdict.DIFFERENT || o.verdict() == Verdict.ACCEPTED, o.toString());
            caught.add(o.row().kind());
        }
        assertEquals(
                EnumSet.of(
                        Row.Kind.ARRAY,
                        Row.Kind.MALFORMED,
                        Row.Kind.WRITE,
                        Row.Kind.UPDATE,
                        Row.Kind.PARTIAL,
                        Row.Kind.FAULT),
                caught);
        assertFalse(result.isGood());
        assertEquals(ours, python());
    }

    private Map<String, String> python() throws Exception {
        Path report = dir.resolve("report.json");
        String said = PythonRunner.run(
                dir,
                "--fixtures",
                FIXTURES.toString(),
                "--rows",
                "reading,writing,partial",
                "--batch",
                tool(),
                "--reader",
                reader(),
                "--tags",
                String.join(",", TAGS),
                "--report",
                "json",
                "-o",
                report.toString());
        assertEquals("1 ", said);
        Map<String, String> found = new TreeMap<>();
        for (JsonNode row : new ObjectMapper().readTree(report.toFile()).get("rows")) {
            found.put(row.get("id").asText(), row.get("verdict").asText());
        }
        return found;
    }

    @Test
    void trouble_isOneLine() throws Exception {
        Manifest manifest = Manifest.read(FIXTURES);
        ConformanceRun noReader = run().withTasks(Set.of(Task.WRITING));
        IOException reader = assertThrows(IOException.class, () -> noReader.run(manifest, o -> {}));
        assertTrue(
                reader.getMessage().startsWith("give the tool by --batch and at least one --reader"),
                reader.getMessage());
        ConformanceRun command =
                ConformanceRun.of(CommandTemplate.parse("x {path} {out}")).withTasks(Set.of(Task.PARTIAL));
        IOException batch = assertThrows(IOException.class, () -> command.run(manifest, o -> {}));
        assertEquals("rows of writing and partial reading need a batch tool", batch.getMessage());
        ConformanceRun absent =
                ConformanceRun.of(CommandTemplate.parseBatch("/no/such/tool")).withTasks(Set.of(Task.PARTIAL));
        IOException tool = assertThrows(IOException.class, () -> absent.run(manifest, o -> {}));
        assertTrue(tool.getMessage().startsWith("the tool cannot be started: "), tool.getMessage());
        assertEquals(1, tool.getMessage().lines().count());
        String rows = PythonRunner.run(dir, "--rows", "reeding", "--batch", "true");
        assertEquals("2 run.py: expected reading, writing, partial in --rows, found reeding\n", rows);
    }
}
