package dev.shardkit.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

/** Verdicts and reports, with a tool that does all that tools do. */
class ConformanceRunTest {
    private static final String RAW = "\"expected\": {\"file\": \"abc\", \"format\": \"raw-le-c\"}";
    private static final String JSON = "\"expected\": {\"file\": \"json\", \"format\": \"json\"}";
    private static final String BAD = "\"expected\": {\"refused\": [\"MetadataException\"], \"stage\": \"open\"}";

    @TempDir
    private Path dir;

    private final List<String> rows = new ArrayList<>();

    private void row(String id, String kind, String mode, String values, String more) throws IOException {
        Path folder = Files.createDirectories(dir.resolve("with blank").resolve(id));
        Files.writeString(folder.resolve("mode"), mode);
        Files.writeString(folder.resolve("values"), values);
        rows.add("{\"id\": \"g/" + id + "\", \"kind\": \"" + kind + "\", \"store\": \"with blank/" + id
                + "\", \"tags\": [\"" + id.substring(0, 1) + "\"" + (id.startsWith("choice") ? ", \"choice\"" : "")
                + "], "
                + more + "}");
    }

    private Manifest manifest() throws IOException {
        Files.writeString(dir.resolve("abc"), "abc");
        Files.writeString(dir.resolve("json"), "{\"encoding\":\"utf8\",\"shape\":[2],\"values\":[\"\u00e9\",\"b\"]}");
        Files.writeString(dir.resolve("manifest.json"), "{\"cases\": [" + String.join(",\n", rows) + "]}");
        return Manifest.read(dir);
    }

    private void allKinds() throws IOException {
        row("same", "array", "values", "abc", RAW);
        row("other", "array", "values", "abd", RAW);
        row("longer", "array", "values", "abcd", RAW);
        row("nothing", "array", "nothing", "", RAW);
        row("refuse", "array", "refuse", "", RAW);
        row("crash", "array", "crash", "", RAW);
        row(
                "json",
                "array",
                "values",
                " {\"values\": [\"\\u00e9\", \"b\"], \"shape\": [2], \"encoding\": \"utf8\"}",
                JSON);
        row(
                "jsonother",
                "array",
                "values",
                "{\"values\": [\"e\", \"b\"], \"shape\": [2], \"encoding\": \"utf8\"}",
                JSON);
        row(
                "jsonshape",
                "array",
                "values",
                "{\"values\": [\"e\", \"b\"], \"shape\": [1, 2], \"encoding\": \"utf8\"}",
                JSON);
        row("jsonbroken", "array", "values", "{\"values\": [", JSON);
        row("part", "array", "selection", "", RAW + ", \"selection\": [[1, 3], [0, 9]]");
        row("group", "group", "crash", "", "\"expected\": {\"file\": \"json\", \"format\": \"hierarchy-json\"}");
        row("bad", "malformed", "refuse", "", BAD);
        row("badread", "malformed", "values", "", BAD);
        row("choice", "malformed", "values", "", BAD);
    }

    private static Map<String, String> verdicts(ConformanceResult result) {
        Map<String, String> verdicts = new TreeMap<>();
        result.outcomes()
                .forEach(
                        o -> verdicts.put(o.row().id().substring(2), o.verdict().word()));
        return verdicts;
    }

    private static ConformanceRun run(String more) {
        return ConformanceRun.of(CommandTemplate.parse(FakeTool.command(more))).withTimeout(Duration.ofSeconds(120));
    }

    @Test
    void verdicts_areAsTheToolDeserves() throws Exception {
        allKinds();
        List<String> heard = new ArrayList<>();
        ConformanceResult result =
                run("").withJobs(2).run(manifest(), o -> heard.add(o.row().id()));
        Map<String, String> expected = new TreeMap<>(Map.of(
                "same",
                "equal",
                "other",
                "different",
                "longer",
                "different",
                "nothing",
                "different",
                "refuse",
                "refused",
                "crash",
                "crash",
                "json",
                "equal",
                "jsonother",
                "different",
                "jsonshape",
                "different"));
        expected.putAll(Map.of(
                "jsonbroken",
                "different",
                "part",
                "skipped",
                "group",
                "skipped",
                "bad",
                "refused",
                "badread",
                "different",
                "choice",
                "accepted"));
        assertEquals(expected, verdicts(result));
        assertEquals(rows.size(), heard.size());
        assertEquals(8, result.failures());
        assertFalse(result.isGood());
        assertEquals(
                "byte 2 of 3: expected 63, found 64", result.outcomes().get(1).detail());
        if (PythonRunner.isComparedToo()) {
            PythonRunner.findsTheSame(dir, result, "--command", FakeTool.command(""));
        }
        reportsAgree(result);
    }

    /** Its own run: the limit of a second may pass before the tool even begins, and the verdict stays the same. */
    @Test
    void hangs_areTimeouts() throws Exception {
        row("hang", "array", "hang", "", RAW);
        ConformanceResult result = run("").withTimeout(Duration.ofSeconds(1)).run(manifest(), o -> {});
        assertEquals(Map.of("hang", "timeout"), verdicts(result));
        assertEquals("no answer within 1 s", result.outcomes().get(0).detail());
        if (PythonRunner.isComparedToo()) {
            PythonRunner.findsTheSame(dir, result, "--command", FakeTool.command(""), "--timeout", "1");
        }
    }

    private static String report(ReportFormat report, ConformanceResult result) throws IOException {
        StringWriter out = new StringWriter();
        report.write(result, out);
        return out.toString();
    }

    private static void reportsAgree(ConformanceResult result) throws Exception {
        String text = report(ReportFormat.TEXT, result);
        assertTrue(text.contains("different  g/other  byte 2 of 3"), text);
        assertTrue(
                text.contains("2 of 10 sound arrays equal, 1 of 3 malformed ones refused and 1 accepted by choice"),
                text);
        JsonNode json = new ObjectMapper().readTree(report(ReportFormat.JSON, result));
        assertEquals(8, json.get("failures").intValue());
        assertEquals(result.outcomes().size(), json.get("rows").size());
        assertEquals(2, json.get("sound").get("equal").intValue());
        Document junit = xml(report(ReportFormat.JUNIT, result));
        assertEquals(
                result.outcomes().size(), junit.getElementsByTagName("testcase").getLength());
        assertEquals(8, junit.getElementsByTagName("failure").getLength());
        assertEquals(3, junit.getElementsByTagName("skipped").getLength());
        String html = report(ReportFormat.HTML, result);
        assertTrue(html.startsWith("<!DOCTYPE html>"), html);
        assertTrue(html.contains("mode &lt;values&gt; \ufffd &amp; more"), html);
        xml(html.replace("<!DOCTYPE html>", ""));
        assertTrue(html.contains("<th>seconds</th><th>MiB</th>"), html);
        assertTrue(html.matches("(?s).*<td class=\"n\">\\d+\\.\\d{3}</td>.*"), html);
    }

    private static Document xml(String text) throws Exception {
        return DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void selection_isPassedOnToCommandsThatTakeIt() throws Exception {
        row(
                "part",
                "array",
                "selection",
                "",
                "\"expected\": {\"file\": \"box\", \"format\": \"raw-le-c\"}" + ", \"selection\": [[1, 3], [0, 9]]");
        Files.writeString(dir.resolve("box"), "1:3,0:9");
        ConformanceResult result = run(" {selection}").run(manifest(), o -> {});
        assertEquals(Map.of("part", "equal"), verdicts(result));
        assertTrue(result.isGood());
    }

    @Test
    void tags_chooseRows() throws Exception {
        allKinds();
        assertEquals(
                List.of("g/same"),
                run("").withTags(Set.of("s")).rows(manifest()).stream()
                        .map(Row::id)
                        .toList());
        assertEquals(
                List.of("g/json"),
                run("").withTags(Set.of("j", "s")).withoutTags(Set.of("s")).rows(manifest()).stream()
                        .map(Row::id)
                        .limit(1)
                        .toList());
    }

    @Test
    void refusingEverything_isNotGood() throws Exception {
        row("refuse", "array", "refuse", "", RAW);
        row("bad", "malformed", "refuse", "", BAD);
        ConformanceResult result = run("").run(manifest(), o -> {});
        assertEquals(0, result.failures());
        assertEquals(1, result.sound().get(Verdict.REFUSED));
        assertFalse(result.isStrictlyGood());
        assertFalse(result.isGood());
    }

    @Test
    void commands_thatCannotBe_areRefused() throws Exception {
        row("same", "array", "values", "abc", RAW);
        for (String wrong : List.of("tool {path}", "tool {out}", "", "{path} {out}", "tool 'x {path} {out}")) {
            assertThrows(IllegalArgumentException.class, () -> CommandTemplate.parse(wrong), wrong);
        }
        ConformanceRun run = ConformanceRun.of(CommandTemplate.parse("/no/such/tool {path} {out}"));
        Manifest manifest = manifest();
        assertThrows(IOException.class, () -> run.run(manifest, o -> {}));
    }
}
