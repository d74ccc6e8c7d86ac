package dev.shardkit;

import dev.shardkit.region.Boxes;
import dev.shardkit.region.Chunks;
import dev.shardkit.region.Regions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.store.Ownership;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The shards (without sharding: the chunks) that a region touches, in C order, stored or not. Nothing is held for any
 * of them and nothing is asked of the store, so there may be any number. Immutable and thread-safe.
 *
 * <p>{@link #split} cuts them into disjoint runs, so that as many workers can write without a lock
 * ({@link Ownership#OWNED}). Two shards are never one stored object, unless a storage transformer puts several chunks
 * into one.
 */
public final class Shards implements Iterable<Shard> {
    private final Chunks chunks;
    private final Box region;
    private final Box cells;
    private final long first;
    private final long count;

    Shards(Chunks chunks, Box region) {
        this(
                chunks,
                region,
                chunks.grid().touched(region),
                0,
                Boxes.count(chunks.grid().touched(region)));
    }

    private Shards(Chunks chunks, Box region, Box cells, long first, long count) {
        this.chunks = chunks;
        this.region = region;
        this.cells = cells;
        this.first = first;
        this.count = count;
    }

    /**
     * How many there are.
     *
     * @throws dev.shardkit.spi.error.UnsupportedException if they are more than 2^63-1; {@link #get} and the iterator
     *     reach the first of those
     */
    public long count() {
        return count == Long.MAX_VALUE ? Regions.countable(cells) : count;
    }

    /**
     * Shard {@code i}, counted from zero.
     *
     * @throws IndexOutOfBoundsException if there is none
     */
    public Shard get(long i) {
        if (i < 0 || i >= count) {
            throw new IndexOutOfBoundsException("shard " + i + " of " + count);
        }
        long[] cell = cells.at(first + i);
        return new Shard(cell, chunks.storedKey(cell), chunks.grid().chunk(cell).intersect(region));
    }

    /**
     * Cuts them into {@code n} parts that have no shard in common: runs of neighbours, whose sizes differ by one at
     * most. If there are fewer shards than parts, the last parts are empty.
     *
     * @throws dev.shardkit.spi.error.UnsupportedException if there are more than 2^63-1
     */
    public List<Shards> split(int n) {
        if (n < 1) {
            throw new IllegalArgumentException("split into " + n + " parts");
        }
        long all = count();
        List<Shards> parts = new ArrayList<>();
        long from = first;
        for (int i = 0; i < n; i++) {
            long size = all / n + (i < all % n ? 1 : 0);
            parts.add(new Shards(chunks, region, cells, from, size));
            from += size;
        }
        return parts;
    }

    /** One after the other. */
    public Stream<Shard> stream() {
        return LongStream.range(0, count).mapToObj(this::get);
    }

    @Override
    public Iterator<Shard> iterator() {
        return new Iterator<>() {
            private long next;

            @Override
            public boolean hasNext() {
                return next < count;
            }

            @Override
            public Shard next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                return get(next++);
            }
        };
    }

    @Override
    public String toString() {
        return (count == Long.MAX_VALUE ? "more than 2^63-1" : count) + " shards of " + region;
    }
}
