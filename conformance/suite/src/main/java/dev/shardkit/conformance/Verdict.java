package dev.shardkit.conformance;

import java.util.Locale;

/** What came of a row. */
public enum Verdict {
    /** Exactly the expected values. */
    EQUAL,
    /** Values that must not be: other ones, none in spite of success, or any of a malformed array. */
    DIFFERENT,
    /** Refused by an exit status, or by an answer. */
    REFUSED,
    /** A malformed array, refused, but the tool named a kind of fault that is not this row's. */
    MISNAMED,
    /** Values of a malformed array that a reader is free to accept. */
    ACCEPTED,
    /** A malformed array that took more memory than any refusal needs. */
    COSTLY,
    /** Killed by a signal, or, for a batch tool, ended or answered something else. */
    CRASH,
    /** Killed by us, when its time was up. */
    TIMEOUT,
    /** The row's files are missing, or not what their checksums say: nothing was asked. */
    DAMAGED,
    /** Not run. */
    SKIPPED;

    /** Whether it fails a run, whatever the row. */
    public boolean isFailure() {
        return this == DIFFERENT || this == COSTLY || this == CRASH || this == TIMEOUT || this == DAMAGED;
    }

    /** The word for reports. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
