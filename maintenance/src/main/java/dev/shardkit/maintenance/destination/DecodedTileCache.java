package dev.shardkit.maintenance.destination;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.destination.LazyFeed.Loader;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.ElementCopy;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Shapes;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Loads the elements of a copy in tiles, which are boxes of equal shape, and caches the tiles that were used last. So a
 * chunk of the source that several inner chunks of the copy need is decoded once. Boxes outside {@link #area} are not
 * cached. Thread-safe if the loader is.
 */
final class DecodedTileCache {
    private final Loader loader;
    /** The box in which tiles are cached; empty for a cache without tiles. */
    private final Box area;

    private final long[] tileShape;
    /**
     * The index of the feed at which the grid of tiles begins. It is the index of the source's first element, so that
     * tiles begin and end with chunks of the source. Negative if the feed begins inside the source.
     */
    private final long[] tileOrigin;

    private final long maxTiles;
    /** The cached tiles, the least recently used first. Guarded by this object. */
    private final Map<Box, DenseChunk> loaded = new LinkedHashMap<>(16, 0.75f, true);

    private DecodedTileCache(Loader loader, Box area, long[] tileShape, long[] tileOrigin, long maxTiles) {
        this.loader = loader;
        this.area = area;
        this.tileShape = tileShape;
        this.tileOrigin = tileOrigin;
        this.maxTiles = maxTiles;
    }

    /** Returns a cache with one tile. */
    static DecodedTileCache singleTile(Loader loader, Box area) {
        return new DecodedTileCache(loader, area, area.shape(), area.origin(), 1);
    }

    /** Returns a cache without tiles. */
    static DecodedTileCache withoutTiles(Loader loader, Box whole) {
        return singleTile(loader, Box.of(whole.origin(), new long[whole.rank()]));
    }

    /**
     * Returns a cache with tiles of whole chunks of {@code source}, as large as possible. The copy reads its inner
     * chunks in C order, so tiles are longest in the last dimensions. Returns a cache without tiles if the smallest
     * tile exceeds the limit, or if each chunk of the source lies in one inner chunk of the copy and is needed once.
     *
     * @param whole a box of the feed
     * @param origin the index of the source at which the feed begins
     * @param partShape the shape of the copy's inner chunks
     * @param maxElements the largest number of elements that are cached
     */
    static DecodedTileCache of(
            Loader loader, Box whole, ZarrArray source, long[] origin, long[] partShape, long maxElements) {
        if (!source.metadata().chunkGrid().name().equals("regular")) {
            return withoutTiles(loader, whole);
        }
        long[] tileShape = source.chunkShape();
        // The smallest tile: the chunks of the source that an inner chunk of the copy needs if both begin together. The
        // source is nested if each of its chunks then lies in one inner chunk.
        boolean isNested = true;
        double tileElements = 1;
        for (int d = 0; d < tileShape.length; d++) {
            isNested &= partShape[d] % tileShape[d] == 0;
            tileShape[d] *= (partShape[d] - 1) / tileShape[d] + 1;
            tileElements *= tileShape[d];
        }
        if (isNested || tileElements > maxElements) {
            return withoutTiles(loader, whole);
        }
        // Extends the tile to several of these, from the last dimension on, as long as two tiles fit.
        for (int d = tileShape.length - 1; d >= 0; d--) {
            long tilesAcross = (whole.shape(d) - 1) / tileShape[d] + 2; // covers the box wherever tiles begin
            // Two tiles are kept, because at the end of one tile other threads need parts of the next.
            long factor = Math.max(1, Math.min(tilesAcross, (long) (maxElements / 2 / tileElements)));
            tileShape[d] *= factor;
            tileElements *= factor;
            if (factor < tilesAcross) {
                break;
            }
        }
        long[] tileOrigin = new long[tileShape.length];
        for (int d = 0; d < tileOrigin.length; d++) {
            tileOrigin[d] = -origin[d];
        }
        return new DecodedTileCache(
                loader, whole, tileShape, tileOrigin, Math.max(1, (long) (maxElements / tileElements)));
    }

    /** Copies the elements of {@code part}, as a feed does. */
    void get(Box part, Elements to, long offset, long[] strides) {
        if (!area.contains(part)) {
            copy(loader.load(part), part, part, part, to, offset, strides);
            return;
        }
        Box tiles = part.relativeTo(tileOrigin).cells(tileShape);
        for (long i = 0; i < tiles.count(); i++) {
            Box box = Box.cell(tiles.at(i), tileShape).translate(tileOrigin).intersect(area);
            copy(load(box), box, part.intersect(box), part, to, offset, strides);
        }
    }

    private synchronized DenseChunk load(Box box) {
        DenseChunk found = loaded.get(box);
        if (found == null) {
            for (Iterator<DenseChunk> eldest = loaded.values().iterator();
                    loaded.size() >= maxTiles && eldest.hasNext(); ) {
                eldest.next();
                eldest.remove(); // before loading, so that the memory of the old tile can be reused
            }
            found = loader.load(box);
            loaded.put(box, found);
        }
        return found;
    }

    /**
     * Copies a box of elements to the memory of a part.
     *
     * @param from the elements of {@code box}
     * @param wanted the box to copy, which lies in {@code box} and in {@code part}
     * @param offset the offset of the first element of {@code part} in {@code to}
     */
    private static void copy(DenseChunk from, Box box, Box wanted, Box part, Elements to, long offset, long[] strides) {
        long at = offset;
        for (int d = 0; d < strides.length; d++) {
            at += (wanted.origin(d) - part.origin(d)) * strides[d];
        }
        ElementCopy.copy(
                from.elements(),
                wanted.relativeTo(box).firstIn(box.shape()),
                Shapes.strides(box.shape()),
                to,
                at,
                strides,
                wanted.shape());
    }
}
