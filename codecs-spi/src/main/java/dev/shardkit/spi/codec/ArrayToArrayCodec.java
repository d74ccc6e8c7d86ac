package dev.shardkit.spi.codec;

import dev.shardkit.spi.array.ChunkType;

/** A codec that makes another array of an array: {@code transpose}, {@code scale_offset}. Immutable and thread-safe. */
public non-sealed interface ArrayToArrayCodec extends Codec {
    /**
     * Binds to the type of the decoded chunk.
     *
     * @throws dev.shardkit.spi.error.MetadataException if the configuration does not fit it
     */
    Stage bind(ChunkType decoded);
}
