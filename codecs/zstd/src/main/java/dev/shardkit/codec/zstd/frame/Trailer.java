package dev.shardkit.codec.zstd.frame;

/** What follows the blocks of a frame: a checksum or nothing (RFC 8878, section 3.1.1). */
public enum Trailer {
    /** The lower half of the content's {@link XxHash64}. */
    CHECKSUM,
    /** Nothing. */
    NOTHING
}
