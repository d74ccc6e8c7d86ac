package dev.shardkit.store.http;

import dev.shardkit.spi.plan.Bytes;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** What came of one request that was answered. */
sealed interface Outcome {
    /** The bytes asked for, and all of the object if it came and there was room for it. */
    record Found(Bytes bytes, long total, Optional<String> version, Optional<Bytes> whole) implements Outcome {
        Found(Bytes bytes, long total, Optional<String> version) {
            this(bytes, total, version, Optional.empty());
        }
    }

    /** The object's size; empty if only its end will tell. */
    record Size(OptionalLong total, Optional<String> version) implements Outcome {}

    /** HTTP 416 to the first byte, and no word of the size: there is no byte, or the server refuses every range. */
    record NoFirstByte() implements Outcome {}

    /** No such object. */
    record Absent() implements Outcome {}

    /** The server does not send the last bytes by themselves; perhaps it said how many there are. */
    record NoSuffix(OptionalLong total, Optional<String> version) implements Outcome {}

    /** A failure that another try does not mend. */
    record Failed(RuntimeException failure) implements Outcome {}

    /** A failure that another try may mend. */
    record Again(String reason, Optional<Duration> after) implements Outcome {}
}
