package dev.shardkit.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code conformance/matrix.py} makes its pages from reports: counts, links to the cases, the sentences they break. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "runs python3 by this name")
@Tag("one-jdk")
class MatrixTest {
    private static final Path KIT = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    private Path dir;

    private String python(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("python3"));
        command.addAll(List.of(arguments));
        Path output = dir.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return process.waitFor() + " " + Files.readString(output, StandardCharsets.UTF_8);
    }

    @BeforeEach
    void needsPython() throws Exception {
        try {
            Assumptions.assumeTrue(python("-c", "import sys; sys.exit(sys.version_info < (3, 9))")
                    .startsWith("0"));
        } catch (IOException e) {
            Assumptions.abort("no Python");
        }
    }

    private static String row(String id, String kind, String verdict, boolean passed, String more) {
        return "{\"id\": \"" + id + "\", \"kind\": \"" + kind + "\", \"verdict\": \"" + verdict + "\", \"passed\": "
                + passed + ", \"detail\": \"byte 0 | <b>\", \"output\": \"at /home/me/tool.py\"" + more + "}";
    }

    private void report(String name, String tool, String... rows) throws IOException {
        Path folder = Files.createDirectories(dir.resolve("reports"));
        String text = "{\"tool\": \"" + tool + "\", \"rows\": [" + String.join(", ", rows) + "]}";
        Files.writeString(folder.resolve(name + ".json"), text);
    }

    private String page() throws Exception {
        Path page = dir.resolve("page.md");
        String said = python(
                KIT.resolve("matrix.py").toString(), "--home", dir.toString(), "--reuse", "--page", page.toString());
        assertEquals("0 ", said);
        return Files.readString(page);
    }

    private static void linksLead(String page, String link, String anchor) {
        Matcher links = Pattern.compile(link).matcher(page);
        int found = 0;
        while (links.find()) {
            assertTrue(page.contains(anchor.replace("X", links.group(1))), links.group());
            found++;
        }
        assertTrue(found > 0, page);
    }

    @Test
    void cells_countAndLeadToTheCases() throws Exception {
        String fill = "fill/hex_float16_0x7e55";
        String hole = "malformed/index/entry_only_nbytes_empty";
        report(
                "a.reading",
                "alpha 1.0",
                row(fill, "array", "different", false, ""),
                row("fill/f64_nan", "array", "equal", true, ""),
                row("fill/f64_inf", "array", "refused", false, ""),
                row(hole, "malformed", "crash", false, ""),
                row("group/hierarchy", "group", "skipped", false, ""));
        report(
                "b.reading",
                "beta 2",
                row(fill, "array", "equal", true, ""),
                row("fill/f64_nan", "array", "equal", true, ""),
                row(hole, "malformed", "refused", true, ""));
        report("a.writing", "alpha 1.0", row("write/" + fill, "write", "different", false, ""));
        report(
                "a.partial",
                "alpha 1.0",
                row(
                        "partial/row",
                        "array",
                        "equal",
                        true,
                        ", \"requests\": 6, \"least_requests\": 2, \"bytes\": 9000, \"least_bytes\": 4356, \"heads\": 1"));
        String page = page();
        assertTrue(
                page.contains("| fill | 1 of 3, [**1 wrong**](#alpha-10-fill), [1 refused]"
                        + "(conformance-cases.html#reading-alpha-10-fill) | 2 of 2 |"),
                page);
        assertTrue(
                page.contains("| malformed/index | 0 of 1, [**1 wrong**](#alpha-10-malformedindex) | 1 of 1 |"), page);
        assertTrue(page.contains("| write fill | 0 of 1, [**1 wrong**](#alpha-10-write-fill) |"), page);
        assertTrue(page.contains("| row | 2: 4,356 | 6: 9,000, 1 HEAD |"), page);
        assertTrue(
                page.contains("\"Empty inner chunks are denoted by setting both offset and nbytes to 2^64 - 1.\""),
                page);
        assertTrue(page.contains("`index/entry_only_nbytes_empty` (crash)"), page);
        assertTrue(page.contains("`" + fill + "` (byte 0 \\| \\<b\\>; read exactly by tensorstore"), page);
        assertFalse(page.contains("group"), page);
        assertTrue(page.contains("It is missing here."), "of zarr-java, which has no report");
        for (String heading :
                List.of("fill", "malformed/index", "write fill")) { // anchors as GitHub and MkDocs make them
            assertTrue(page.contains("\n### alpha 1.0: " + heading + "\n"), page);
        }
        String html = Files.readString(dir.resolve("conformance-cases.html"));
        linksLead(html, "href=\"#([^\"]+)\"", "<h2 id=\"X\">");
        Matcher cases = Pattern.compile("conformance-cases.html#([^)]+)\\)").matcher(page);
        while (cases.find()) {
            assertTrue(html.contains("<h2 id=\"" + cases.group(1) + "\">"), cases.group());
        }
        assertTrue(html.contains("byte 0 | &lt;b&gt;"), html);
        assertTrue(html.contains("at .../tool.py") && !html.contains("/home"), html);
    }

    @Test
    void withoutReports_itSaysSo() throws Exception {
        String said = python(KIT.resolve("matrix.py").toString(), "--home", dir.toString(), "--reuse");
        assertTrue(said.startsWith("2 ") && said.contains("has no reports: run without --reuse"), said);
    }

    @Test
    void sentences_areThereForEveryMalformedRow() throws Exception {
        String program = "import json, sys; sys.path.insert(0, sys.argv[1]); from sentences import sentence; "
                + "print([c['id'] for c in json.load(open(sys.argv[2]))['cases'] if not sentence(c['id'])])";
        Path malformed = KIT.resolve("../conformance-tests/fixtures/malformed.json");
        assertEquals("0 []\n", python("-c", program, KIT.toString(), malformed.toString()));
    }

    @Test
    void everyRowNamesAnIndependentReader() throws Exception {
        String program = "import sys, pathlib, json; sys.path.insert(0, sys.argv[1]); from matrix_pages import facts; "
                + "folder = pathlib.Path(sys.argv[2]); found = facts(folder); "
                + "print([c['id'] for n in ('manifest', 'malformed', 'writing') "
                + "for c in json.load(open(folder / (n + '.json')))['cases'] "
                + "if c['kind'] not in ('group', 'draft-transformer') and 'choice' not in c['tags'] "
                + "and found[c['id']][1] == 'no other'])";
        Path fixtures = KIT.resolve("../conformance-tests/fixtures");
        assertEquals("0 []\n", python("-c", program, KIT.toString(), fixtures.toString()));
    }
}
