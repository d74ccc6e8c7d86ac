package dev.shardkit.files;

/**
 * How the pixels of a page are stored: strips of whole rows, or square tiles. Immutable.
 *
 * @param tile the side of a tile in pixels; 0 for strips
 */
record TiffLayout(int tile) {
    /** The side of tiles unless a caller chooses one; a multiple of 16, as TIFF requires. */
    static final int USUAL_TILE = 256;

    static final TiffLayout STRIPS = new TiffLayout(0);

    /** From this side on, programs that show a part of an image would read too much of each strip. */
    private static final long LARGE_SIDE = 4096;
    /** The most bytes of the rows that are collected for tiles. */
    private static final long MAX_BAND_BYTES = 64 << 20;

    /** Returns tiles for large images, as far as a row of tiles fits into memory, otherwise strips. */
    static TiffLayout usual(long width, long height, long rowBytes) {
        boolean isLarge = Math.max(width, height) > LARGE_SIDE;
        return isLarge && rowBytes <= MAX_BAND_BYTES / USUAL_TILE ? new TiffLayout(USUAL_TILE) : STRIPS;
    }

    boolean isTiled() {
        return tile > 0;
    }
}
