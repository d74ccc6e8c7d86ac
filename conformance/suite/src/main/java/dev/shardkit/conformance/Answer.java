package dev.shardkit.conformance;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The answer of a tool to one row, before its values are compared.
 *
 * @param end how the tool ended
 * @param detail the reason, for people
 * @param fault the kind of fault that the tool named
 * @param output the tool's printed output, truncated
 * @param time the duration
 * @param memory the maximum growth of the tool's memory in bytes; empty if the system does not report it
 */
record Answer(End end, String detail, Optional<String> fault, String output, Duration time, OptionalLong memory) {
    /** How the tool ended. */
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
