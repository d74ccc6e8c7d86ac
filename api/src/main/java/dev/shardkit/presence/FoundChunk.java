package dev.shardkit.presence;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.Partitioned.Extent;
import java.util.Optional;

/** A chunk that exists; {@code PresentChunk}, which users see, says what its parts are. */
public record FoundChunk(long[] cell, Box box, String key, Optional<Extent> extent, long size) {}
