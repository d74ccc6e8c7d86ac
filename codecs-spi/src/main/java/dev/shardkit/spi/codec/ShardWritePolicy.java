package dev.shardkit.spi.codec;

/**
 * The policy by which shards are written and changed. It is chosen at run time and never part of the metadata (sharding
 * codec, "Binary shard format": all write orders are valid). Immutable; start with {@link #defaults()}.
 *
 * @param emptyChunks whether chunks and inner chunks are stored if all their elements equal the fill value
 * @param strategy how an existing shard is changed
 * @param order the order of the inner chunks in a shard that is written whole
 * @param allocation the inner chunks for which a new shard reserves room
 * @param slack the room left after each inner chunk of a shard that is written whole
 * @param maxUnusedPercent the largest share of unused bytes in a shard, in percent; an append that would exceed it
 *     becomes a rewrite
 * @param foreignBytes how a rewrite treats a header or footer that no index entry refers to
 */
public record ShardWritePolicy(
        EmptyChunks emptyChunks,
        Strategy strategy,
        Order order,
        Allocation allocation,
        Slack slack,
        int maxUnusedPercent,
        ForeignBytes foreignBytes) {
    private static final ShardWritePolicy DEFAULTS = new ShardWritePolicy(
            EmptyChunks.DROP, Strategy.REWRITE, Order.C, Allocation.AS_NEEDED, Slack.NONE, 50, ForeignBytes.REFUSE);

    /** Throws {@code IllegalArgumentException} unless {@code maxUnusedPercent} is from 0 to 100. */
    public ShardWritePolicy {
        if (maxUnusedPercent < 0 || maxUnusedPercent > 100) {
            throw new IllegalArgumentException("maxUnusedPercent " + maxUnusedPercent + ", expected 0 to 100");
        }
    }

    /** Whether chunks are stored if all their elements equal the fill value. */
    public enum EmptyChunks {
        /** Such chunks are not stored. A shard without other inner chunks is deleted. */
        DROP,
        /** Such chunks are stored like other chunks. */
        KEEP
    }

    /**
     * How an existing shard is changed. If a strategy does not apply, the codec tries the next one in this order: in
     * place, append, rewrite.
     */
    public enum Strategy {
        /** Replaces the shard by a new one. Unchanged inner chunks move as encoded bytes. */
        REWRITE,
        /**
         * Overwrites inner chunks in place, and the changed entries of the index. Applies to inner chunks of a fixed
         * size, and to others if the new bytes fit into the old place and the unused bytes after it.
         */
        IN_PLACE,
        /** Appends new inner chunks and a new index to the shard. The old bytes become unused. */
        APPEND
    }

    /** The order of the inner chunks in a shard that is written whole. */
    public enum Order {
        /** C order: the last dimension varies fastest. */
        C,
        /** Fortran order: the first dimension varies fastest. */
        FORTRAN,
        /** The Z-order (Morton) curve. */
        MORTON,
        /** Existing inner chunks first, in their current order, then new ones. */
        AS_THEY_COME
    }

    /** The inner chunks for which a new shard reserves room. */
    public enum Allocation {
        /** Only inner chunks that are stored. */
        AS_NEEDED,
        /**
         * All inner chunks, if they have a fixed or a largest size ({@link ChunkCodec#reservedSize}). Inner chunks that
         * were not written yet hold the fill value.
         */
        WHOLE
    }

    /**
     * Spare room after each inner chunk, so that it can grow in place.
     *
     * @param percent the room in percent of the inner chunk's size
     * @param maxBytes the largest room in bytes
     */
    public record Slack(int percent, long maxBytes) {
        /** No slack. */
        public static final Slack NONE = new Slack(0, 0);

        /** Rejects negative numbers. */
        public Slack {
            if (percent < 0 || maxBytes < 0) {
                throw new IllegalArgumentException(
                        "expected a slack of at least 0, found " + percent + "%, at most " + maxBytes + " bytes");
            }
        }

        /** Returns the room in bytes after an inner chunk of {@code size} bytes. */
        public long after(long size) {
            return (long) Math.min(maxBytes, size / 100.0 * percent);
        }
    }

    /**
     * How a rewrite treats foreign bytes: bytes before the first or after the last inner chunk that no index entry
     * refers to. A shard that becomes empty is deleted together with its foreign bytes.
     */
    public enum ForeignBytes {
        /**
         * The rewrite fails and leaves the shard unchanged. A header or footer that was set through shardkit is kept. A
         * write that covers the whole shard replaces all of it without reading it.
         */
        REFUSE,
        /**
         * The rewrite keeps the foreign bytes at the beginning and at the end. For this, even a write that covers the
         * whole shard reads its index, and fails if the index is corrupt.
         */
        KEEP,
        /** The rewrite drops the foreign bytes, including a header or footer that was set through shardkit. */
        DROP
    }

    /**
     * Returns the defaults: empty chunks are dropped, shards are rewritten in C order without slack, and foreign bytes
     * are refused.
     */
    public static ShardWritePolicy defaults() {
        return DEFAULTS;
    }

    /** Returns this policy with another treatment of empty chunks. */
    public ShardWritePolicy withEmptyChunks(EmptyChunks other) {
        return new ShardWritePolicy(other, strategy, order, allocation, slack, maxUnusedPercent, foreignBytes);
    }

    /** Returns this policy with another strategy. */
    public ShardWritePolicy withStrategy(Strategy other) {
        return new ShardWritePolicy(emptyChunks, other, order, allocation, slack, maxUnusedPercent, foreignBytes);
    }

    /** Returns this policy with another order. */
    public ShardWritePolicy withOrder(Order other) {
        return new ShardWritePolicy(emptyChunks, strategy, other, allocation, slack, maxUnusedPercent, foreignBytes);
    }

    /** Returns this policy with another allocation. */
    public ShardWritePolicy withAllocation(Allocation other) {
        return new ShardWritePolicy(emptyChunks, strategy, order, other, slack, maxUnusedPercent, foreignBytes);
    }

    /** Returns this policy with another slack. */
    public ShardWritePolicy withSlack(Slack other) {
        return new ShardWritePolicy(emptyChunks, strategy, order, allocation, other, maxUnusedPercent, foreignBytes);
    }

    /** Returns this policy with another limit for unused bytes, in percent of the shard. */
    public ShardWritePolicy withMaxUnusedPercent(int percent) {
        return new ShardWritePolicy(emptyChunks, strategy, order, allocation, slack, percent, foreignBytes);
    }

    /** Returns this policy with another treatment of foreign bytes. */
    public ShardWritePolicy withForeignBytes(ForeignBytes other) {
        return new ShardWritePolicy(emptyChunks, strategy, order, allocation, slack, maxUnusedPercent, other);
    }
}
