package dev.shardkit.conformance;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The answer of a tool to one row, before its values are compared with the expected ones.
 *
 * @param end how the tool ended
 * @param detail the reason, for people
 * @param fault the kind of fault that the tool named
 * @param output the tool's printed output, truncated
 * @param time the duration
 * @param memory the maximum growth of the tool's memory in bytes; empty if the system does not report it
 */
record ToolResult(End end, String detail, Optional<String> fault, String output, Duration time, OptionalLong memory) {
    /** How the tool ended. */
    enum End {
        /** It wrote values. */
        VALUES,
        /** It reported an error, as for an array that it does not support. */
        REFUSED,
        /** It was killed by a signal, or stopped without a result. */
        CRASH,
        /** It exceeded the time limit. */
        TIMEOUT,
        /** It wrote more values than the array has. */
        FLOOD,
        /** It exceeded the memory limit. */
        COSTLY,
        /** It was not asked, because it had not answered several rows before. */
        GIVEN_UP
    }
}
