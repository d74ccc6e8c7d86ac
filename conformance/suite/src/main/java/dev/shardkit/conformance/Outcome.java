package dev.shardkit.conformance;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * What came of one row.
 *
 * @param row the row
 * @param verdict the verdict
 * @param detail why, for people; empty where there is nothing to say
 * @param output what the tool printed, cut to a moderate length
 * @param time how long the tool ran
 * @param memory by how many bytes the tool's memory grew at most: of a batch tool during this row, otherwise as sampled
 *     while it ran; empty where the system does not tell (it does on Linux)
 */
public record Outcome(Row row, Verdict verdict, String detail, String output, Duration time, OptionalLong memory) {
    static Outcome unasked(Row row, Verdict verdict, String reason) {
        return new Outcome(row, verdict, reason, "", Duration.ZERO, OptionalLong.empty());
    }

    /** Whether it is what the row asks for: equal for a sound one, refused (or a free choice) for a malformed one. */
    public boolean passed() {
        return row.kind() == Row.Kind.MALFORMED
                ? verdict == Verdict.REFUSED || verdict == Verdict.ACCEPTED
                : verdict == Verdict.EQUAL;
    }
}
