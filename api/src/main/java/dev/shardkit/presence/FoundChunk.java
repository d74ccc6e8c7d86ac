package dev.shardkit.presence;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import org.jspecify.annotations.Nullable;

/**
 * A chunk that a walk has found to exist. It becomes the public {@code PresentChunk}, which documents the components.
 */
public record FoundChunk(
        long[] cell, Box box, String key, @Nullable Extent extent, long size) {}
