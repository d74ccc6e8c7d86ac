package dev.shardkit.store;

import dev.shardkit.spi.plan.Bytes;
import java.util.Optional;

/**
 * The result of a read from a remote store: the bytes and the version of the object, or its absence. Immutable and
 * thread-safe.
 */
public sealed interface FetchResult {
    /**
     * The object exists.
     *
     * @param bytes exactly the requested range; if the suffix is longer than the object, the whole object
     * @param objectSize the size of the whole object
     * @param version the version that later reads can pin; empty if the store has no versions, so that nothing is
     *     cached
     * @param received the number of bytes received, including unwanted ones and those of failed attempts
     * @param whole the whole object, if the server sent it instead of the range and there was a {@link WholeBodyBudget}
     *     for it
     */
    record Found(Bytes bytes, long objectSize, Optional<String> version, long received, Optional<Bytes> whole)
            implements FetchResult {
        /** An answer with the requested bytes only. */
        public Found(Bytes bytes, long objectSize, Optional<String> version) {
            this(bytes, objectSize, version, bytes.size(), Optional.empty());
        }
    }

    /** The object definitely does not exist. */
    record Absent() implements FetchResult {}
}
