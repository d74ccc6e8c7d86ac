package dev.shardkit.spi.shard;

import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongUnaryOperator;

/**
 * A new shard under construction, without its index: inner chunks in the order in which they are added, optional slack
 * after each, and the entries of the index. Deterministic and without I/O. Not thread-safe.
 */
public final class ShardBuilder {
    private final LongUnaryOperator slack;
    /** The entries of the index: offset and size of each inner chunk in turn. */
    private final long[] entries;

    private final long firstByte;
    private final PieceMerger pieces = new PieceMerger();
    /** For each byte range of the old shard that was moved, the first inner chunk that moved with it. */
    private final Map<Extent, Long> moved = new HashMap<>();
    /** The slack in bytes to add before the next piece. */
    private long pendingSlack;

    /**
     * Creates an empty shard.
     *
     * @param count the number of inner chunks
     * @param firstByte the first byte at which inner chunks may start
     * @param slack computes the room left after an inner chunk from its size, both in bytes
     */
    public ShardBuilder(long count, long firstByte, LongUnaryOperator slack) {
        this.slack = slack;
        this.entries = ShardIndex.noEntries(count);
        this.firstByte = firstByte;
    }

    /** Appends the content of inner chunk {@code number}. */
    public void put(long number, List<Piece> content) {
        addSlack();
        long start = end();
        content.forEach(pieces::add);
        long size = end() - start;
        set(number, start, size);
        pendingSlack = slack.applyAsLong(size);
    }

    /** Appends bytes that do not belong to an inner chunk. */
    public void put(Piece foreign) {
        addSlack();
        pieces.add(foreign);
    }

    /** Leaves no slack between the last inner chunk and the next piece. */
    public void dropSlack() {
        pendingSlack = 0;
    }

    private void addSlack() {
        pieces.add(new Piece.Zeros(pendingSlack));
        pendingSlack = 0;
    }

    /** Moves inner chunk {@code number} from {@code old}, its byte range in the old shard. */
    public void move(long number, Extent old) {
        put(number, List.of(new Piece.Copied(old.offset(), old.size())));
    }

    /** Moves inner chunk {@code number}. If several inner chunks share a byte range, it is moved only once. */
    public void moveOnce(long number, Extent old) {
        Optional<Long> first = Optional.ofNullable(moved.putIfAbsent(old, number));
        if (first.isPresent()) {
            int word = (int) (2 * first.get());
            set(number, entries[word], entries[word + 1]);
        } else {
            move(number, old);
        }
    }

    private long end() {
        return Math.addExact(firstByte, pieces.size());
    }

    private void set(long number, long offset, long size) {
        entries[(int) (2 * number)] = offset;
        entries[(int) (2 * number + 1)] = size;
    }

    /** Returns whether inner chunk {@code number} is missing. */
    public boolean isMissing(long number) {
        return entries[(int) (2 * number)] == ShardIndex.NONE;
    }

    /**
     * Returns the entries of the index: offset and size of each inner chunk in turn. They are not copied, because an
     * index may have millions of them.
     */
    public long[] entries() {
        return entries;
    }

    /** Returns the content of the shard without its index. */
    public List<Piece> pieces() {
        addSlack();
        return List.copyOf(pieces.list());
    }
}
