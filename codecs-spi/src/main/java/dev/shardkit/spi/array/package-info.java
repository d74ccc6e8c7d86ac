/**
 * Boxes, the interface of data types, and elements: the model of arrays that codecs and the engine share. The data
 * types themselves are in {@link dev.shardkit.spi.type}, the regular grid in {@link dev.shardkit.spi.grid}.
 *
 * <p>Encoders read elements from a {@link dev.shardkit.spi.array.Feed}, and decoders write them to a
 * {@link dev.shardkit.spi.array.Target}. A {@link dev.shardkit.spi.array.ChunkGrid} divides an array into chunks.
 */
@NullMarked
package dev.shardkit.spi.array;

import org.jspecify.annotations.NullMarked;
