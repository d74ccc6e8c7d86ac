package dev.shardkit.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * {@code conformance/run.py} gives the verdicts that this runner gives, on every row, to a tool that errs in many ways.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the tool is started by a POSIX shell")
@Tag("one-jdk")
class TwoRunnersTest {
    private static final Path FIXTURES =
            Path.of("../../conformance-tests/fixtures").toAbsolutePath().normalize();

    @TempDir
    private Path dir;

    private String tool() throws IOException {
        Path file = dir.resolve("broken_tool.py");
        try (InputStream in = TwoRunnersTest.class.getResourceAsStream("broken_tool.py")) {
            Files.write(file, in.readAllBytes());
        }
        return "python3 '" + file + "' '" + FIXTURES + "'";
    }

    @Test
    @Tag("long")
    void verdicts_areTheSameOnEveryRow() throws Exception {
        PythonRunner.need();
        ConformanceResult result = ConformanceRun.of(CommandTemplate.parseBatch(tool()))
                .withJobs(2)
                .run(Manifest.read(FIXTURES), o -> {});
        PythonRunner.findsTheSame(dir, result, "--batch", tool(), "--jobs", "2");
        Set<String> given =
                result.outcomes().stream().map(o -> o.verdict().word()).collect(Collectors.toSet());
        assertTrue(
                given.containsAll(Set.of("equal", "different", "refused", "misnamed", "accepted", "crash", "skipped")),
                given.toString());
        everyKindOfRowCatchesIt(result);
    }

    /** Every folder of rows with at least twenty of them has caught the tool in at least one. */
    private static void everyKindOfRowCatchesIt(ConformanceResult result) {
        Map<String, List<Outcome>> groups = result.outcomes().stream()
                .filter(o -> o.verdict() != Verdict.SKIPPED)
                .collect(Collectors.groupingBy(o -> o.row().id().replaceAll("/[^/]*$", "")));
        groups.values().removeIf(group -> group.size() < 20);
        assertTrue(groups.size() >= 8, groups.keySet().toString());
        groups.forEach((name, group) ->
                assertTrue(group.stream().anyMatch(o -> o.verdict().isFailure()), name));
    }

    @Test
    void afterTwentyRowsWithoutAnAnswer_bothGiveUp() throws Exception {
        Path file = dir.resolve("ends.sh"); // a shell starts sooner than Python, and both runners start it often
        Files.writeString(file, "echo '{\"protocol\": 1}'\nread line\n");
        String tool = "sh '" + file + "'";
        ConformanceResult result = ConformanceRun.of(CommandTemplate.parseBatch(tool))
                .withTags(Set.of("missing"))
                .run(Manifest.read(FIXTURES), o -> {});
        assertEquals(20, result.sound().get(Verdict.CRASH));
        assertTrue(result.sound().get(Verdict.SKIPPED) > 0);
        if (PythonRunner.isComparedToo()) {
            PythonRunner.findsTheSame(dir, result, "--batch", tool, "--jobs", "1", "--tags", "missing");
        }
    }

    @Test
    void junitReports_haveTheSameTests() throws Exception {
        PythonRunner.need();
        Path theirs = dir.resolve("theirs.xml");
        String[] options = {"--tags", "vlen", "--report", "junit", "-o", theirs.toString()};
        List<String> arguments =
                new ArrayList<>(List.of("--fixtures", FIXTURES.toString(), "--batch", tool(), "--jobs", "1"));
        arguments.addAll(List.of(options));
        PythonRunner.run(dir, arguments.toArray(String[]::new));
        Path ours = dir.resolve("ours.xml");
        ConformanceResult result = ConformanceRun.of(CommandTemplate.parseBatch(tool()))
                .withTags(Set.of("vlen"))
                .run(Manifest.read(FIXTURES), o -> {});
        try (Writer out = Files.newBufferedWriter(ours)) {
            ReportFormat.JUNIT.write(result, out);
        }
        assertEquals(tests(ours), tests(theirs));
        assertTrue(tests(ours).toString().contains("failure"), tests(ours).toString());
    }

    /** What a JUnit report says of each test. */
    private static Map<String, String> tests(Path report) throws Exception {
        Map<String, String> found = new TreeMap<>();
        NodeList cases = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(report.toFile())
                .getElementsByTagName("testcase");
        for (int i = 0; i < cases.getLength(); i++) {
            Element test = (Element) cases.item(i);
            boolean failed = test.getElementsByTagName("failure").getLength() > 0;
            boolean skipped = test.getElementsByTagName("skipped").getLength() > 0;
            String name = test.getAttribute("classname") + "/" + test.getAttribute("name");
            Node suite = test.getParentNode();
            found.put(
                    suite.getAttributes().getNamedItem("name").getNodeValue() + " " + name,
                    failed ? "failure" : skipped ? "skipped" : "passed");
        }
        return found;
    }

    @Test
    void trouble_isOneLine() throws Exception {
        PythonRunner.need();
        Files.writeString(dir.resolve("manifest.json"), "{");
        String bad = PythonRunner.run(dir, "--fixtures", dir.toString(), "--batch", "true");
        assertTrue(
                bad.startsWith("2 run.py: ")
                        && bad.contains("is not a manifest")
                        && bad.lines().count() == 1,
                bad);
        String fixtures = FIXTURES.toString();
        String tags = PythonRunner.run(dir, "--fixtures", fixtures, "--batch", "true", "--tags", "nothing");
        assertTrue(tags.startsWith("2 run.py: none of ") && tags.contains("there are choice, chunk, codec"), tags);
        String none = PythonRunner.run(dir, "--fixtures", fixtures, "--batch", "/no/such/tool");
        assertTrue(
                none.startsWith("2 run.py: the tool cannot be started")
                        && none.lines().count() == 1,
                none);
        String hello = PythonRunner.run(dir, "--fixtures", fixtures, "--batch", "true");
        assertTrue(
                hello.startsWith("2 run.py: the tool sent no hello line")
                        && hello.lines().count() == 1,
                hello);
    }
}
