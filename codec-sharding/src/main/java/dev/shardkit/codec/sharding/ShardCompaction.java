package dev.shardkit.codec.sharding;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Partitioned;
import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.codec.Rewriting;
import dev.shardkit.spi.codec.Rewriting.Kept;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.spi.shard.ShardIndex;
import java.util.List;
import java.util.Optional;

/**
 * Rewrites a shard without changing its elements, inner shards first. Removes inner chunks that are not kept from the
 * index before any other step. Immutable.
 */
record ShardCompaction(
        InnerChunkGrid cells, ChunkCodec inner, IndexFormat index, Source shard, WritePolicy policy, Kept kept) {

    /** Returns the plan for the given index. */
    Plan<Edit> plan(ShardIndex found) {
        WritePolicy anew = policy.withStrategy(WritePolicy.Strategy.REWRITE);
        ShardIndex before = found.keeping(kept);
        before.checkAll(cells.counts(), shard.place());
        ShardIndex ours = found.named();
        Optional<Partitioned> nested = inner.partitioned();
        if (nested.isEmpty()) {
            return rewrite(before, ours, List.of(), anew);
        }
        refuseToGrow(before);
        return Plan.<Edit>all(Math.toIntExact(before.count()), i -> edit(nested.get(), before, i, anew))
                .then(edits -> rewrite(before, ours, edits, anew));
    }

    /**
     * Rejects inner shards that share bytes: each would get its own copy, so a small shard could grow without limit.
     */
    private void refuseToGrow(ShardIndex before) {
        long left = before.shardSize();
        for (long i = 0; i < before.count(); i++) {
            left -= before.extent(i).map(Extent::size).orElse(0L);
            if (left < 0) {
                throw new CorruptDataException(
                                "shard index: inner shards that overlap have more bytes than the shard's "
                                        + before.shardSize())
                        .locate(Optional.empty(), Optional.of(shard.place()), Optional.empty());
            }
        }
    }

    private Plan<Edit> edit(Partitioned nested, ShardIndex before, long i, WritePolicy anew) {
        if (before.isMissing(i)) {
            return Plan.done(new Edit.Keep());
        }
        Extent e = before.extent(i).orElseThrow();
        return Rewriting.of(nested).rewrite(shard.inner(cells.cell(i), e.offset(), e.size()), anew, kept.inside(i));
    }

    private Plan<Edit> rewrite(ShardIndex before, ShardIndex ours, List<Edit> edits, WritePolicy anew) {
        Box touched = edits.isEmpty() ? Box.of(new long[cells.counts().length]) : Box.of(cells.counts());
        InnerEdits all = new InnerEdits(cells, inner, index, shard, anew, before, touched, edits, ForeignBytes.NONE);
        return RewriteStrategy.plan(all, ours, null);
    }
}
