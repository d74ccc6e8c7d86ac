package dev.shardkit.spi.codec;

import dev.shardkit.spi.array.ChunkType;

/**
 * A codec that turns an array into another array, such as {@code transpose} or {@code scale_offset}. Immutable and
 * thread-safe.
 */
public non-sealed interface ArrayToArrayCodec extends Codec {
    /**
     * Binds the codec to the type of the decoded chunk.
     *
     * @throws dev.shardkit.spi.error.MetadataException if the configuration does not fit the type
     */
    BoundArrayToArrayCodec bind(ChunkType decoded);
}
