package dev.shardkit.store.policy;

/** How a read treats chunks, shards and inner chunks that are not stored. */
public enum MissingChunks {
    /** Their elements read as the fill value, as the Zarr specification says. The default. */
    FILL,
    /**
     * The read fails with {@link dev.shardkit.spi.error.MissingChunkException}. For arrays that must be complete, such
     * as a copy. Chunks that hold only the fill value are missing too if their writer left them out, as writers usually
     * do.
     */
    ERROR
}
