package dev.shardkit.testkit.extension;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.codec.Codec;

/**
 * A case of a contract suite: a codec and a chunk type to which it can be bound. The suite makes the elements.
 *
 * @param <C> the kind of codec
 * @param codec the codec under test
 * @param type the type of the decoded chunks
 */
public record ChunkCase<C extends Codec>(C codec, ChunkType type) {
    @Override
    public String toString() {
        return codec.name() + codec.configuration() + " on " + type;
    }
}
