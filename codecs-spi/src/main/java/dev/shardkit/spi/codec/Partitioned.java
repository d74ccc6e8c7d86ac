package dev.shardkit.spi.codec;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntUnaryOperator;

/**
 * The inside of a shard, for those who look at inner chunks one by one: maps, flows, presence, verification,
 * resharding. Coordinates are those of the shard as stored (behind array-to-array codecs). Immutable.
 */
public interface Partitioned {
    /** The shape of an inner chunk. */
    long[] innerShape();

    /** How many inner chunks there are in each dimension. */
    long[] cells();

    /** The chain of the inner chunks. */
    ChunkCodec inner();

    /**
     * Where {@code stored}, a box of the shard as stored, lies in the chunk that it is the encoding of. Empty if
     * array-to-array codecs make no box of it; then parts of the chunk are no inner chunks.
     */
    default Optional<Box> decoded(Box stored) {
        return Optional.of(stored);
    }

    /** Whether its index can only be had by reading the whole shard: codecs lie around it. */
    default boolean isReadWhole() {
        return false;
    }

    /** Where {@code part} of the chunk lies in the shard as stored; undoes {@link #decoded}. */
    default Optional<Box> encoded(Box part) {
        return Optional.of(part);
    }

    /**
     * The inner chunk at {@code cell} of the shard in {@code shard}, found through its index; absent where it is empty.
     */
    Plan<Source> locate(Source shard, long[] cell);

    /** The index of the shard in {@code shard}, whole and checked; empty if there is no such shard. */
    Plan<Optional<Layout>> layout(Source shard);

    /**
     * Where the last valid index of the shard in {@code shard} ends: for a shard with a checksummed index at its end,
     * of which an append was cut short ({@link Edit.Recovery#LAST_INDEX}). Empty if there is none, or none can be told.
     */
    default Plan<OptionalLong> lastValidEnd(Source shard) {
        return Plan.done(OptionalLong.empty());
    }

    /**
     * The shard in {@code shard} with its index as it is stored, no entry checked, for those who check; empty if there
     * is no such shard.
     */
    default Plan<Optional<Opened>> open(Source shard) {
        return layout(shard).map(found -> found.map(index -> new Opened(shard, index)));
    }

    /**
     * What becomes of the shard in {@code shard} if it is written anew, at all levels: inner chunks move as encoded
     * bytes in the policy's order, unused bytes go, foreign ones as the policy says.
     *
     * @param kept which inner chunks stay; the entries of others are not looked at
     */
    default Plan<Edit> rewrite(Source shard, WritePolicy policy, Kept kept) {
        throw new UnsupportedException("shards of this codec cannot be written anew without their elements");
    }

    /**
     * What makes a shard of inner chunks that are encoded already: bytes before and behind them, and their order. They
     * lie one behind the other, without gaps.
     *
     * @param sizes the size in bytes of each inner chunk by its linear index (C order), below zero if it is missing
     */
    default Frame frame(long[] sizes, WritePolicy.Order order, Scratch scratch) {
        throw new UnsupportedException("shards of this codec cannot be made of encoded inner chunks");
    }

    /**
     * A shard without its inner chunks. Immutable.
     *
     * @param head what comes before them
     * @param order the linear index of the inner chunk at each place, missing ones included
     * @param tail what comes behind them
     */
    record Frame(Bytes head, IntUnaryOperator order, Bytes tail) {}

    /** Returns how foreign files become such shards, if they can. */
    default Optional<Adopting> adopting() {
        return Optional.empty();
    }

    /** Which inner chunks stay when a shard is written anew. */
    @FunctionalInterface
    interface Kept {
        /** All. */
        Kept ALL = number -> true;

        /** Whether the inner chunk with linear index {@code number} (C order) stays. */
        boolean keeps(long number);

        /** Which of its own inner chunks stay, if it is a shard itself. */
        default Kept inside(long number) {
            return ALL;
        }
    }

    /**
     * A shard that may be wrong.
     *
     * @param bytes what offsets count from: the shard as stored, or what the codecs around it make of it
     * @param index where inner chunks are said to lie; extents may be any numbers, -1 for 2^64-1
     */
    record Opened(Source bytes, Layout index) {}

    /** Where the inner chunks of one shard lie. Immutable. */
    interface Layout {
        /** How many inner chunks the index has places for. */
        long count();

        /** Where the inner chunk with linear index {@code i} (C order) lies; empty if it is missing. */
        Optional<Extent> extent(long i);

        /** Where the index lies. */
        Extent index();

        /** The size of the shard. */
        long shardSize();
    }

    /** Bytes of a shard, counted from its first one. */
    record Extent(long offset, long size) {}
}
