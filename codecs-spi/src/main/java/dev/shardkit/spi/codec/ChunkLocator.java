package dev.shardkit.spi.codec;

import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;

/** Where the chunks of an array are: by keys, through transformers, or as byte ranges of foreign objects. Immutable. */
@FunctionalInterface
public interface ChunkLocator {
    /** The encoded chunk at {@code cell}. */
    Plan<Source> locate(long[] cell);
}
