package dev.shardkit;

import dev.shardkit.region.ChunkPlans;
import dev.shardkit.region.box.Boxes;
import dev.shardkit.region.box.RegionCheck;
import dev.shardkit.spi.array.Box;
import dev.shardkit.store.policy.WriteOwnership;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The shards (without sharding: chunks) of an array that one region touches, in C order, whether or not they are
 * stored. Computes each shard when it is asked for, so there may be any number, and sends no request to the store.
 * Immutable and thread-safe.
 *
 * <p>{@link #split} divides them into disjoint runs, so that several workers can write without locks
 * ({@link WriteOwnership#OWNED}). Each shard is a stored object of its own, unless a storage transformer packs several
 * chunks into one object.
 */
public final class Shards implements Iterable<Shard> {
    private final ChunkPlans chunks;
    private final Box region;
    /** The cells of all shards that the region touches. */
    private final Box cells;
    /** The position of the first shard among these cells, in C order. */
    private final long first;
    /** The number of shards; {@link Long#MAX_VALUE} if there are more. */
    private final long count;

    Shards(ChunkPlans chunks, Box region) {
        this(
                chunks,
                region,
                chunks.grid().touched(region),
                0,
                Boxes.count(chunks.grid().touched(region)));
    }

    private Shards(ChunkPlans chunks, Box region, Box cells, long first, long count) {
        this.chunks = chunks;
        this.region = region;
        this.cells = cells;
        this.first = first;
        this.count = count;
    }

    /**
     * Returns the number of shards.
     *
     * @throws dev.shardkit.spi.error.UnsupportedException if there are more than 2^63-1; {@link #get} and the iterator
     *     reach the first 2^63-1
     */
    public long count() {
        return count == Long.MAX_VALUE ? RegionCheck.countable(cells) : count;
    }

    /**
     * Returns shard {@code i}, counted from zero.
     *
     * @throws IndexOutOfBoundsException if there is no such shard
     */
    public Shard get(long i) {
        if (i < 0 || i >= count) {
            throw new IndexOutOfBoundsException("shard " + i + " of " + count);
        }
        long[] cell = cells.at(first + i);
        return new Shard(cell, chunks.storedKey(cell), chunks.grid().chunk(cell).intersect(region));
    }

    /**
     * Splits the shards into {@code n} disjoint runs of neighbours. Their sizes differ by at most one. If there are
     * fewer shards than parts, the last parts are empty.
     *
     * @throws dev.shardkit.spi.error.UnsupportedException if there are more than 2^63-1 shards
     */
    public List<Shards> split(int n) {
        if (n < 1) {
            throw new IllegalArgumentException("expected at least 1 part to split into, found " + n);
        }
        long total = count();
        List<Shards> parts = new ArrayList<>();
        long begin = first;
        for (int i = 0; i < n; i++) {
            long size = total / n + (i < total % n ? 1 : 0);
            parts.add(new Shards(chunks, region, cells, begin, size));
            begin += size;
        }
        return parts;
    }

    /** Streams the shards in C order. */
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
