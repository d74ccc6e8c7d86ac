package dev.shardkit.presence;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import org.jspecify.annotations.Nullable;

/**
 * A chunk that exists, as a walk over shard indexes has found. The API turns it into the public {@code PresentChunk},
 * which documents the components.
 */
public record FoundChunk(
        long[] cell, Box box, String key, @Nullable Extent extent, long size) {}
