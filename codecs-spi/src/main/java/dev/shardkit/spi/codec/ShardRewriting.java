package dev.shardkit.spi.codec;

import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Rewrites shards without decoding their inner chunks. Compaction, repair and recovery use it. Returned by
 * {@link ShardAccess#rewriting}; codecs need not support it. Immutable and thread-safe.
 */
public interface ShardRewriting {
    /** The largest header or footer that can be set, in bytes. */
    int MAX_MARGIN_BYTES = 16 << 20;

    /**
     * Returns the operations of {@code shard}.
     *
     * @throws UnsupportedException if its codec has none
     */
    static ShardRewriting of(ShardAccess shard) {
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
    Plan<Edit> rewrite(Source shard, ShardWritePolicy policy, Kept kept);

    /**
     * Returns a plan that finds the end of the last valid index in {@code shard}. It recovers a shard with a
     * checksummed index at its end after an interrupted append ({@link Edit.Recovery#LAST_INDEX}). Empty if the shard
     * has no valid index, or its format does not allow the search.
     */
    default Plan<OptionalLong> lastValidEnd(Source shard) {
        return Plan.done(OptionalLong.empty());
    }

    /**
     * Returns access to these shards for a repair, without the check of the index's checksum. So entries of a corrupt
     * index may be wrong. Rewritten shards get a valid index. Empty if the codec does not support this.
     */
    default Optional<ShardAccess> withUncheckedIndex() {
        return Optional.empty();
    }

    /** Returns a plan that finds header and footer of {@code shard}; empty if the shard does not exist. */
    default Plan<Optional<Margins>> margins(Source shard) {
        throw new UnsupportedException("the codec of these shards has no header or footer");
    }

    /**
     * Returns a plan that replaces the header and footer of {@code shard}, also those that another program wrote. Empty
     * bytes remove them. Inner chunks move as encoded bytes, in their current order.
     *
     * @throws IllegalArgumentException if header or footer is larger than {@link #MAX_MARGIN_BYTES}, or contains the
     *     marks by which the codec recognizes headers and footers
     */
    default Plan<Edit> withMargins(Source shard, Bytes header, Bytes footer, ShardWritePolicy policy) {
        throw new UnsupportedException("the codec of these shards has no header or footer");
    }

    /**
     * The bytes of a shard before its first inner chunk (header) and after its last one (footer) that belong to no
     * inner chunk and are not unused.
     *
     * @param header the parts of the header, in order
     * @param footer the parts of the footer, in order
     * @param kept the byte ranges of a header and a footer that were set by {@link #withMargins}, including the marks
     *     beside them; every rewrite keeps them unless its policy drops foreign bytes
     */
    record Margins(List<Extent> header, List<Extent> footer, List<Extent> kept) {}

    /** Selects the inner chunks to keep when a shard is rewritten. */
    @FunctionalInterface
    interface Kept {
        /** Keeps all inner chunks. */
        Kept ALL = number -> true;

        /** Returns whether to keep the inner chunk with linear index {@code number} (C order). */
        boolean keeps(long number);

        /** Returns the selection within inner chunk {@code number}, if that is a shard itself. */
        default Kept inside(long number) {
            return ALL;
        }
    }
}
