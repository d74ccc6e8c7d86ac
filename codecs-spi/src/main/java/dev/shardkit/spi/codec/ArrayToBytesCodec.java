package dev.shardkit.spi.codec;

import dev.shardkit.spi.array.ChunkType;

/**
 * A codec that turns an array into bytes, such as {@code bytes} or {@code sharding_indexed}. A chain has exactly one.
 * Immutable and thread-safe.
 */
public non-sealed interface ArrayToBytesCodec extends Codec {
    /**
     * Binds the codec to the type of the chunk.
     *
     * @throws dev.shardkit.spi.error.MetadataException if the configuration does not fit the type
     */
    ChunkCodec bind(ChunkType type, Limits limits);
}
