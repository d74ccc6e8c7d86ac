package dev.shardkit.codec.sharding;

import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Searches an unused part of a shard, block by block, for bytes that no {@link UnusedBytesMark} covers and that are not
 * all zero. Immutable.
 */
final class UnmarkedBytes {
    private final Source shard;
    private final long offset;
    private final long end;

    UnmarkedBytes(Source shard, Extent part) {
        this.shard = shard;
        this.offset = part.offset();
        this.end = part.offset() + part.size();
    }

    /** Finds the ranges between marks that are not all zero. */
    Plan<List<Extent>> find() {
        return from(new State(offset, offset, false, List.of()));
    }

    /**
     * The state of the search.
     *
     * @param at the next byte to read
     * @param start the start of the current range
     * @param content whether the current range has bytes other than zero
     */
    private record State(long at, long start, boolean content, List<Extent> parts) {
        State close(long to, long next) {
            if (!content) {
                return new State(next, next, false, parts);
            }
            List<Extent> more = new ArrayList<>(parts);
            more.add(new Extent(start, to - start));
            return new State(next, next, false, more);
        }
    }

    private Plan<List<Extent>> from(State state) {
        if (state.at >= end) {
            return Plan.done(state.close(end, end).parts);
        }
        long n = Math.min(ZeroBytes.BLOCK, end - state.at);
        return shard.<State>read(
                        new ByteRange.Slice(state.at, n),
                        (answer, scratch) -> answer instanceof ReadResult.Found found
                                ? next(state, found.bytes())
                                : new State(end, end, false, state.parts))
                .then(this::from);
    }

    private State next(State state, Bytes block) {
        ByteBuffer bytes = ByteBuffer.wrap(block.toArray()).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i + UnusedBytesMark.SIZE <= bytes.limit(); i++) {
            OptionalLong marked = UnusedBytesMark.end(bytes, i);
            if (marked.isPresent()) {
                return seen(state, block.slice(0, i)).close(state.at + i, Math.min(end, state.at + marked.getAsLong()));
            }
        }
        boolean last = state.at + block.size() >= end;
        long known = last ? block.size() : block.size() - UnusedBytesMark.SIZE + 1;
        State seen = seen(state, block.slice(0, known));
        return new State(state.at + known, seen.start, seen.content, seen.parts);
    }

    private static State seen(State state, Bytes bytes) {
        return state.content || ZeroBytes.isZero(bytes) ? state : new State(state.at, state.start, true, state.parts);
    }
}
