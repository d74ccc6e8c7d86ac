package dev.shardkit.store.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content.Part;
import dev.shardkit.store.Content.Part.Stored;
import dev.shardkit.store.cloud.PutBody;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where blocks end. */
class BlockSplitTest {
    private static final long MIB = 1 << 20;

    private static Part stored(long size) {
        return new Stored("k", "s:\"v\"", 0, size);
    }

    private static PutBody body(List<Part> parts) {
        return new PutBody(parts, parts.stream().mapToLong(Part::size).sum());
    }

    @Test
    void largeRanges_areBlocksOfTheirOwn_andSmallOnesJoinTheirNeighbours() {
        Part literal = new Part.Literal(Bytes.zeros(7));
        PutBody body = body(List.of(literal, stored(MIB), stored(MIB - 1), literal, stored(10 * MIB), literal));
        List<Long> ends =
                List.of(7L, 7 + MIB, 7 + 2 * MIB - 1 + 7, 13 + 2 * MIB + 8 * MIB, 13 + 12 * MIB, 13 + 12 * MIB + 7);
        assertEquals(ends, BlockSplit.of(body, 8 * MIB, true));
        assertEquals(List.of(8 * MIB, body.size()), BlockSplit.of(body, 8 * MIB, false));
    }

    @Test
    void hugeBlobs_haveNotTooManyBlocks() {
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            parts.add(stored(MIB + i));
            parts.add(new Part.Literal(Bytes.zeros(1)));
        }
        assertTrue(BlockSplit.of(body(parts), 8 * MIB, true).size() <= BlockSplit.MAX_BLOCKS);
        PutBody one = body(List.of(stored(190L << 40)));
        for (boolean copies : new boolean[] {true, false}) {
            List<Long> ends = BlockSplit.of(one, 8 * MIB, copies);
            assertTrue(ends.size() <= BlockSplit.MAX_BLOCKS, ends.size() + " blocks");
            assertEquals(one.size(), ends.get(ends.size() - 1));
        }
    }
}
