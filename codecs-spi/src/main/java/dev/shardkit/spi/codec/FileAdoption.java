package dev.shardkit.spi.codec;

import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Turns a foreign file into a shard by appending an index to it, if byte ranges of the file are encoded inner chunks.
 * See {@link ShardAccess#adoption}; codecs need not support it. Immutable and thread-safe.
 */
public interface FileAdoption {
    /**
     * Returns the bytes to append to a foreign file: a mark that identifies an adopted file, and an index.
     *
     * @param fileSize the size of the file in bytes
     * @param extents the byte range of each inner chunk in the file, by linear index (C order); empty for missing inner
     *     chunks
     */
    Bytes trailer(long fileSize, List<Optional<Extent>> extents);

    /** Returns the original size of the foreign file in {@code shard}; empty if the shard was not adopted. */
    Plan<OptionalLong> fileSize(Source shard);
}
