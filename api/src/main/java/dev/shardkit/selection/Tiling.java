package dev.shardkit.selection;

/** How an array is divided along each dimension: into inner chunks, or into stored chunks. */
public interface Tiling {
    /** Returns the end, exclusive, of the tile with {@code index} along dimension {@code d}. */
    long end(int d, long index);
}
