package dev.shardkit.files.export;

/**
 * The storage layout of a page: strips of whole rows, or square tiles. Immutable.
 *
 * @param tileSize the side of a tile in pixels; 0 for strips
 */
public record TiffLayout(int tileSize) {
    /** The default side of tiles. TIFF requires a multiple of 16. */
    static final int DEFAULT_TILE = 256;

    static final TiffLayout STRIPS = new TiffLayout(0);

    /** Larger images have tiles, because programs that show a part of an image would read too much of each strip. */
    private static final long LARGE_SIDE = 4096;
    /** The maximum size of the rows that are collected for tiles. */
    private static final long MAX_BAND_BYTES = 64 << 20;

    /** Returns tiles for large images if a row of tiles fits into memory, otherwise strips. */
    public static TiffLayout choose(long width, long height, long rowBytes) {
        boolean isLarge = Math.max(width, height) > LARGE_SIDE;
        return isLarge && rowBytes <= MAX_BAND_BYTES / DEFAULT_TILE ? new TiffLayout(DEFAULT_TILE) : STRIPS;
    }

    boolean isTiled() {
        return tileSize > 0;
    }
}
