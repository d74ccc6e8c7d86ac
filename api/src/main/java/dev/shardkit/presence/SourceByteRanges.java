package dev.shardkit.presence;

import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.codec.ShardAccess.Layout;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import java.util.Optional;

/** Finds the byte range of a source in its stored object, and checks byte ranges from shard indexes. */
public final class SourceByteRanges {
    private SourceByteRanges() {}

    /**
     * Returns the extent of {@code source} in its stored object, beginning at byte 0 if it is the whole object; empty
     * for bytes in memory.
     */
    public static Optional<Extent> of(Source source) {
        // The plan is not run: its request says where the bytes are. Bytes in memory need no request.
        Plan<Long> plan = source.read(ByteRange.whole(), (result, scratch) -> 0L);
        if (!(plan instanceof Plan.Need<?, Long> need)) {
            return Optional.empty();
        }
        return Optional.of(
                need.request().range() instanceof ByteRange.Slice s
                        ? new Extent(s.offset(), s.length())
                        : new Extent(0, source.size().orElse(0)));
    }

    /**
     * Throws {@code CorruptDataException} for an invalid index entry, as reads do. Entries of empty inner chunks, which
     * have no extent, are not passed to this method.
     *
     * @param shard the position of the shard, for the error
     */
    public static void check(Extent extent, Layout index, DataLocation shard, long[] cell) {
        long offset = extent.offset();
        long size = extent.size();
        Extent indexExtent = index.index();
        boolean isHalfEmpty = offset == -1 || size == -1;
        boolean isOutside = offset < 0 || size < 0 || offset > index.shardSize() - size;
        boolean overlapsIndex =
                size > 0 && offset < indexExtent.offset() + indexExtent.size() && indexExtent.offset() < offset + size;
        if (isHalfEmpty || isOutside || overlapsIndex) {
            throw new CorruptDataException("shard index: offset " + Long.toUnsignedString(offset) + ", nbytes "
                            + Long.toUnsignedString(size) + ": expected " + expected(isHalfEmpty, isOutside, index))
                    .locate(Optional.empty(), Optional.of(shard.inner(cell)), Optional.empty());
        }
    }

    private static String expected(boolean isHalfEmpty, boolean isOutside, Layout index) {
        if (isHalfEmpty) {
            return "both or none to be 2^64-1, which marks an empty inner chunk";
        } else if (isOutside) {
            return "an end within the shard's " + index.shardSize() + " bytes";
        }
        Extent indexExtent = index.index();
        return "inner chunks outside the index, which has bytes " + indexExtent.offset() + " to "
                + (indexExtent.offset() + indexExtent.size());
    }
}
