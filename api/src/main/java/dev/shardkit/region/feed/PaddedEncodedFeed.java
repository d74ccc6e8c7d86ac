package dev.shardkit.region.feed;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Coverage;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.EncodedFeed;
import dev.shardkit.spi.plan.Bytes;
import java.util.Arrays;
import java.util.Optional;

/**
 * Extends an {@link EncodedFeed} to a whole chunk, as {@link PaddedFeed} does. Chunks that the array's edge cuts may be
 * in encoded form too.
 *
 * @param valid the part of the chunk that {@code feed} supplies, in the chunk's coordinates
 */
record PaddedEncodedFeed(EncodedFeed feed, Box valid, FillValue fill) implements EncodedFeed {
    private PaddedFeed padded() {
        return new PaddedFeed(feed, valid, fill);
    }

    @Override
    public void get(Box part, Elements destination, long offset, long[] strides) {
        padded().get(part, destination, offset, strides);
    }

    @Override
    public EncodedFeed window(Box box) {
        Box inside = box.intersect(valid);
        return inside.isEmpty()
                ? new PaddedEncodedFeed(feed, Box.of(new long[box.rank()]), fill)
                : new PaddedEncodedFeed(feed.window(inside.relativeTo(valid)), inside.relativeTo(box), fill);
    }

    @Override
    public Coverage coverage(Box part) {
        return padded().coverage(part);
    }

    @Override
    public Optional<Bytes> encoded(ChunkCodec codec) {
        // The encoded form of a cut chunk covers the beginning of the chunk.
        boolean isAtOrigin = Arrays.stream(valid.origin()).allMatch(first -> first == 0);
        return isAtOrigin && !valid.isEmpty() ? feed.encoded(codec) : Optional.empty();
    }
}
