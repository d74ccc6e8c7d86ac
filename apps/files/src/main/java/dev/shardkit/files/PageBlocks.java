package dev.shardkit.files;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Splits a region along its first dimensions so that each shard lies in one block. If a block would need too much
 * memory, its length in each of these dimensions is 1, and shards are written in several steps. Lazy; not thread-safe.
 */
final class PageBlocks implements Iterator<Box> {
    private final Box region;
    private final long[] step;
    private final long[] at;
    private boolean done;

    private PageBlocks(Box region, long[] step) {
        this.region = region;
        this.step = step;
        this.at = region.origin();
        this.done = region.isEmpty();
    }

    /**
     * Returns the blocks of a region.
     *
     * @param dimensions the number of dimensions to split
     * @param most the largest product of a block's lengths in these dimensions
     */
    static PageBlocks of(ZarrArray array, Box region, int dimensions, long most) {
        long[] step = new long[dimensions];
        long product = 1;
        for (int d = 0; d < dimensions; d++) {
            step[d] = array.storedChunkShape()[d];
            long length = Math.min(step[d], region.shape(d));
            product = length > most / product ? most + 1 : product * length;
            if (product > most) {
                Arrays.fill(step, 1);
                break;
            }
        }
        return new PageBlocks(region, step);
    }

    @Override
    public boolean hasNext() {
        return !done;
    }

    @Override
    public Box next() {
        if (done) {
            throw new NoSuchElementException();
        }
        long[] origin = at.clone();
        long[] shape = region.shape();
        for (int d = 0; d < step.length; d++) {
            shape[d] = end(d) - at[d];
        }
        advance();
        return Box.of(origin, shape);
    }

    /** Returns the end of the current block: a border of shards, or that of the region. */
    private long end(int d) {
        long past = at[d] % step[d];
        return region.end(d) - at[d] <= step[d] - past ? region.end(d) : at[d] + step[d] - past;
    }

    private void advance() {
        for (int d = step.length - 1; d >= 0; d--) {
            at[d] = end(d);
            if (at[d] < region.end(d)) {
                return;
            }
            at[d] = region.origin(d);
        }
        done = true;
    }
}
