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

/** Decides whether a read fetches whole shards instead of the needed parts of them. */
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

    /**
     * Bytes that a shard of any size may have beyond {@link #maxBytes}' estimate, so that small ones are read whole.
     */
    private static final long SLACK_BYTES = 1L << 20;
    /** A server that ignores ranges may send this many times the usual size, because shards may hold unused bytes. */
    private static final int UNUSED_FACTOR = 4;

    /** Returns the choice that a session's options and store make for reads of several shards. */
    public static WholeShardReads of(Session session) {
        return switch (session.options().reading().policy()) {
            case AUTO -> session.store().reads() instanceof RemoteReads ? IF_NEEDED_WHOLE : NEVER;
            case RANGES -> NEVER;
            case WHOLE_SHARD -> ALWAYS;
        };
    }

    /**
     * Returns the source that the codec reads in place of {@code stored}: the shard's bytes in memory if they are read
     * whole, otherwise the stored object.
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

    /** Returns the same choice for a region in {@code shards} shards. */
    WholeShardReads of(long shards) {
        return this == STREAMED && shards > MAX_AT_ONCE ? IF_NEEDED_WHOLE : this;
    }

    /**
     * Returns the size above which a shard is read in parts: twice its elements and its index. Appends or a foreign
     * header make shards larger, and a server may send any number of bytes for such a shard.
     */
    private static long maxBytes(ChunkCodec codec) {
        long largest = Math.min(codec.maxEncodedSize(), Limits.LARGEST_CHUNK);
        double cells = 1;
        for (long c : codec.shardAccess().orElseThrow().gridShape()) {
            cells *= c;
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
