package dev.shardkit.selection;

/** How an array is divided along each dimension: into inner chunks, or into stored chunks. */
public interface Tiling {
    /** Returns the end, exclusive, of the tile that has the element {@code coordinate} along dimension {@code d}. */
    long endOfTile(int d, long coordinate);
}
