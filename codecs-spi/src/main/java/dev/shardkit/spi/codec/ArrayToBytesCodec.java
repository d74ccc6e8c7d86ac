package dev.shardkit.spi.codec;

import dev.shardkit.spi.array.ChunkType;

/**
 * A codec that makes bytes of an array: {@code bytes}, {@code sharding_indexed}. A chain has exactly one. Immutable and
 * thread-safe.
 */
public non-sealed interface ArrayToBytesCodec extends Codec {
    /**
     * Binds to the type of the chunk.
     *
     * @throws dev.shardkit.spi.error.MetadataException if the configuration does not fit it
     */
    ChunkCodec bind(ChunkType type, Limits limits);
}
