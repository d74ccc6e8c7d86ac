package dev.shardkit.codec.sharding;

import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.plan.Scratch;
import java.util.ArrayList;
import java.util.List;

/**
 * A new shard under construction: inner chunks in the order in which they are added, optional slack after each, and
 * their index. Deterministic and without I/O. Not thread-safe.
 */
final class Assembly {
    private final IndexFormat index;
    private final WritePolicy.Slack slack;
    private final long[] entries;
    private final Pieces pieces = new Pieces();
    private final long firstByte;

    /**
     * Creates an empty shard.
     *
     * @param slack the room left after each inner chunk
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

    /** Appends bytes that do not belong to an inner chunk. */
    void put(Piece foreign) {
        pieces.add(foreign);
    }

    /** Makes the entry of inner chunk {@code number} equal to the entry of {@code other}. */
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

    /** Whether inner chunk {@code number} is missing. */
    boolean isMissing(long number) {
        return entries[(int) (2 * number)] == ShardIndex.NONE;
    }

    /** Returns the content of the shard, including the index. */
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
