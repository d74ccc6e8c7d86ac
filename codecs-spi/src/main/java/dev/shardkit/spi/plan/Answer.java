package dev.shardkit.spi.plan;

/** The answer of a source to a read. Immutable and thread-safe. */
public sealed interface Answer {
    /**
     * The requested bytes, borrowed until the decoder returns.
     *
     * @param bytes exactly the requested range; for a suffix longer than the object, the whole object
     * @param sourceSize the size in bytes of the source that was read (for a slice, the size of the slice)
     */
    record Found(Bytes bytes, long sourceSize) implements Answer {}

    /** The object definitely does not exist. Failures never cause this answer. */
    record Absent() implements Answer {}
}
