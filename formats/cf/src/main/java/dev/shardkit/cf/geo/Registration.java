package dev.shardkit.cf.geo;

/** What the whole numbers of rows and columns are in a transform ({@code spatial:registration}). */
public enum Registration {
    /** Corners of cells: the first cell has its center at 0.5. The default. */
    PIXEL,
    /** Centers of cells: the first cell has its center at 0 and its corner at -0.5. */
    NODE
}
