package dev.shardkit.files.image;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Splits a region along its first dimensions, which count the pages of images, into blocks. A block consists of whole
 * shards, so each shard is written once. If such blocks would need too much memory, a block has one page, and shards
 * are written in several steps. Not thread-safe.
 */
public final class RegionBlocks implements Iterator<Box> {
    private final Box region;
    /** The length of a block in each split dimension. */
    private final long[] blockLengths;
    /** The origin of the next block. */
    private final long[] position;

    private boolean isDone;

    private RegionBlocks(Box region, long[] blockLengths) {
        this.region = region;
        this.blockLengths = blockLengths;
        this.position = region.origin();
        this.isDone = region.isEmpty();
    }

    /**
     * Returns the blocks of a region.
     *
     * @param dimensions the number of dimensions to split
     * @param maxPages the maximum product of a block's lengths in these dimensions
     */
    public static RegionBlocks create(ZarrArray array, Box region, int dimensions, long maxPages) {
        long[] blockLengths = new long[dimensions];
        long product = 1;
        for (int d = 0; d < dimensions; d++) {
            blockLengths[d] = array.storedChunkShape()[d];
            long length = Math.min(blockLengths[d], region.shape(d));
            product = length > maxPages / product ? maxPages + 1 : product * length;
            if (product > maxPages) {
                Arrays.fill(blockLengths, 1);
                break;
            }
        }
        return new RegionBlocks(region, blockLengths);
    }

    @Override
    public boolean hasNext() {
        return !isDone;
    }

    @Override
    public Box next() {
        if (isDone) {
            throw new NoSuchElementException();
        }
        long[] origin = position.clone();
        long[] shape = region.shape();
        for (int d = 0; d < blockLengths.length; d++) {
            shape[d] = blockEnd(d) - position[d];
        }
        advance();
        return Box.of(origin, shape);
    }

    /** Returns the end of the next block: the end of a shard, or of the region. */
    private long blockEnd(int dimension) {
        long offsetInBlock = position[dimension] % blockLengths[dimension];
        return region.end(dimension) - position[dimension] <= blockLengths[dimension] - offsetInBlock
                ? region.end(dimension)
                : position[dimension] + blockLengths[dimension] - offsetInBlock;
    }

    /** Moves to the origin of the following block. */
    private void advance() {
        for (int d = blockLengths.length - 1; d >= 0; d--) {
            position[d] = blockEnd(d);
            if (position[d] < region.end(d)) {
                return;
            }
            position[d] = region.origin(d);
        }
        isDone = true;
    }
}
