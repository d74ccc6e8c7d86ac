package dev.shardkit.conformance;

import java.time.Duration;

/**
 * What came of one row.
 *
 * @param row the row
 * @param verdict the verdict
 * @param detail why, for people; empty where there is nothing to say
 * @param output what the tool printed, cut to a moderate length
 * @param time how long the tool ran
 */
public record Outcome(Row row, Verdict verdict, String detail, String output, Duration time) {
    static Outcome skipped(Row row, String reason) {
        return new Outcome(row, Verdict.SKIPPED, reason, "", Duration.ZERO);
    }

    /** Whether it is what the row asks for: equal for a sound one, refused (or a free choice) for a malformed one. */
    public boolean passed() {
        return row.kind() == Row.Kind.MALFORMED
                ? verdict == Verdict.REFUSED || verdict == Verdict.ACCEPTED
                : verdict == Verdict.EQUAL;
    }
}
