package dev.shardkit.conformance;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import javax.xml.stream.XMLStreamException;

/**
 * Writes the result of a run in the XML format of JUnit, with a test case for each row ({@link ReportFormat#JUNIT}).
 * Stateless.
 */
final class JunitReport {
    private JunitReport() {}

    static void write(ConformanceResult result, Writer out) throws IOException {
        XmlOutput.write(out, xml -> {
            xml.declaration()
                    .line()
                    .begin("testsuites", "name", result.command())
                    .line();
            suite(xml, "sound arrays", outcomes(result, kind -> kind.isSound()));
            suite(xml, "malformed arrays", outcomes(result, kind -> !kind.isSound()));
            xml.end();
        });
    }

    /** Returns the outcomes of the rows of some kinds. */
    private static List<Outcome> outcomes(ConformanceResult result, Predicate<Row.Kind> kinds) {
        return result.outcomes().stream()
                .filter(o -> kinds.test(o.row().kind()))
                .toList();
    }

    /** Writes a test suite: the counts, then a test case for each outcome. */
    private static void suite(XmlOutput xml, String name, List<Outcome> outcomes) throws XMLStreamException {
        xml.begin(
                        "testsuite",
                        "name",
                        name,
                        "tests",
                        String.valueOf(outcomes.size()),
                        "failures",
                        countFailures(outcomes),
                        "errors",
                        "0",
                        "skipped",
                        countSkipped(outcomes),
                        "time",
                        seconds(outcomes.stream()
                                .mapToLong(o -> o.time().toMillis())
                                .sum()))
                .line();
        for (Outcome o : outcomes) {
            testCase(xml, o);
        }
        xml.end().line();
    }

    private static String countFailures(List<Outcome> outcomes) {
        return String.valueOf(
                outcomes.stream().filter(o -> o.verdict().isFailure()).count());
    }

    /** Counts the rows that neither failed nor passed. */
    private static String countSkipped(List<Outcome> outcomes) {
        return String.valueOf(outcomes.stream()
                .filter(o -> !o.passed() && !o.verdict().isFailure())
                .count());
    }

    /** Writes a row: a failure, a skipped test if the row neither failed nor passed, or a test that passed. */
    private static void testCase(XmlOutput xml, Outcome o) throws XMLStreamException {
        String id = o.row().id();
        int slash = id.lastIndexOf('/');
        xml.begin(
                "testcase",
                "classname",
                slash < 0 ? "fixtures" : id.substring(0, slash).replace('/', '.'),
                "name",
                id.substring(slash + 1),
                "time",
                seconds(o.time().toMillis()));
        String message = o.verdict().word() + (o.detail().isEmpty() ? "" : ": " + o.detail());
        if (o.verdict().isFailure()) {
            xml.element("failure", o.output(), "type", o.verdict().word(), "message", message);
        } else if (!o.passed()) {
            xml.begin("skipped", "message", message).end();
        }
        if (!o.verdict().isFailure() && !o.output().isEmpty()) {
            xml.element("system-out", o.output());
        }
        xml.end().line();
    }

    private static String seconds(long millis) {
        return String.format(Locale.ROOT, "%.3f", millis / 1000.0);
    }
}
