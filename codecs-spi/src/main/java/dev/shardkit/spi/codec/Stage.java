package dev.shardkit.spi.codec;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Target;
import java.util.Optional;

/** An array-to-array codec, bound. Immutable. */
public interface Stage {
    /** The type of the chunk behind this stage. */
    ChunkType encoded();

    /** Encodes a whole chunk; the result has the type {@link #encoded()}. */
    DenseChunk encode(DenseChunk decoded);

    /** Decodes a whole chunk. */
    DenseChunk decode(DenseChunk encoded);

    /** How boxes map one to one, if they do; then parts of a chunk pass without the whole. */
    default Optional<View> view() {
        return Optional.empty();
    }

    /** A stage that maps each box to a box and each element to an element. */
    interface View {
        /** Where a part of the decoded chunk lies in the encoded one. */
        Box encode(Box decodedPart);

        /** Where a part of the encoded chunk lies in the decoded one; undoes {@link #encode(Box)}. */
        Box decode(Box encodedPart);

        /** The decoded target as one that takes encoded elements, in encoded coordinates. */
        Target encode(Target decoded);

        /** The decoded feed as one that gives encoded elements, in encoded coordinates. */
        Feed encode(Feed decoded);
    }
}
