package dev.shardkit.slices;

import dev.shardkit.spi.codec.ShardWritePolicy;

/** How consecutive slices are written to shards (ZEP 2, "Storing a stream of data slices"). */
public enum SliceStrategy {
    /**
     * Chooses {@link #PIPELINED} if it applies and the budget is at least 4 MiB. Otherwise chooses {@link #BUFFERED} if
     * the slices of a whole shard fit into the budget (for example, if shards are one slice deep), if the store cannot
     * change objects in place, or if there are no inner chunks. Otherwise chooses {@link #IN_PLACE} if inner chunks
     * have a fixed size, and {@link #APPEND} if not.
     */
    AUTO,
    /**
     * Encodes and writes inner chunks in the background while the caller goes on. A layer of inner chunks is encoded as
     * soon as its last slice has arrived. In local files, encoded inner chunks are written at once to the temporary
     * file that becomes the shard; in other stores they wait in memory, and each shard is written once, while the
     * slices of the next one are encoded. A slice waits only if the budget is used up. Applies to arrays of numbers in
     * a regular grid of shards without other codecs around them. The budget must have room for a layer of inner chunks
     * and two slices, in other stores also for a shard. Where this strategy does not apply, the stream uses the one
     * that {@link #AUTO} chooses instead.
     */
    PIPELINED,
    /**
     * Writes as many slices at once as the budget allows: at most those of a shard, otherwise those of whole inner
     * chunks. The write policy says how. If the slices of a shard fit into the budget, each shard is written once.
     */
    BUFFERED,
    /**
     * Reserves room for all inner chunks when a shard is first written. Then writes the slices of an inner chunk, or as
     * many as the budget allows, in place; the index stays unchanged. Applies to inner chunks of a fixed size (no
     * compression). Others fall back as with {@link ShardWritePolicy.Strategy#IN_PLACE}.
     */
    IN_PLACE,
    /**
     * Appends the slices of an inner chunk, or as many as the budget allows, to the shard, followed by a new index. The
     * bytes of old indexes, and of inner chunks that are written in several steps, are unused until the shard is
     * compacted. The write policy says when.
     */
    APPEND
}
