package dev.shardkit.spi.codec;

import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import java.util.OptionalLong;

/**
 * Rewrites shards without decoding their inner chunks. Compaction, repair and recovery use it. Returned by
 * {@link Partitioned#rewriting}; codecs need not support it. Immutable and thread-safe.
 */
public interface Rewriting {
    /**
     * Returns the operations of {@code shard}.
     *
     * @throws UnsupportedException if its codec has none
     */
    static Rewriting of(Partitioned shard) {
        return shard.rewriting()
                .orElseThrow(() ->
                        new UnsupportedException("this codec does not support rewriting shards without decoding them"));
    }

    /**
     * Returns a plan that rewrites the shard at all levels of nesting. Inner chunks move as encoded bytes in the
     * policy's order. Unused bytes are dropped; the policy decides about foreign bytes.
     *
     * @param kept the inner chunks to keep; the entries of other inner chunks are not checked
     */
    Plan<Edit> rewrite(Source shard, WritePolicy policy, Kept kept);

    /**
     * Returns a plan that finds the end of the last valid index in {@code shard}. It recovers a shard with a
     * checksummed index at its end after an interrupted append ({@link Edit.Recovery#LAST_INDEX}). Empty if the shard
     * has no valid index, or its format does not allow the search.
     */
    default Plan<OptionalLong> lastValidEnd(Source shard) {
        return Plan.done(OptionalLong.empty());
    }

    /** Selects the inner chunks to keep when a shard is rewritten. */
    @FunctionalInterface
    interface Kept {
        /** Keeps all inner chunks. */
        Kept ALL = number -> true;

        /** Whether to keep the inner chunk with linear index {@code number} (C order). */
        boolean keeps(long number);

        /** Returns the selection within inner chunk {@code number}, if that is a shard itself. */
        default Kept inside(long number) {
            return ALL;
        }
    }
}
