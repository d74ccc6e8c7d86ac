package dev.shardkit.codec.sharding;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.codec.ShardWritePolicy.Strategy;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.spi.shard.EditedInnerChunk;
import dev.shardkit.spi.shard.ShardIndex;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The edits of the inner chunks that a write touches. A strategy combines them into the edit of the shard. If a
 * strategy declines, the next one is tried. A parameter {@code edit} is the index of an edit in {@code edits}.
 * Immutable.
 *
 * @param shard the current shard
 * @param before the current index; null if the shard does not exist or is overwritten entirely
 * @param touched the cells of the inner chunks that the write touches
 * @param edits one edit for each of these cells, in C order
 * @param foreign the header and footer to keep if the shard is overwritten entirely; otherwise none
 */
record InnerEdits(
        InnerChunkGrid cells,
        ChunkCodec inner,
        IndexFormat index,
        Source shard,
        ShardWritePolicy policy,
        @Nullable ShardIndex before,
        Box touched,
        List<Edit> edits,
        ForeignBytes foreign) {

    /** Returns a plan for the edit of the shard. */
    Plan<Edit> plan() {
        if (before == null) {
            return Plan.defer(
                    shard.location(), scratch -> Plan.done(RewriteStrategy.edit(this, foreign, null, scratch)));
        }
        if (changesNothing()) {
            return Plan.done(dropsEmpty() && before.isEmpty() ? new Edit.Delete() : new Edit.Keep());
        }
        if (dropsEmpty() && leavesNothing()) {
            return Plan.done(new Edit.Delete());
        }
        if (policy.strategy() == Strategy.REWRITE || !AdoptedShards.mayHaveMark(before)) {
            return byStrategy(before);
        }
        return new AdoptedShards(index)
                .fileSize(shard)
                .then(file -> file.isEmpty()
                        ? byStrategy(before)
                        : RewriteStrategy.plan(this, "the shard is an adopted file, which is never changed in place"));
    }

    private Plan<Edit> byStrategy(ShardIndex oldIndex) {
        if (policy.strategy() == Strategy.IN_PLACE) {
            return Plan.defer(shard.location(), scratch -> new InPlaceStrategy(this, oldIndex).plan(scratch))
                    .then(result -> result instanceof StrategyResult.Applied applied
                            ? Plan.done(applied.edit())
                            : append(oldIndex, "in place: " + ((StrategyResult.Declined) result).reason()));
        }
        return policy.strategy() == Strategy.APPEND ? append(oldIndex, null) : RewriteStrategy.plan(this, null);
    }

    /**
     * Tries to append, otherwise rewrites the shard.
     *
     * @param inPlaceReason why the edits do not fit in place; null if the policy asked for an append
     */
    private Plan<Edit> append(ShardIndex oldIndex, @Nullable String inPlaceReason) {
        AppendStrategy append = new AppendStrategy(this, oldIndex, inPlaceReason);
        return Plan.defer(shard.location(), append::plan).then(result -> {
            if (result instanceof StrategyResult.Applied applied) {
                return Plan.done(applied.edit());
            }
            String reason = "append: " + ((StrategyResult.Declined) result).reason();
            return RewriteStrategy.plan(this, inPlaceReason == null ? reason : inPlaceReason + "; " + reason);
        });
    }

    private boolean changesNothing() {
        for (int edit = 0; edit < count(); edit++) {
            if (!isSame(edit)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether edit {@code edit} changes nothing. */
    boolean isSame(int edit) {
        return edits.get(edit) instanceof Edit.Keep
                || (edits.get(edit) instanceof Edit.Delete && oldExtent(edit).isEmpty());
    }

    /** Returns whether no inner chunk is stored after the edits. */
    boolean leavesNothing() {
        for (int edit = 0; edit < count(); edit++) {
            if (!(edits.get(edit) instanceof Edit.Delete
                    || (isSame(edit) && oldExtent(edit).isEmpty()))) {
                return false;
            }
        }
        int edit = 0; // the edits are sorted by inner chunk number
        for (long i = 0; before != null && i < index.count(); i++) {
            boolean isTouched = edit < count() && number(edit) == i;
            if (!isTouched && !before.isMissing(i)) {
                return false;
            }
            edit += isTouched ? 1 : 0;
        }
        return true;
    }

    /** Returns whether empty shards are not stored. */
    boolean dropsEmpty() {
        return policy.emptyChunks() == ShardWritePolicy.EmptyChunks.DROP;
    }

    /** Returns the number of inner chunks that the write touches. */
    int count() {
        return edits.size();
    }

    /** Returns the number of the inner chunk of edit {@code edit}; these numbers ascend. */
    long number(int edit) {
        return cells.number(touched.at(edit));
    }

    /** Returns the name of the inner chunk of edit {@code edit}, for messages. */
    String name(int edit) {
        return "inner chunk " + Arrays.toString(touched.at(edit));
    }

    /** Returns the current byte range of the inner chunk of edit {@code edit}. */
    Optional<Extent> oldExtent(int edit) {
        return before == null ? Optional.empty() : before.extent(number(edit));
    }

    /**
     * Returns the new content of the inner chunk of edit {@code edit}, with offsets from the shard's first byte; empty
     * if the edit removes it.
     */
    Optional<List<Piece>> content(int edit) {
        return EditedInnerChunk.of(edits.get(edit), oldExtent(edit));
    }
}
