package dev.shardkit.conformance;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * The outcome of one row: the verdict on the tool's answer, with the reason and the cost.
 *
 * @param row the row
 * @param verdict the verdict
 * @param detail the reason, for people; may be empty
 * @param output the tool's printed output, truncated
 * @param time the duration of the tool's work
 * @param memory the maximum growth of the tool's memory in bytes: of a batch tool during this row, otherwise as sampled
 *     during its run; empty if the system does not report it (Linux does)
 */
public record Outcome(Row row, Verdict verdict, String detail, String output, Duration time, OptionalLong memory) {
    /** Returns the outcome of a row that the tool was not asked. */
    static Outcome unasked(Row row, Verdict verdict, String reason) {
        return new Outcome(row, verdict, reason, "", Duration.ZERO, OptionalLong.empty());
    }

    /**
     * Returns whether the row passed. A valid array needs equal values. A malformed array needs a refusal, or values if
     * the specification lets readers accept it. A fault over HTTP needs equal values or a refusal.
     */
    public boolean passed() {
        boolean refused = verdict == Verdict.REFUSED || verdict == Verdict.ACCEPTED;
        return switch (row.kind()) {
            case MALFORMED -> refused;
            case FAULT -> refused || verdict == Verdict.EQUAL;
            default -> verdict == Verdict.EQUAL;
        };
    }
}
