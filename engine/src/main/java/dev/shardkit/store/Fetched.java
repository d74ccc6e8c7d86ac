package dev.shardkit.store;

import dev.shardkit.spi.plan.Bytes;
import java.util.Optional;

/** The answer of a far store. Immutable and thread-safe. */
public sealed interface Fetched {
    /**
     * Bytes.
     *
     * @param bytes exactly the range asked for (of a suffix longer than the object: all of it)
     * @param objectSize the size of the whole object
     * @param version what to pin later reads to; empty if the store cannot tell versions apart, then nothing is kept
     * @param came how many bytes came for it, unwanted ones and those of failed tries included
     * @param whole all of the object, if it had to come in place of the range and there was {@link Room} for it
     */
    record Found(Bytes bytes, long objectSize, Optional<String> version, long came, Optional<Bytes> whole)
            implements Fetched {
        /** Of which nothing but what was asked for came. */
        public Found(Bytes bytes, long objectSize, Optional<String> version) {
            this(bytes, objectSize, version, bytes.size(), Optional.empty());
        }
    }

    /** There definitely is no such object. */
    record Absent() implements Fetched {}
}
