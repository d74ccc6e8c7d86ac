package dev.shardkit.spi.codec;

import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;

/**
 * Locates the chunks of an array: by keys, through storage transformers, or as byte ranges of foreign objects.
 * Immutable.
 */
@FunctionalInterface
public interface ChunkLocator {
    /** Returns the source of the encoded chunk at {@code cell}. */
    Plan<Source> locate(long[] cell);
}
