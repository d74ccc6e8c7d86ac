package dev.shardkit.spi.codec;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Coverage;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import java.util.Optional;

/**
 * A feed that may have its elements in encoded form, so that no codec has to run. Its windows may, too. Copies of
 * chunks into shards use it.
 */
public interface EncodedFeed extends Feed {
    /**
     * Returns bytes that {@code codec} decodes to the elements of this feed; empty if there are none. If the feed is
     * smaller than the codec's chunk, because the array's edge cuts it, the feed covers the beginning of the chunk, and
     * the bytes decode to the fill value elsewhere. Several threads call this at once.
     */
    Optional<Bytes> encoded(ChunkCodec codec);

    @Override
    EncodedFeed window(Box box);

    /** Encodes a whole chunk ({@link ChunkCodec#encode}), or takes its encoded form from the feed. */
    static Optional<Bytes> encode(ChunkCodec codec, Feed chunk, ShardWritePolicy policy, Scratch scratch) {
        Optional<Bytes> ready = readyBytes(codec, chunk, policy);
        return ready.isPresent() ? ready : codec.encode(chunk, policy, scratch);
    }

    /**
     * Overwrites {@code part} ({@link ChunkCodec#update}), or takes the encoded form of a whole chunk from the feed.
     */
    static Plan<Edit> update(ChunkCodec codec, Source old, Box part, Feed values, ShardWritePolicy policy) {
        boolean mayBeReady = values instanceof EncodedFeed
                && part.equals(codec.type().box())
                && values.coverage(Box.of(part.shape())) != Coverage.FILL;
        if (!mayBeReady) {
            return codec.update(old, part, values, policy);
        }
        return Plan.defer(old.location(), scratch -> {
            Optional<Bytes> ready = readyBytes(codec, values, policy);
            return ready.isPresent() ? Plan.done(Edit.replace(ready.get())) : codec.update(old, part, values, policy);
        });
    }

    /** Returns the encoded form if it exists and fits into the room that a shard reserves. */
    private static Optional<Bytes> readyBytes(ChunkCodec codec, Feed chunk, ShardWritePolicy policy) {
        if (!(chunk instanceof EncodedFeed feed)) {
            return Optional.empty();
        }
        long maxSize = policy.allocation() == ShardWritePolicy.Allocation.WHOLE
                ? codec.reservedSize().orElse(Long.MAX_VALUE)
                : Long.MAX_VALUE;
        return feed.encoded(codec).filter(bytes -> bytes.size() <= maxSize);
    }
}
