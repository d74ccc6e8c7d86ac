package dev.shardkit.spi.codec;

import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Makes a foreign file, some of whose byte ranges are encoded inner chunks, a shard by appending to it. See
 * {@link Partitioned#adopting}. Codecs need not support it. Immutable and thread-safe.
 */
public interface Adopting {
    /**
     * Returns the bytes that make a foreign file a shard when they are appended to it: a mark that says so, and an
     * index.
     *
     * @param fileSize how many bytes the file has
     * @param extents where inner chunks lie in the file, by their linear index (C order); empty for missing ones
     */
    Bytes trailer(long fileSize, List<Optional<Extent>> extents);

    /**
     * Returns the size of the foreign file that the shard in {@code shard} was made of; empty if it was not adopted.
     */
    Plan<OptionalLong> fileSize(Source shard);
}
