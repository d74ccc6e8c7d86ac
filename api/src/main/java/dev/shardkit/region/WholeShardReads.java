package dev.shardkit.region;

import dev.shardkit.session.Session;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Decoder;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.RemoteReads;
import java.util.OptionalLong;

/**
 * Decides whether a read fetches whole shards instead of the needed parts of them. {@link #of(Session)} makes the
 * general choice. {@code RegionReads} changes {@link #IF_NEEDED_WHOLE} to {@link #STREAMED} if a call reads one region
 * of a remote store that can deliver a response piece by piece. {@link #open} then decides for each shard.
 */
public enum WholeShardReads {
    /** Reads only the needed parts. */
    NEVER,
    /** Reads a shard whole if the region needs all of it and its size is moderate. */
    IF_NEEDED_WHOLE,
    /** As {@link #IF_NEEDED_WHOLE}, but decodes the inner chunks of a large shard while its bytes arrive. */
    STREAMED,
    /** Reads every shard whole, and caches its bytes. */
    ALWAYS;

    /** The largest decoded size of a shard that is read whole. */
    private static final long MODERATE_BYTES = 32L << 20;
    /** The smallest decoded size of a shard that is streamed. A smaller shard arrives as soon as its index would. */
    private static final long LARGE_BYTES = 4L << 20;
    /**
     * The largest number of shards for which one region is streamed. With more, the engine decodes one shard while
     * others arrive anyway.
     */
    private static final long MAX_AT_ONCE = 2;
    /** Twice the size of an index entry (16 bytes) and of the header of a compressed inner chunk (at most 32 bytes). */
    private static final long BYTES_PER_CELL = 96;

    /** A constant part of {@link #maxBytes}, so that small shards with unused bytes are still read whole. */
    private static final long SLACK_BYTES = 1L << 20;
    /**
     * A server that ignores ranges sends the whole shard. It may send this many times {@link #maxBytes}, because shards
     * may hold unused bytes.
     */
    private static final int UNUSED_FACTOR = 4;

    /** Returns the choice that follows from the options and the store of a session; never {@link #STREAMED}. */
    public static WholeShardReads of(Session session) {
        return switch (session.options().reading().policy()) {
            case AUTO -> session.store().reads() instanceof RemoteReads ? IF_NEEDED_WHOLE : NEVER;
            case RANGES -> NEVER;
            case WHOLE_SHARD -> ALWAYS;
        };
    }

    /**
     * Returns the source that the codec reads in place of {@code stored}. If the shard is read whole, this is the shard
     * in memory, or the stored object if that is larger than {@link #maxBytes}. If it is streamed, this is the stored
     * object, marked so that it may arrive in one response while its inner chunks are decoded. Otherwise, this is the
     * stored object, whose needed parts the codec requests.
     *
     * @param needsAll whether the region needs all of the shard that is inside the array
     */
    Plan<Source> open(Source stored, ChunkCodec codec, boolean needsAll) {
        boolean isShard = codec.shardAccess().isPresent() && !stored.isAbsent();
        Source source = isShard ? stored.within(UNUSED_FACTOR * maxBytes(codec)) : stored;
        // The known size is checked too, because an adopted file may contain much other data.
        boolean isModerate = codec.type().decodedSize().orElse(Long.MAX_VALUE) <= MODERATE_BYTES
                && source.size().orElse(0) <= 2 * MODERATE_BYTES;
        boolean readsWhole = isShard && (this == IF_NEEDED_WHOLE || this == STREAMED) && needsAll && isModerate;
        // Only whole objects can be streamed. A source whose size is known without a read is a part of an object, or is
        // in memory already.
        if (readsWhole
                && this == STREAMED
                && source.size().isEmpty()
                && codec.type().decodedSize().orElse(0) >= LARGE_BYTES) {
            return Plan.done(source.expectingWholeRead(maxBytes(codec)));
        } else if (readsWhole) {
            return source.read(ByteRange.wholeUnlessLarger(maxBytes(codec)), whole(source));
        } else if (isShard && this == ALWAYS) {
            return source.read(
                    ByteRange.wholeUnlessLarger(maxBytes(codec)),
                    Decoder.kept("whole shard", s -> s.size().orElse(0), whole(source)));
        }
        return Plan.done(source);
    }

    /** Returns this choice for a region in {@code shards} shards: many shards are not streamed. */
    WholeShardReads of(long shards) {
        return this == STREAMED && shards > MAX_AT_ONCE ? IF_NEEDED_WHOLE : this;
    }

    /**
     * Returns the size above which a shard is read in parts: twice the size of its elements and its index. Appends or a
     * foreign header can make the object much larger than that.
     */
    private static long maxBytes(ChunkCodec codec) {
        long largest = Math.min(codec.maxEncodedSize(), Limits.LARGEST_CHUNK);
        double cells = 1;
        for (long length : codec.shardAccess().orElseThrow().gridShape()) {
            cells *= length;
        }
        OptionalLong decoded = codec.type().decodedSize();
        return decoded.isEmpty()
                ? largest
                : (long) Math.min(largest, 2.0 * decoded.getAsLong() + BYTES_PER_CELL * cells + SLACK_BYTES);
    }

    /** Returns a decoder whose result is the bytes in memory, or {@code source} if the read skipped a large object. */
    private static Decoder<Source> whole(Source source) {
        DataLocation location = source.location();
        return (result, scratch) -> {
            if (!(result instanceof ReadResult.Found f)) {
                return Source.absent(location);
            }
            return f.bytes().size() < f.sourceSize()
                    ? source
                    : Source.of(f.bytes().copy(), location);
        };
    }
}
