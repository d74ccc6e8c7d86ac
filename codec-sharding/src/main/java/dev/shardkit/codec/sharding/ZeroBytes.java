package dev.shardkit.codec.sharding;

import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import java.nio.ByteBuffer;
import java.util.List;

/** Zero bytes: slack or a hole. Stateless. */
final class ZeroBytes {
    /** How many bytes are read at a time. */
    static final int BLOCK = 1 << 20;

    private ZeroBytes() {}

    /** Returns whether all bytes are zero. */
    static boolean isZero(Bytes bytes) {
        for (ByteBuffer b : bytes.pieces()) {
            int at = b.position();
            for (; at + Long.BYTES <= b.limit(); at += Long.BYTES) {
                if (b.getLong(at) != 0) {
                    return false;
                }
            }
            for (; at < b.limit(); at++) {
                if (b.get(at) != 0) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns whether {@code shard} has only zeros at {@code places}. Reads in blocks, up to the first other byte. */
    static Plan<Boolean> at(Source shard, List<Extent> places) {
        return at(shard, places, 0, 0);
    }

    private static Plan<Boolean> at(Source shard, List<Extent> places, int i, long skip) {
        if (i == places.size()) {
            return Plan.done(true);
        }
        Extent place = places.get(i);
        long n = Math.min(BLOCK, place.size() - skip);
        if (n <= 0) {
            return at(shard, places, i + 1, 0);
        }
        return shard.<Boolean>read(
                        new ByteRange.Slice(place.offset() + skip, n),
                        (answer, scratch) -> answer instanceof ReadResult.Found found && isZero(found.bytes()))
                .then(zero -> zero ? at(shard, places, i, skip + n) : Plan.done(false));
    }
}
