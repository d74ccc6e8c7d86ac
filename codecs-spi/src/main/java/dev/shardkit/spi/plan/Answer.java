package dev.shardkit.spi.plan;

/** What a source says to a read. Immutable and thread-safe. */
public sealed interface Answer {
    /**
     * The bytes asked for, borrowed until the decoder returns.
     *
     * @param bytes exactly the range asked for; of a suffix longer than the object, the whole object
     * @param sourceSize the size of the source that was read (of a slice: the slice's), in bytes
     */
    record Found(Bytes bytes, long sourceSize) implements Answer {}

    /** There definitely is no such object. Never the answer to a failure. */
    record Absent() implements Answer {}
}
