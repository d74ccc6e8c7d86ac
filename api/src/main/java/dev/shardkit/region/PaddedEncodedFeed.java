package dev.shardkit.region;

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
 */
record PaddedEncodedFeed(EncodedFeed feed, Box valid, FillValue fill) implements EncodedFeed {
    private PaddedFeed plain() {
        return new PaddedFeed(feed, valid, fill);
    }

    @Override
    public void get(Box part, Elements to, long offset, long[] strides) {
        plain().get(part, to, offset, strides);
    }

    @Override
    public EncodedFeed window(Box at) {
        Box inside = at.intersect(valid);
        return inside.isEmpty()
                ? new PaddedEncodedFeed(feed, Box.of(new long[at.rank()]), fill)
                : new PaddedEncodedFeed(feed.window(inside.relativeTo(valid)), inside.relativeTo(at), fill);
    }

    @Override
    public Coverage coverage(Box part) {
        return plain().coverage(part);
    }

    @Override
    public Optional<Bytes> encoded(ChunkCodec codec) {
        boolean begins = Arrays.stream(valid.origin()).allMatch(first -> first == 0);
        return begins && !valid.isEmpty() ? feed.encoded(codec) : Optional.empty();
    }
}
