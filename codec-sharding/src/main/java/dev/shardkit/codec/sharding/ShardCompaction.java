package dev.shardkit.codec.sharding;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.codec.ShardRewriting;
import dev.shardkit.spi.codec.ShardRewriting.Kept;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.spi.shard.ShardIndex;
import java.util.List;
import java.util.Optional;

/**
 * Rewrites a shard without changing its elements, inner shards first. Before that, drops the index entries of the inner
 * chunks that {@code kept} excludes. Used by compaction and repair. Immutable.
 */
record ShardCompaction(
        InnerChunkGrid cells, ChunkCodec inner, IndexFormat index, Source shard, ShardWritePolicy policy, Kept kept) {

    /** Returns the plan for the given index. */
    Plan<Edit> plan(ShardIndex found) {
        ShardWritePolicy rewritePolicy = policy.withStrategy(ShardWritePolicy.Strategy.REWRITE);
        ShardIndex before = found.keeping(kept);
        before.checkAll(cells.counts(), shard.location());
        ShardIndex ownEntries = found.named(); // the bytes of dropped entries are not foreign either
        Optional<ShardAccess> nested = inner.shardAccess();
        if (nested.isEmpty()) {
            return rewrite(before, ownEntries, List.of(), rewritePolicy);
        }
        refuseToGrow(before);
        return Plan.<Edit>all(Math.toIntExact(before.count()), i -> edit(nested.get(), before, i, rewritePolicy))
                .then(edits -> rewrite(before, ownEntries, edits, rewritePolicy));
    }

    /**
     * Rejects inner shards that share bytes: each would get its own copy, so a small shard could grow without limit.
     */
    private void refuseToGrow(ShardIndex before) {
        long remaining = before.shardSize();
        for (long i = 0; i < before.count(); i++) {
            remaining -= before.extent(i).map(Extent::size).orElse(0L);
            if (remaining < 0) {
                throw new CorruptDataException(
                                "shard index: inner shards that overlap have more bytes than the shard's "
                                        + before.shardSize())
                        .locate(Optional.empty(), Optional.of(shard.location()), Optional.empty());
            }
        }
    }

    private Plan<Edit> edit(ShardAccess nested, ShardIndex before, long i, ShardWritePolicy rewritePolicy) {
        if (before.isMissing(i)) {
            return Plan.done(new Edit.Keep());
        }
        Extent e = before.extent(i).orElseThrow();
        return ShardRewriting.of(nested)
                .rewrite(shard.inner(cells.cell(i), e.offset(), e.size()), rewritePolicy, kept.inside(i));
    }

    private Plan<Edit> rewrite(
            ShardIndex before, ShardIndex ownEntries, List<Edit> edits, ShardWritePolicy rewritePolicy) {
        Box nothing = Box.of(new long[cells.counts().length]); // a box without cells
        Box touched = edits.isEmpty() ? nothing : Box.of(cells.counts());
        InnerEdits innerEdits =
                new InnerEdits(cells, inner, index, shard, rewritePolicy, before, touched, edits, ForeignBytes.NONE);
        return RewriteStrategy.plan(innerEdits, ownEntries, null);
    }
}
