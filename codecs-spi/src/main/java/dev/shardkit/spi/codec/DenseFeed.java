package dev.shardkit.spi.codec;

import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.plan.Bytes;
import java.nio.ByteOrder;
import java.util.Optional;

/** A feed of a whole chunk whose elements may be in memory one after the other, so that a codec need not copy them. */
public interface DenseFeed extends Feed {
    /**
     * Returns all elements in C order, with words in {@code order}; empty if they are not in memory in this form. Each
     * element lies in one piece. A codec may return these bytes as the encoded chunk, or as a part of it. So a caller
     * of {@link ChunkCodec#encode} must not change the elements while it uses the result. Several threads call this at
     * once.
     */
    Optional<Bytes> dense(ByteOrder order);
}
