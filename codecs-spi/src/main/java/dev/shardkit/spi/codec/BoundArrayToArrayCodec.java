package dev.shardkit.spi.codec;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Target;
import java.util.Optional;

/** An array-to-array codec that is bound to the type of the decoded chunk. Immutable. */
public interface BoundArrayToArrayCodec {
    /** Returns the type of the encoded chunk. */
    ChunkType encoded();

    /** Encodes a whole chunk; the result has the type {@link #encoded()}. */
    DenseChunk encode(DenseChunk decoded);

    /** Decodes a whole chunk. */
    DenseChunk decode(DenseChunk encoded);

    /**
     * Returns a one-to-one mapping of boxes, if the codec has one. Parts of a chunk can then be processed without the
     * whole chunk.
     */
    default Optional<View> view() {
        return Optional.empty();
    }

    /** A mapping of each box to a box and of each element to an element. */
    interface View {
        /** Maps a box of the decoded chunk to a box of the encoded chunk. */
        Box encode(Box decodedPart);

        /** Maps a box of the encoded chunk to a box of the decoded chunk; the inverse of {@link #encode(Box)}. */
        Box decode(Box encodedPart);

        /** Wraps the decoded target as a target that receives encoded elements, in encoded coordinates. */
        Target encode(Target decoded);

        /** Wraps the decoded feed as a feed that supplies encoded elements, in encoded coordinates. */
        Feed encode(Feed decoded);
    }
}
