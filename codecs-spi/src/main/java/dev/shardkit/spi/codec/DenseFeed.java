package dev.shardkit.spi.codec;

import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.plan.Bytes;
import java.nio.ByteOrder;
import java.util.Optional;

/** A feed of a whole chunk whose elements may be in memory one after the other, so that a codec need not copy them. */
public interface DenseFeed extends Feed {
    /**
     * Returns all elements in C order, their words in {@code order}; empty if they are not in memory so. No element
     * lies in two pieces. Codecs may return these bytes, or bytes that contain them, as the encoded chunk: whoever
     * passes such a feed to {@link ChunkCodec#encode} keeps the elements unchanged as long as it uses the result.
     * Several threads call this at once.
     */
    Optional<Bytes> dense(ByteOrder order);
}
