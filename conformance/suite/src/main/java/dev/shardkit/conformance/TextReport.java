package dev.shardkit.conformance;

import java.io.IOException;
import java.io.Writer;
import java.util.Map;

/** Writes the result of a run as text for a terminal ({@link ReportFormat#TEXT}). Stateless. */
final class TextReport {
    /** The maximum length of a reason; longer ones are truncated. */
    private static final int LINE = 200;

    private TextReport() {}

    static void write(ConformanceResult result, Writer out) throws IOException {
        for (Outcome o : result.outcomes()) {
            if (!o.passed()) {
                out.write(String.format(
                        "%-9s  %s%s%n", o.verdict().word(), o.row().id(), reason(o)));
            }
        }
        out.write(System.lineSeparator());
        head(out);
        line(out, "sound arrays", result.sound());
        line(out, "malformed arrays", result.malformed());
        out.write(System.lineSeparator());
        for (Map.Entry<String, Map<Verdict, Integer>> tag : result.byTag().entrySet()) {
            line(out, "  " + tag.getKey(), tag.getValue());
        }
        out.write(System.lineSeparator());
        out.write(verdict(result) + System.lineSeparator());
        out.flush();
    }

    /** Returns a summary in one line. */
    static String verdict(ConformanceResult result) {
        Map<Verdict, Integer> sound = result.sound();
        Map<Verdict, Integer> malformed = result.malformed();
        String facts = String.format(
                "%d of %d sound arrays equal, %d of %d malformed ones refused%s%s%s, %d skipped, %d failures",
                sound.get(Verdict.EQUAL),
                total(sound),
                malformed.get(Verdict.REFUSED),
                total(malformed),
                malformed.get(Verdict.MISNAMED) == 0
                        ? ""
                        : ", " + malformed.get(Verdict.MISNAMED) + " for another reason",
                malformed.get(Verdict.ACCEPTED) == 0
                        ? ""
                        : " and " + malformed.get(Verdict.ACCEPTED) + " accepted by choice",
                malformed.get(Verdict.EQUAL) == 0
                        ? ""
                        : " and " + malformed.get(Verdict.EQUAL) + " read rightly in spite of a fault",
                sound.get(Verdict.SKIPPED) + malformed.get(Verdict.SKIPPED),
                result.failures());
        return result.isGood() || result.failures() > 0 ? facts : facts + "; no sound array was read";
    }

    /** Returns the number of rows that the tool was asked: all but those that were skipped or damaged. */
    private static int total(Map<Verdict, Integer> counts) {
        return counts.values().stream().mapToInt(n -> n).sum()
                - counts.get(Verdict.SKIPPED)
                - counts.get(Verdict.DAMAGED);
    }

    /** Returns the detail of an outcome and, in most cases, the last line that the tool printed. */
    private static String reason(Outcome o) {
        String lastLine = o.output()
                .lines()
                .filter(l -> !l.isBlank())
                .reduce((first, last) -> last)
                .orElse("");
        String text = o.verdict() == Verdict.DIFFERENT || o.verdict() == Verdict.SKIPPED || lastLine.isEmpty()
                ? o.detail()
                : o.detail() + ": " + lastLine.strip();
        return "  " + (text.length() > LINE ? text.substring(0, LINE) + "..." : text);
    }

    /** Writes the line above the counts: the names of the verdicts. */
    private static void head(Writer out) throws IOException {
        out.write(String.format("%-20s", ""));
        for (Verdict v : Verdict.values()) {
            out.write(String.format("%10s", v.word()));
        }
        out.write(System.lineSeparator());
    }

    private static void line(Writer out, String name, Map<Verdict, Integer> counts) throws IOException {
        out.write(String.format("%-20s", name));
        for (Verdict v : Verdict.values()) {
            out.write(String.format("%10s", counts.get(v) == 0 ? "." : counts.get(v)));
        }
        out.write(System.lineSeparator());
    }
}
