package dev.shardkit.codec.sharding;

import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import java.nio.ByteBuffer;
import java.util.List;

/** Tests whether bytes of a shard are all zero, as slack and holes are. Stateless. */
final class ZeroBytes {
    /** The number of bytes that one read takes at most. */
    static final int BLOCK = 1 << 20;

    private ZeroBytes() {}

    /** Returns whether all bytes are zero. */
    static boolean isZero(Bytes bytes) {
        for (ByteBuffer b : bytes.pieces()) {
            int position = b.position();
            for (; position + Long.BYTES <= b.limit(); position += Long.BYTES) {
                if (b.getLong(position) != 0) {
                    return false;
                }
            }
            for (; position < b.limit(); position++) {
                if (b.get(position) != 0) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns whether {@code shard} has only zeros at {@code ranges}. Reads in blocks, up to the first other byte. */
    static Plan<Boolean> areZeroAt(Source shard, List<Extent> ranges) {
        return areZeroAt(shard, ranges, 0, 0);
    }

    /** Tests the ranges from range {@code i} on, without the first {@code skip} bytes of that range. */
    private static Plan<Boolean> areZeroAt(Source shard, List<Extent> ranges, int i, long skip) {
        if (i == ranges.size()) {
            return Plan.done(true);
        }
        Extent range = ranges.get(i);
        long length = Math.min(BLOCK, range.size() - skip);
        if (length <= 0) {
            return areZeroAt(shard, ranges, i + 1, 0);
        }
        return shard.<Boolean>read(
                        new ByteRange.Slice(range.offset() + skip, length),
                        (result, scratch) -> result instanceof ReadResult.Found found && isZero(found.bytes()))
                .then(zero -> zero ? areZeroAt(shard, ranges, i, skip + length) : Plan.done(false));
    }
}
