package dev.shardkit.conformance;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How a tool answered one row, before its values are looked at.
 *
 * @param end how it ended
 * @param detail why, for people
 * @param fault the kind of fault that the tool named
 * @param output what it printed, cut to a moderate length
 * @param time how long it took
 * @param memory by how many bytes the tool's memory grew at most; empty where the system does not tell
 */
record Answer(End end, String detail, Optional<String> fault, String output, Duration time, OptionalLong memory) {
    /** How it ended. */
    enum End {
        VALUES,
        REFUSED,
        CRASH,
        TIMEOUT,
        FLOOD,
        COSTLY,
        GIVEN_UP
    }
}
