package dev.shardkit.conformance;

import java.util.Locale;

/** The tasks in which tools are tested. */
public enum Task {
    /** Read arrays, valid and malformed ones, from folders. */
    READING,
    /** Write arrays and change regions of arrays; needs tools that read the result, and Python. */
    WRITING,
    /** Read boxes over HTTP, while the server counts requests or fails; needs Python. */
    PARTIAL;

    /** Returns the word for command lines. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
