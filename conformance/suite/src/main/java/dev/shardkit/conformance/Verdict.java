package dev.shardkit.conformance;

import java.util.Locale;

/**
 * The judgement on a tool's answer to one row, after the comparison of values. {@code ToolResult} is the answer before
 * the comparison; {@link Outcome} adds the reason and the cost.
 */
public enum Verdict {
    /** Exactly the expected values. */
    EQUAL,
    /** Invalid values: different ones, none in spite of success, or any values of a malformed array. */
    DIFFERENT,
    /** Refused with an exit status or an answer. */
    REFUSED,
    /** A malformed array was refused, but the tool named another kind of fault than the expected one. */
    MISNAMED,
    /** Values of a malformed array that readers may accept. */
    ACCEPTED,
    /** A malformed array that took more memory than any refusal needs. */
    COSTLY,
    /** Killed by a signal. For a batch tool also: ended, or answered something invalid. */
    CRASH,
    /** Killed by the runner at the time limit. */
    TIMEOUT,
    /** The row's files are missing or do not match their checksums: the tool was not run. */
    DAMAGED,
    /** Not run. */
    SKIPPED;

    /** Returns whether this verdict fails the run, regardless of the kind of the row. */
    public boolean isFailure() {
        return this == DIFFERENT || this == COSTLY || this == CRASH || this == TIMEOUT || this == DAMAGED;
    }

    /** Returns the word for reports. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
