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

    /**
     * Images with a longer side have tiles by default. To show a part of such an image, programs would have to read
     * strips of its whole width.
     */
    private static final long LARGE_SIDE = 4096;
    /** The maximum size of a row of tiles, which is kept in memory until it is complete. */
    private static final long MAX_TILE_ROW_BYTES = 64 << 20;

    /** Returns tiles for large images if a row of tiles fits into memory, otherwise strips. */
    public static TiffLayout choose(long width, long height, long rowBytes) {
        boolean isLarge = Math.max(width, height) > LARGE_SIDE;
        return isLarge && rowBytes <= MAX_TILE_ROW_BYTES / DEFAULT_TILE ? new TiffLayout(DEFAULT_TILE) : STRIPS;
    }

    boolean isTiled() {
        return tileSize > 0;
    }
}
