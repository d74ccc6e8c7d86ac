package dev.shardkit;

import dev.shardkit.spi.array.Box;

/**
 * An inner chunk (without sharding: a chunk) with its decoded elements. Immutable but for the elements.
 *
 * @param box where it lies in the array, cut to the region that was asked for
 * @param values its elements, of the box's shape
 */
public record InnerChunk(Box box, NdArray values) {}
