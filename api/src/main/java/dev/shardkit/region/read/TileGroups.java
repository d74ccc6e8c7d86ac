package dev.shardkit.region.read;

import dev.shardkit.region.ChunkPlans;
import dev.shardkit.region.box.Boxes;
import dev.shardkit.spi.array.Box;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Iterates over the inner chunks (tiles) of a region, shard by shard, in groups that are read together. Neighbours in a
 * group share requests, and the limits of a group bound the memory. Lazy, not thread-safe.
 */
public final class TileGroups implements Iterator<List<Box>> {
    /** The largest number of tiles in a group. */
    private static final int MAX_TILES = 64;
    /** The number of elements after which a group ends. */
    private static final long MAX_ELEMENTS = 4 << 20;

    private final ChunkPlans chunks;
    private final Box region;
    private final Box cells;
    private long nextCell;
    /** The part of the region in the current shard. */
    private Box part;
    /** The tiles that this part touches, counted from the shard's origin; no tiles before the first shard. */
    private Box tiles = Box.of(new long[] {0});
    /** The origin of the current shard. */
    private long[] origin = {};

    private long[] tileShape = {};
    private long nextTile;

    public TileGroups(ChunkPlans chunks, Box region) {
        this.chunks = chunks;
        this.region = region;
        this.cells = chunks.grid().touched(region);
        this.part = region;
    }

    @Override
    public boolean hasNext() {
        while (nextTile == Boxes.count(tiles) && nextCell < Boxes.count(cells)) {
            enter(cells.at(nextCell++));
        }
        return nextTile < Boxes.count(tiles);
    }

    /** Makes the shard at {@code cell} the current one. */
    private void enter(long[] cell) {
        Box chunk = chunks.grid().chunk(cell);
        part = chunk.intersect(region);
        origin = chunk.origin();
        tileShape = chunks.codec(cell).readShape();
        long[] first = new long[tileShape.length];
        long[] count = new long[tileShape.length];
        for (int d = 0; d < tileShape.length; d++) {
            first[d] = (part.origin(d) - origin[d]) / tileShape[d];
            count[d] = part.shape(d) == 0 ? 0 : (part.end(d) - 1 - origin[d]) / tileShape[d] - first[d] + 1;
        }
        tiles = Box.of(first, count);
        nextTile = 0;
    }

    @Override
    public List<Box> next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        List<Box> group = new ArrayList<>();
        long elements = 0;
        while (hasNext() && group.size() < MAX_TILES && elements < MAX_ELEMENTS) {
            long[] tileOrigin = tiles.at(nextTile++);
            for (int d = 0; d < tileOrigin.length; d++) {
                tileOrigin[d] = origin[d] + tileOrigin[d] * tileShape[d];
            }
            Box box = Box.of(tileOrigin, tileShape).intersect(part);
            elements += Boxes.count(box);
            group.add(box);
        }
        return group;
    }
}
