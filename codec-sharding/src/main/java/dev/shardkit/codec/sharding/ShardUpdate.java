package dev.shardkit.codec.sharding;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Coverage;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import java.util.Optional;

/**
 * One partial or whole write of a shard: the inner chunks touched are updated each by itself, on any worker; what
 * became of them is then put together by the policy's strategy. Immutable.
 *
 * @param part what is written, not empty
 */
record ShardUpdate(
        Cells cells, ChunkCodec inner, IndexFormat index, Source old, Box part, Feed with, WritePolicy policy) {

    /** The plan, given the index that lies there now; empty if there is none or none is needed. */
    Plan<Edit> plan(Optional<ShardIndex> before) {
        Box touched = cells.touched(part);
        int count = Math.toIntExact(touched.count());
        if (before.isPresent()) {
            for (int i = 0; i < count; i++) {
                before.get().check(cells.number(touched.at(i)), cells, old.place());
            }
        }
        return Plan.all(count, i -> updateInner(before, touched.at(i))).then(edits -> {
            InnerEdits all = new InnerEdits(cells, inner, index, old, policy, before, touched, edits);
            return all.plan();
        });
    }

    private Plan<Edit> updateInner(Optional<ShardIndex> before, long[] cell) {
        Source was = before.flatMap(entries -> entries.extent(cells.number(cell)))
                .map((Extent e) -> old.inner(cell, e.offset(), e.size()))
                .orElseGet(() -> Source.absent(old.place().inner(cell)));
        Cells.Cut cut = cells.cut(part, cell);
        if (with.coverage(cut.inPart()) == Coverage.NONE) {
            return Plan.done(new Edit.Keep());
        }
        return inner.update(was, cut.inChunk(), with.window(cut.inPart()), policy(was));
    }

    /**
     * How an inner chunk is updated. An append at this level moves it as a whole, which is the time to make it compact.
     * Where each has its room it keeps its bytes in place, even if it holds nothing but the fill value.
     */
    private WritePolicy policy(Source was) {
        if (policy.strategy() == WritePolicy.Strategy.APPEND) {
            return policy.with(WritePolicy.Strategy.REWRITE);
        }
        return policy.strategy() == WritePolicy.Strategy.IN_PLACE && !was.isAbsent() && Room.isWhole(policy, inner)
                ? policy.with(WritePolicy.EmptyChunks.KEEP)
                : policy;
    }
}
