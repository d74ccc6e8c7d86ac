package dev.shardkit.spi.codec;

/**
 * How shards are written: run-time policy, never part of the metadata (sharding codec, "Binary shard format": all write
 * orders are valid). Immutable; start from {@link #defaults()}.
 *
 * @param emptyChunks what happens to chunks and inner chunks that hold nothing but the fill value
 * @param strategy how an existing shard is changed
 * @param order in which order inner chunks lie in a shard that is written whole
 * @param allocation for which inner chunks a new shard has room
 * @param slack the room left behind each inner chunk of a shard that is written whole
 * @param mostUnusedPercent of a shard's bytes may be unused before appending to it gives way to a rewrite
 * @param foreignBytes what a rewrite does with a header or footer that no index entry names
 */
public record WritePolicy(
        EmptyChunks emptyChunks,
        Strategy strategy,
        Order order,
        Allocation allocation,
        Slack slack,
        int mostUnusedPercent,
        ForeignBytes foreignBytes) {
    private static final WritePolicy DEFAULTS = new WritePolicy(
            EmptyChunks.DROP, Strategy.REWRITE, Order.C, Allocation.AS_NEEDED, Slack.NONE, 50, ForeignBytes.REFUSE);

    /** Refuses percentages that are none. */
    public WritePolicy {
        if (mostUnusedPercent < 0 || mostUnusedPercent > 100) {
            throw new IllegalArgumentException("mostUnusedPercent " + mostUnusedPercent + ", expected 0 to 100");
        }
    }

    /** What happens to chunks that hold nothing but the fill value. */
    public enum EmptyChunks {
        /** They are not stored; a shard of nothing else disappears. */
        DROP,
        /** They are stored like any other. */
        KEEP
    }

    /** How an existing shard is changed; where one is not possible the next is tried: in place, append, rewrite. */
    public enum Strategy {
        /** A new shard takes the place of the old one; untouched inner chunks move as encoded bytes. */
        REWRITE,
        /**
         * Inner chunks are overwritten where they lie, the index only where it changes: those of one size, and others
         * where the new bytes fit the old place and the unused bytes behind it.
         */
        IN_PLACE,
        /** New inner chunks and a new index go behind what is there; the old place becomes unused. */
        APPEND
    }

    /** In which order inner chunks lie in a shard that is written whole. */
    public enum Order {
        /** The last dimension fastest. */
        C,
        /** The first dimension fastest. */
        FORTRAN,
        /** Along the Z-order curve. */
        MORTON,
        /** Those that stay first, in the order in which they lie, then those that are new. */
        AS_THEY_COME
    }

    /** For which inner chunks a new shard has room. */
    public enum Allocation {
        /** For those that are stored. */
        AS_NEEDED,
        /** For all, where inner chunks have one size; those not written yet hold the fill value. */
        WHOLE
    }

    /**
     * Room left on purpose behind each inner chunk, so that it may grow in place.
     *
     * @param percent of its size
     * @param mostBytes at most so many bytes
     */
    public record Slack(int percent, long mostBytes) {
        /** None. */
        public static final Slack NONE = new Slack(0, 0);

        /** Refuses what is below zero. */
        public Slack {
            if (percent < 0 || mostBytes < 0) {
                throw new IllegalArgumentException("slack of " + percent + "%, at most " + mostBytes + " bytes");
            }
        }

        /** The bytes left behind an inner chunk of {@code size} bytes. */
        public long behind(long size) {
            return (long) Math.min(mostBytes, size / 100.0 * percent);
        }
    }

    /** What a rewrite does with bytes before the first or behind the last inner chunk that no index entry names. */
    public enum ForeignBytes {
        /** It fails, and the shard stays. */
        REFUSE,
        /** They stay where they are: at the beginning, at the end. */
        KEEP,
        /** They go. */
        DROP
    }

    /** Empty chunks dropped, shards rewritten in C order without slack, foreign bytes refused. */
    public static WritePolicy defaults() {
        return DEFAULTS;
    }

    /** The same with another treatment of empty chunks. */
    public WritePolicy with(EmptyChunks other) {
        return new WritePolicy(other, strategy, order, allocation, slack, mostUnusedPercent, foreignBytes);
    }

    /** The same with another strategy. */
    public WritePolicy with(Strategy other) {
        return new WritePolicy(emptyChunks, other, order, allocation, slack, mostUnusedPercent, foreignBytes);
    }

    /** The same with another order. */
    public WritePolicy with(Order other) {
        return new WritePolicy(emptyChunks, strategy, other, allocation, slack, mostUnusedPercent, foreignBytes);
    }

    /** The same with another allocation. */
    public WritePolicy with(Allocation other) {
        return new WritePolicy(emptyChunks, strategy, order, other, slack, mostUnusedPercent, foreignBytes);
    }

    /** The same with other slack. */
    public WritePolicy with(Slack other) {
        return new WritePolicy(emptyChunks, strategy, order, allocation, other, mostUnusedPercent, foreignBytes);
    }

    /** The same with another limit for unused bytes, in percent of the shard. */
    public WritePolicy withMostUnused(int percent) {
        return new WritePolicy(emptyChunks, strategy, order, allocation, slack, percent, foreignBytes);
    }

    /** The same with another treatment of foreign bytes. */
    public WritePolicy with(ForeignBytes other) {
        return new WritePolicy(emptyChunks, strategy, order, allocation, slack, mostUnusedPercent, other);
    }
}
