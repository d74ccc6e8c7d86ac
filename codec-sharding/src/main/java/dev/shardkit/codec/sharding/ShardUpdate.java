package dev.shardkit.codec.sharding;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Coverage;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.EncodedFeed;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.spi.shard.ShardIndex;
import java.util.Optional;

/**
 * A write of part or all of a shard. Workers update the inner chunks independently; then the policy's strategy combines
 * their edits. Immutable.
 *
 * @param old the stored shard
 * @param part the box of the shard to write, not empty
 * @param values the new elements; their index zero is the origin of {@code part}
 */
record ShardUpdate(
        InnerChunkGrid cells,
        ChunkCodec inner,
        IndexFormat index,
        Source old,
        Box part,
        Feed values,
        ShardWritePolicy policy) {

    /**
     * Returns the plan of the write.
     *
     * @param before the current index; empty if the shard does not exist or the index is not needed
     */
    Plan<Edit> plan(Optional<ShardIndex> before) {
        return plan(before, ForeignBytes.NONE);
    }

    /** Returns the plan of a write that covers the whole shard and keeps its header and footer. */
    Plan<Edit> keepingMargins(Optional<ShardIndex> before) {
        if (before.isEmpty()) {
            return plan(before);
        }
        before.get().checkAll(cells.counts(), old.location());
        return ForeignBytes.find(old, index, before.get(), policy).then(foreign -> plan(Optional.empty(), foreign));
    }

    /** Updates each touched inner chunk, then combines the edits. */
    private Plan<Edit> plan(Optional<ShardIndex> before, ForeignBytes foreign) {
        Box touched = cells.touched(part);
        int count = Math.toIntExact(touched.count());
        if (before.isPresent()) {
            long[] counts = cells.counts();
            for (int i = 0; i < count; i++) {
                before.get().check(cells.number(touched.at(i)), counts, old.location());
            }
        }
        return Plan.all(count, i -> updateInner(before, touched.at(i))).then(edits -> {
            InnerEdits innerEdits =
                    new InnerEdits(cells, inner, index, old, policy, before.orElse(null), touched, edits, foreign);
            return innerEdits.plan();
        });
    }

    private Plan<Edit> updateInner(Optional<ShardIndex> before, long[] cell) {
        Source oldChunk = ShardIndex.source(before, cells.number(cell), old, cell);
        InnerChunkGrid.Cut cut = cells.cut(part, cell);
        if (values.coverage(cut.inPart()) == Coverage.NONE) {
            return Plan.done(new Edit.Keep());
        }
        return EncodedFeed.update(inner, oldChunk, cut.inChunk(), values.window(cut.inPart()), policy(oldChunk));
    }

    /**
     * Returns the policy for updating an inner chunk. An append at this level moves inner chunks as a whole, which is
     * the time to compact them. If each inner chunk has reserved room, it stays in place even if all its elements equal
     * the fill value.
     */
    private ShardWritePolicy policy(Source oldChunk) {
        if (policy.strategy() == ShardWritePolicy.Strategy.APPEND) {
            return policy.withStrategy(ShardWritePolicy.Strategy.REWRITE);
        }
        return policy.strategy() == ShardWritePolicy.Strategy.IN_PLACE
                        && !oldChunk.isAbsent()
                        && ReservedSlots.isWhole(policy, inner)
                ? policy.withEmptyChunks(ShardWritePolicy.EmptyChunks.KEEP)
                : policy;
    }
}
