package dev.shardkit.region.feed;

import dev.shardkit.spi.array.Box;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.LongStream;

/**
 * An index in memory that finds the parts of a write by the inner chunks (tiles) that they touch. It avoids a
 * comparison of each part with each inner chunk. Immutable.
 */
public final class TiledParts implements PartsFeed.PartsIndex {
    /** The largest number of parts that are searched without an index. */
    private static final int MAX_UNINDEXED = 16;

    /** The largest number of tiles under which a part is listed; larger parts are candidates for every tile. */
    private static final long MAX_TILES_OF_PART = 64;

    /** The largest number of tiles of a box that are looked up; for larger boxes, all parts are candidates. */
    private static final long MAX_TILES_OF_BOX = 8;

    private final List<WritePart> parts;
    /** The position in the array from which tiles are counted. */
    private final long[] corner;
    /** The shape of a tile. */
    private final long[] tile;
    /** The numbers of the parts that touch a tile. */
    private final Map<Box, List<Integer>> byTile = new HashMap<>();
    /** The numbers of the parts that are candidates for every tile. */
    private final List<Integer> ofManyTiles = new ArrayList<>();

    /**
     * Returns a feed of parts, as {@link PartsFeed#of(List, long[])} does, for requests of tiles of shape {@code tile},
     * counted from {@code corner}.
     */
    public static PartsFeed feed(List<WritePart> parts, long[] origin, long[] corner, long[] tile) {
        return parts.size() <= MAX_UNINDEXED
                ? PartsFeed.of(parts, origin)
                : PartsFeed.of(parts, origin, new TiledParts(parts, corner, tile));
    }

    private TiledParts(List<WritePart> parts, long[] corner, long[] tile) {
        this.parts = parts;
        this.corner = corner;
        this.tile = tile;
        for (int i = 0; i < parts.size(); i++) {
            Box tiles = touched(parts.get(i).box());
            if (tiles.count() > MAX_TILES_OF_PART) {
                ofManyTiles.add(i);
                continue;
            }
            for (long t = 0; t < tiles.count(); t++) {
                byTile.computeIfAbsent(tile(tiles, t), key -> new ArrayList<>()).add(i);
            }
        }
    }

    /** Returns the tiles that {@code box} touches, without tiles before the corner, which no request touches. */
    private Box touched(Box box) {
        long[] first = new long[tile.length];
        long[] count = new long[tile.length];
        for (int d = 0; d < tile.length; d++) {
            first[d] = Math.max(0, box.origin(d) - corner[d]) / tile[d];
            long end = Math.max(0, box.end(d) - corner[d]);
            count[d] = Math.max(0, (end + tile[d] - 1) / tile[d] - first[d]);
        }
        return Box.of(first, count);
    }

    /** Returns tile {@code i} of a box of tiles as an empty box, a key of the map: boxes are equal by value. */
    private static Box tile(Box tiles, long i) {
        long[] position = tiles.at(i);
        return Box.of(position, new long[position.length]);
    }

    @Override
    public Iterable<Box> divide(Box box) {
        Box tiles = touched(box);
        return () -> LongStream.range(0, tiles.count())
                .mapToObj(i -> {
                    long[] position = tiles.at(i);
                    for (int d = 0; d < position.length; d++) {
                        position[d] = corner[d] + position[d] * tile[d];
                    }
                    return Box.of(position, tile).intersect(box);
                })
                .iterator();
    }

    @Override
    public List<WritePart> touching(Box box) {
        Box tiles = touched(box);
        if (tiles.count() > MAX_TILES_OF_BOX) {
            return parts;
        }
        TreeSet<Integer> found = new TreeSet<>(ofManyTiles);
        for (long t = 0; t < tiles.count(); t++) {
            found.addAll(byTile.getOrDefault(tile(tiles, t), List.of()));
        }
        return found.stream().map(parts::get).toList();
    }
}
