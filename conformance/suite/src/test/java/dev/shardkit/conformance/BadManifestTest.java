package dev.shardkit.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Both runners refuse a manifest that is not one, in one line that names the file, the row and the member. */
class BadManifestTest {
    private static final String SOUND = "\"id\": \"a\", \"store\": \"b\"";
    private static final String EXPECTED = "\"expected\": {\"file\": \"x\", \"format\": \"json\"}";

    @TempDir
    private Path dir;

    /** The wrong manifests, with a part of the line that refuses them. */
    private static Map<String, String> wrong() {
        Map<String, String> wrong = new LinkedHashMap<>();
        wrong.put("{", " is not a manifest: expected JSON, found ");
        wrong.put("{\"cases\": []} []", " is not a manifest: expected JSON, found ");
        for (String list : new String[] {"[]", "null", "\"x\"", "{\"cases\": 1}", "{\"cases\": {}}"}) {
            wrong.put(list, " is not a manifest: expected a list of rows as \"cases\"");
        }
        wrong.put("{\"cases\": []}", " has no manifest.json and no malformed.json with rows");
        wrong.put("{\"manifest_version\": 2, \"cases\": []}", ": expected manifest_version 1, found 2");
        wrong.put("{\"cases\": [1]}", ": expected an object as row, found 1");
        for (String version : new String[] {"null", "1.5", "\"1\"", "true"}) {
            String manifest = "{\"manifest_version\": " + version + ", \"cases\": []}";
            wrong.put(manifest, ": expected manifest_version 1, found " + version);
        }
        String twice = "{" + SOUND + ", " + EXPECTED + "}";
        wrong.put("{\"cases\": [" + twice + ", " + twice + "]}", ": expected rows with different ids, found a twice");
        row(wrong, "\"id\": 1", "row 1: expected a string in id, found 1");
        row(wrong, "\"id\": \"a\"", "row a: expected a string in store, found nothing");
        row(wrong, SOUND, "row a: expected an object in expected, found nothing");
        row(wrong, SOUND + ", \"kind\": \"x\", " + EXPECTED, "draft-transformer in kind, found \"x\"");
        row(wrong, SOUND + ", \"expected\": {\"format\": \"json\"}", "row a: expected a string in file, found nothing");
        row(
                wrong,
                SOUND + ", \"expected\": {\"file\": \"x\", \"format\": \"y\"}",
                "hierarchy-json in format, found \"y\"");
        row(wrong, SOUND + ", \"array_path\": 3, " + EXPECTED, "row a: expected a string in array_path, found 3");
        row(wrong, SOUND + ", \"tags\": 1, " + EXPECTED, "row a: expected a list of strings in tags, found 1");
        row(wrong, SOUND + ", \"tags\": [1], " + EXPECTED, "row a: expected a list of strings in tags, found [1]");
        row(wrong, SOUND + ", \"selection\": 1, " + EXPECTED, "expected a list of [start, stop] in selection, found 1");
        row(wrong, SOUND + ", \"selection\": [[1]], " + EXPECTED, "expected a list of [start, stop] in selection");
        row(wrong, SOUND + ", \"selection\": [[0.5, 2]], " + EXPECTED, "expected a list of [start, stop] in selection");
        String malformed = SOUND + ", \"kind\": \"malformed\", \"expected\": ";
        row(wrong, malformed + "{}", " in stage, found nothing");
        row(wrong, malformed + "{\"stage\": \"x\"}", "row a: expected open, read or either in stage, found \"x\"");
        row(wrong, malformed + "{\"stage\": \"open\", \"faults\": 1}", "expected a list of strings in faults, found 1");
        return wrong;
    }

    private static void row(Map<String, String> wrong, String members, String part) {
        wrong.put("{\"cases\": [{" + members + "}]}", part);
    }

    @Test
    void javaRunner_saysWhatIsWrong() throws Exception {
        Path file = dir.resolve("manifest.json");
        for (Map.Entry<String, String> wrong : wrong().entrySet()) {
            Files.writeString(file, wrong.getKey());
            said(
                    wrong,
                    assertThrows(IOException.class, () -> Manifest.read(dir), wrong.getKey())
                            .getMessage());
        }
        Files.delete(file);
        Files.createDirectory(file);
        String folder =
                assertThrows(IOException.class, () -> Manifest.read(dir)).getMessage();
        assertTrue(folder.startsWith(file + " cannot be read: "), folder);
    }

    @Test
    @Tag("one-jdk")
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "runs python3 by this name")
    void pythonRunner_saysTheSame() throws Exception {
        PythonRunner.need();
        Path all = Files.createDirectory(dir.resolve("all")).toRealPath();
        List<Map.Entry<String, String>> wrong = List.copyOf(wrong().entrySet());
        List<String> folders = new ArrayList<>();
        for (int i = 0; i < wrong.size(); i++) {
            Path folder = Files.createDirectory(all.resolve("m" + i));
            Files.writeString(folder.resolve("manifest.json"), wrong.get(i).getKey());
            folders.add(folder.toString());
        }
        List<String> said = PythonRunner.refusals(dir, folders);
        assertEquals(wrong.size(), said.size(), said.toString());
        for (int i = 0; i < wrong.size(); i++) {
            said(wrong.get(i), said.get(i));
        }
        Path file = Files.createDirectories(all.resolve("folder/manifest.json"));
        String folder = PythonRunner.run(dir, "--fixtures", file.getParent().toString(), "--list");
        assertTrue(folder.startsWith("2 run.py: " + file + " cannot be read: "), folder);
    }

    private static void said(Map.Entry<String, String> wrong, String said) {
        assertTrue(said.contains(wrong.getValue()), wrong.getKey() + ": " + said);
        assertTrue(said.contains("manifest.json") || said.contains("found a twice"), said);
        assertEquals(1, said.strip().lines().count(), said);
    }
}
