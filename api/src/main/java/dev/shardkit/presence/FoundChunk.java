package dev.shardkit.presence;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.Partitioned.Extent;
import java.util.Optional;

/** A chunk that exists. The public {@code PresentChunk} documents the components. */
public record FoundChunk(long[] cell, Box box, String key, Optional<Extent> extent, long size) {}
