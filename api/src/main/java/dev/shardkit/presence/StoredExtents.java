package dev.shardkit.presence;

import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.codec.Partitioned.Layout;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import java.util.Optional;

/** Finds the byte range of a source in its stored object, and checks byte ranges from shard indexes. */
public final class StoredExtents {
    private StoredExtents() {}

    /**
     * Returns the extent of {@code source} in its stored object, beginning at byte 0 if it is the whole object; empty
     * for bytes in memory.
     */
    public static Optional<Extent> of(Source source) {
        Plan<Long> read = source.read(ByteRange.whole(), (answer, scratch) -> 0L);
        if (!(read instanceof Plan.Need<?, Long> need)) {
            return Optional.empty();
        }
        return Optional.of(
                need.request().range() instanceof ByteRange.Slice s
                        ? new Extent(s.offset(), s.length())
                        : new Extent(0, source.size().orElse(0)));
    }

    /**
     * Throws {@code CorruptDataException} for an invalid index entry, as reads do.
     *
     * @param shard the position of the shard, for the error
     */
    public static void check(Extent extent, Layout index, DataLocation shard, long[] cell) {
        long offset = extent.offset();
        long size = extent.size();
        Extent self = index.index();
        boolean half = offset == -1 || size == -1;
        boolean outside = offset < 0 || size < 0 || offset > index.shardSize() - size;
        boolean within = size > 0 && offset < self.offset() + self.size() && self.offset() < offset + size;
        if (half || outside || within) {
            throw new CorruptDataException("shard index: offset " + Long.toUnsignedString(offset) + ", nbytes "
                            + Long.toUnsignedString(size) + ": expected "
                            + (half
                                    ? "both or none to be 2^64-1, which marks an empty inner chunk"
                                    : outside
                                            ? "an end within the shard's " + index.shardSize() + " bytes"
                                            : "inner chunks outside the index, which has bytes " + self.offset()
                                                    + " to " + (self.offset() + self.size())))
                    .locate(Optional.empty(), Optional.of(shard.inner(cell)), Optional.empty());
        }
    }
}
