package dev.shardkit.conformance;

import java.util.Locale;

/** What came of a row. */
public enum Verdict {
    /** Exactly the expected values. */
    EQUAL,
    /** Values that must not be: other ones, none in spite of success, or any of a malformed array. */
    DIFFERENT,
    /** Refused by an exit status. */
    REFUSED,
    /** Values of a malformed array that a reader is free to accept. */
    ACCEPTED,
    /** Killed by a signal. */
    CRASH,
    /** Killed by us, when its time was up. */
    TIMEOUT,
    /** Not run. */
    SKIPPED;

    /** Whether it fails a run, whatever the row. */
    public boolean isFailure() {
        return this == DIFFERENT || this == CRASH || this == TIMEOUT;
    }

    /** The word for reports. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
