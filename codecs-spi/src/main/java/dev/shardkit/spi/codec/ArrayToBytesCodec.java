package dev.shardkit.spi.codec;

import dev.shardkit.spi.array.ChunkType;
import java.util.Optional;

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

    /**
     * Returns this codec without the options that make no difference for chunks of {@code type}, such as the byte order
     * of one-byte elements. It encodes the same bytes. Copies compare codecs in this form to find out whether chunks
     * can move without decoding. Most codecs return themselves.
     */
    default ArrayToBytesCodec forType(ChunkType type) {
        return this;
    }

    /**
     * Returns how this codec divides chunks into inner chunks; empty if it does not, or if a {@link ShardingLayout}
     * does not describe it. If present, the bound codec gives access to these inner chunks
     * ({@link ChunkCodec#shardAccess}), and each is encoded by {@link ShardingLayout#codecs} alone. Maintenance then
     * moves encoded inner chunks between arrays.
     */
    default Optional<ShardingLayout> sharding() {
        return Optional.empty();
    }

    /** Returns how this codec encloses the bytes of another chain; empty if it does not. */
    default Optional<ChainWrapper> enclosing() {
        return Optional.empty();
    }
}
