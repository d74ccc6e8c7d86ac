package dev.shardkit.codec.sharding;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.PlanRun;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A mark is found wherever it begins, after zeros and after other bytes. */
class UnmarkedBytesSearchTest {
    private static final int COVERED = 24;

    private static List<Extent> find(byte[] shard) {
        try (Scratch scratch = new Scratch()) {
            return PlanRun.run(
                    new UnmarkedBytesSearch(Source.stored("c"), new Extent(0, shard.length)).find(),
                    scratch,
                    request -> {
                        ByteRange.Slice slice = (ByteRange.Slice) request.range();
                        return new ReadResult.Found(
                                Bytes.of(shard).slice(slice.offset(), slice.length()), shard.length);
                    });
        }
    }

    private static void mark(byte[] shard, int at) {
        Edit.Write mark = UnusedBytesMark.of(List.of(new Extent(at, COVERED))).get(0);
        System.arraycopy(mark.bytes().toArray(), 0, shard, at, UnusedBytesMark.SIZE);
    }

    @Test
    void markBehindZeros_isFound() {
        for (int at = 0; at < 40; at++) {
            byte[] shard = new byte[at + COVERED + 7];
            mark(shard, at);
            assertEquals(List.of(), find(shard), "mark at " + at);
            shard[at + COVERED] = 1;
            assertEquals(List.of(new Extent(at + COVERED, 7)), find(shard), "mark at " + at);
        }
    }

    @Test
    void markBehindContentAndZeros_isFound() {
        for (int zeros = 0; zeros < 20; zeros++) {
            byte[] shard = new byte[3 + zeros + COVERED];
            shard[2] = 5;
            mark(shard, 3 + zeros);
            assertEquals(List.of(new Extent(0, 3 + zeros)), find(shard), zeros + " zeros");
        }
    }
}
