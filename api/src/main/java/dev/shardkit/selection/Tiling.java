package dev.shardkit.selection;

/** The division of an array along each dimension into tiles: its inner chunks or its stored chunks. */
public interface Tiling {
    /** Returns the end, exclusive, of the tile that has the element {@code coordinate} along dimension {@code d}. */
    long endOfTile(int d, long coordinate);
}
