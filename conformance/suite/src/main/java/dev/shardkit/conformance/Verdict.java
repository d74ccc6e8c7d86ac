package dev.shardkit.conformance;

import java.util.Locale;

/**
 * The judgement on a tool's answer to one row, after the comparison of values. {@code ToolResult} is the answer before
 * it, and {@link Outcome} adds the reason and the cost.
 */
public enum Verdict {
    /** Exactly the expected values. */
    EQUAL,
    /** Invalid values: different ones, none in spite of success, or any values of a malformed array. */
    DIFFERENT,
    /** Refused with an exit status or an answer. */
    REFUSED,
    /** A malformed array that was refused, with a fault of another kind than this row's. */
    MISNAMED,
    /** Values of a malformed array that a reader may accept. */
    ACCEPTED,
    /** A malformed array that took more memory than any refusal needs. */
    COSTLY,
    /** Killed by a signal; for a batch tool, also ended or answered something else. */
    CRASH,
    /** Killed by the runner at the time limit. */
    TIMEOUT,
    /** The row's files are missing or do not match their checksums: the tool was not run. */
    DAMAGED,
    /** Not run. */
    SKIPPED;

    /** Whether it fails a run, for every row. */
    public boolean isFailure() {
        return this == DIFFERENT || this == COSTLY || this == CRASH || this == TIMEOUT || this == DAMAGED;
    }

    /** Returns the word for reports. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
