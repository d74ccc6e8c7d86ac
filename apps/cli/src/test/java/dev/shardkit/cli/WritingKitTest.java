package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.json.Json;
import dev.shardkit.testkit.internal.Rounds;
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

/** {@code conformance/writing.py} passes shardkit, and catches a tool that damages what it wrote in eight ways. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the tools under test are commands of a POSIX shell")
class WritingKitTest {
    /** In long runs. */
    private static final boolean ALL = Rounds.areMany();

    private static final List<String> WAYS =
            List.of("flipped", "cut", "attribute", "member", "missing", "order", "stray", "gone", "sound", "sound");

    private static final String MISBEHAVING = String.join(
            "\n",
            "import json, os, sys, time",
            "print('{\"protocol\": 1}', flush=True)",
            "for line in sys.stdin:",
            "    q = json.loads(line)",
            "    way, out = q['id'].split('/')[-1], q['out']",
            "    print('chatter', flush=True)",
            "    if way == 'default_slash':",
            "        sys.exit(3)",
            "    if way == 'v2_dot':",
            "        print('{\"id\": \"x\"}', flush=True)",
            "    elif way == 'v2_no_config':",
            "        print(json.dumps({'id': q['id'], 'error': {'message': 'not today'}}), flush=True)",
            "    else:",
            "        os.makedirs(out, exist_ok=True)",
            "        if way == 'default_no_config':",
            "            open(out + '/zarr.json', 'w').write('[]')",
            "        if way == 'v2_slash':",
            "            os.makedirs(out + '/0', exist_ok=True)",
            "            open(out + '/0/0', 'wb').truncate(70 << 20)",
            "            time.sleep(3600)",
            "        print(json.dumps({'id': q['id'], 'out': out}), flush=True)",
            "");

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
        Map<String, Json.Obj> rows = rows(KitScripts.shardkit(), ALL ? "write,update" : "nested");
        assertTrue(rows.size() >= (ALL ? 500 : 35), rows.size() + " rows");
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
        if (ALL) {
            assertEquals(15, refused, "shards with foreign bytes, and blosclz");
        }
    }

    @Test
    @Tag("one-jdk")
    void damage_isCaught() throws Exception {
        Map<String, Json.Obj> rows =
                rows(KitScripts.broken(dir, "broken_writer.py"), ALL ? "index,nan,transpose" : "nan");
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

    @Test
    @Tag("one-jdk")
    void toolsThatMisbehave_areCaughtAndTheRunGoesOn() throws Exception {
        Path tool = dir.resolve("tool.py");
        Files.writeString(tool, MISBEHAVING);
        Map<String, Json.Obj> rows = rows("python3 '" + tool + "'", "keys");
        Map<String, String> details = new TreeMap<>();
        rows.forEach(
                (id, row) -> details.put(id, KitScripts.text(row, "verdict") + " " + KitScripts.text(row, "detail")));
        assertEquals("crash ended with status 3 in place of an answer", details.get("write/keys/default_slash"));
        assertEquals("different there is no zarr.json", details.get("write/keys/default_dot"));
        assertEquals("crash answered another question: {\"id\":\"x\"}", details.get("write/keys/v2_dot"));
        assertEquals("different wrote more than 67109056 bytes", details.get("write/keys/v2_slash"));
        assertEquals("different zarr.json is no object", details.get("write/keys/default_no_config"));
        assertEquals("refused not today", details.get("write/keys/v2_no_config"));
    }

    @Test
    @Tag("one-jdk")
    void trouble_isOneLine() throws Exception {
        Path folder = Files.createDirectories(dir.resolve("fixtures"));
        String said = KitScripts.trouble(dir, "writing.py", "--fixtures", folder.toString());
        assertEquals("2 writing.py: " + folder.toRealPath() + " has no writing.json\n", said);
        for (String wrong :
                List.of("{", "[]", "{\"cases\": 1}", "{\"cases\": []}", "{\"cases\": [{\"kind\": \"x\"}]}")) {
            Files.writeString(folder.resolve("writing.json"), wrong);
            said = KitScripts.trouble(dir, "writing.py", "--fixtures", folder.toString());
            assertTrue(said.startsWith("2 writing.py: ") && said.contains("is not a manifest"), said);
            assertEquals(1, said.lines().count(), said);
        }
        String fixtures = KitScripts.FIXTURES.toString();
        said = KitScripts.trouble(dir, "writing.py", "--fixtures", fixtures, "--batch", "true");
        assertTrue(said.startsWith("2 writing.py: give the tool by --batch and at least one --reader"), said);
        said = KitScripts.trouble(dir, "partial.py", "--batch", "/no/such/tool");
        assertTrue(said.startsWith("2 partial.py: the tool cannot be started"), said);
        said = KitScripts.trouble(dir, "partial.py", "--batch", "true", "--tags", "nothing");
        assertTrue(said.contains("has such tags; there are change, choice, fault, partial"), said);
    }

    private static String way(String id) {
        CRC32 crc = new CRC32();
        crc.update(id.getBytes(StandardCharsets.UTF_8));
        return WAYS.get((int) (crc.getValue() % WAYS.size()));
    }
}
