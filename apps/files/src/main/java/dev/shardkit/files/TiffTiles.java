package dev.shardkit.files;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * Turns the rows of pages into tiles, a row of tiles at a time. Tiles at the right and lower edge are filled up with
 * zeros (TIFF 6.0, section 15). Used by one thread.
 */
final class TiffTiles {
    private final OutputStream out;
    private final int tile;
    private final int pixelBytes;
    private final int rowBytes;
    private final long height;
    private final byte[] band;
    private int filled;
    private long row;

    TiffTiles(TiffFile file, OutputStream out) {
        this.out = out;
        this.tile = file.layout().tile();
        this.pixelBytes = file.samples() * file.bits() / 8;
        this.rowBytes = Math.toIntExact(file.width() * pixelBytes);
        this.height = file.height();
        this.band = new byte[Math.multiplyExact(rowBytes, (int) Math.min(tile, height))];
    }

    /** Takes bytes of one page, and writes each row of tiles as soon as it is complete. */
    void write(byte[] bytes, int from, int length) throws IOException {
        for (int at = from; at < from + length; ) {
            int wanted = (int) Math.min(tile, height - row) * rowBytes;
            int n = Math.min(wanted - filled, from + length - at);
            System.arraycopy(bytes, at, band, filled, n);
            filled += n;
            at += n;
            if (filled == wanted) {
                tiles(filled / rowBytes);
                row = row + tile >= height ? 0 : row + tile;
                filled = 0;
            }
        }
    }

    private void tiles(int rows) throws IOException {
        byte[] one = new byte[tile * tile * pixelBytes];
        int tileRow = tile * pixelBytes;
        for (int left = 0; left < rowBytes; left += tileRow) {
            int n = Math.min(tileRow, rowBytes - left);
            Arrays.fill(one, (byte) 0);
            for (int y = 0; y < rows; y++) {
                System.arraycopy(band, y * rowBytes + left, one, y * tileRow, n);
            }
            out.write(one);
        }
    }
}
