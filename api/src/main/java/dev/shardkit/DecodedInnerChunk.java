package dev.shardkit;

import dev.shardkit.spi.array.Box;

/**
 * An inner chunk (without sharding: a chunk) with its decoded elements. Immutable except for the elements.
 *
 * @param box its box in the array, clipped to the region that was read
 * @param values its elements, in the shape of the box
 */
public record DecodedInnerChunk(Box box, NdArray values) {}
