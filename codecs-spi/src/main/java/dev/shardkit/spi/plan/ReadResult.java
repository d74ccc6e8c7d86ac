package dev.shardkit.spi.plan;

/** The result of a read from a source: the bytes, or the absence of the object. Immutable and thread-safe. */
public sealed interface ReadResult {
    /**
     * The requested bytes, borrowed until the decoder returns.
     *
     * @param bytes exactly the requested range; for a suffix longer than the object, the whole object
     * @param sourceSize the size in bytes of the source that was read (for a slice, the size of the slice)
     */
    record Found(Bytes bytes, long sourceSize) implements ReadResult {}

    /** The object definitely does not exist. Failures never cause this result. */
    record Absent() implements ReadResult {}
}
