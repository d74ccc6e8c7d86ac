package dev.shardkit.codec.sharding;

import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.plan.Scratch;
import java.util.ArrayList;
import java.util.List;

/**
 * A new shard under construction: inner chunks one behind the other in the order in which they are put, room behind
 * each if asked, and their index. Pure and deterministic. Not thread-safe.
 */
final class Assembly {
    private final IndexFormat index;
    private final WritePolicy.Slack slack;
    private final long[] entries;
    private final Pieces pieces = new Pieces();
    private final long firstByte;

    /**
     * An empty shard.
     *
     * @param slack the room left behind each inner chunk
     */
    Assembly(IndexFormat index, WritePolicy.Slack slack) {
        this.index = index;
        this.slack = slack;
        this.entries = ShardIndex.noEntries(index.count());
        this.firstByte = index.firstByte();
    }

    /** Appends the content of inner chunk {@code number}. */
    void put(long number, List<Piece> content) {
        long start = end();
        content.forEach(pieces::add);
        long size = end() - start;
        set(number, start, size);
        pieces.add(new Piece.Zeros(slack.behind(size)));
    }

    /** Appends bytes that are no inner chunk's. */
    void put(Piece foreign) {
        pieces.add(foreign);
    }

    /** Gives inner chunk {@code number} the same bytes as {@code other}. */
    void share(long number, long other) {
        set(number, entries[(int) (2 * other)], entries[(int) (2 * other + 1)]);
    }

    private long end() {
        return Math.addExact(firstByte, pieces.size());
    }

    private void set(long number, long offset, long size) {
        entries[(int) (2 * number)] = offset;
        entries[(int) (2 * number + 1)] = size;
    }

    /** Whether nothing was put for inner chunk {@code number}. */
    boolean isMissing(long number) {
        return entries[(int) (2 * number)] == ShardIndex.NONE;
    }

    /** The content of the shard, index included. */
    List<Piece> finish(Scratch scratch) {
        Piece literal = new Piece.Literal(index.encode(entries, scratch));
        List<Piece> all = new ArrayList<>(pieces.list().size() + 1);
        if (index.isFirst()) {
            all.add(literal);
        }
        all.addAll(pieces.list());
        if (!index.isFirst()) {
            all.add(literal);
        }
        return all;
    }
}
