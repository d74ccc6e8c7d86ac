package dev.shardkit.codec.sharding;

import dev.shardkit.spi.codec.ShardAccess.Extent;
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
 * Searches a part of a shard that no index entry refers to, block by block, for ranges that no {@link UnusedBytesMark}
 * covers and that are not all zero. Immutable.
 */
final class UnmarkedBytesSearch {
    private final Source shard;
    private final long offset;
    private final long end;

    UnmarkedBytesSearch(Source shard, Extent part) {
        this.shard = shard;
        this.offset = part.offset();
        this.end = part.offset() + part.size();
    }

    /** Finds the ranges between marks that are not all zero. */
    Plan<List<Extent>> find() {
        return searchFrom(State.atRange(offset, List.of()));
    }

    /**
     * The state of the search.
     *
     * @param position the next byte to read
     * @param start the start of the current range
     * @param hasContent whether the current range has bytes other than zero
     * @param parts the earlier ranges with content
     */
    private record State(long position, long start, boolean hasContent, List<Extent> parts) {
        /** Returns the state at the start of a range, before its first byte is read. */
        static State atRange(long start, List<Extent> parts) {
            return new State(start, start, false, parts);
        }

        /** Ends the current range at {@code rangeEnd}, and begins another one at {@code next}. */
        State close(long rangeEnd, long next) {
            if (!hasContent) {
                return atRange(next, parts);
            }
            List<Extent> extended = new ArrayList<>(parts);
            extended.add(new Extent(start, rangeEnd - start));
            return atRange(next, extended);
        }
    }

    /** Continues the search with the block at {@code state.position}. */
    private Plan<List<Extent>> searchFrom(State state) {
        if (state.position >= end) {
            return Plan.done(state.close(end, end).parts);
        }
        long length = Math.min(ZeroBytes.BLOCK, end - state.position);
        return shard.<State>read(
                        new ByteRange.Slice(state.position, length),
                        (result, scratch) -> result instanceof ReadResult.Found found
                                ? searchBlock(state, found.bytes())
                                : State.atRange(end, state.parts))
                .then(this::searchFrom);
    }

    /** Searches a block for the next mark. A mark ends the current range. */
    private State searchBlock(State state, Bytes block) {
        ByteBuffer bytes = ByteBuffer.wrap(block.toArray()).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i + UnusedBytesMark.SIZE <= bytes.limit(); i += UnusedBytesMark.distance(bytes, i)) {
            OptionalLong marked = UnusedBytesMark.end(bytes, i);
            if (marked.isPresent()) {
                return noteContent(state, block.slice(0, i))
                        .close(state.position + i, Math.min(end, state.position + marked.getAsLong()));
            }
        }
        // Unless this is the last block, the next one begins with its last bytes, since a mark may begin there.
        boolean isLast = state.position + block.size() >= end;
        long searched = isLast ? block.size() : block.size() - UnusedBytesMark.SIZE + 1;
        State noted = noteContent(state, block.slice(0, searched));
        return new State(state.position + searched, noted.start, noted.hasContent, noted.parts);
    }

    /** Returns the state after {@code bytes}, which belong to the current range. */
    private static State noteContent(State state, Bytes bytes) {
        return state.hasContent || ZeroBytes.isZero(bytes)
                ? state
                : new State(state.position, state.start, true, state.parts);
    }
}
