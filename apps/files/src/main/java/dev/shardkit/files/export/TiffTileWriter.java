package dev.shardkit.files.export;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * Converts the rows of pages to tiles for {@link TiffExport}, one row of tiles at a time. Pads tiles at the right and
 * lower edge with zeros (TIFF 6.0, section 15). Used by one thread.
 */
final class TiffTileWriter {
    private final OutputStream out;
    private final int tileSize;
    private final int pixelBytes;
    private final int rowBytes;
    private final long height;
    /** The pixel rows of one row of tiles. */
    private final byte[] tileRow;
    /** How many bytes of {@code tileRow} are filled. */
    private int filledBytes;
    /** The index in the page of the first pixel row in {@code tileRow}. */
    private long firstRow;

    TiffTileWriter(TiffExport file, OutputStream out) {
        this.out = out;
        this.tileSize = file.layout().tileSize();
        this.pixelBytes = file.samples() * file.bits() / 8;
        this.rowBytes = Math.toIntExact(file.width() * pixelBytes);
        this.height = file.height();
        this.tileRow = new byte[Math.multiplyExact(rowBytes, (int) Math.min(tileSize, height))];
    }

    /** Adds bytes of a page. Writes each row of tiles as soon as it is complete. */
    void write(byte[] bytes, int offset, int length) throws IOException {
        for (int position = offset; position < offset + length; ) {
            int neededBytes = (int) Math.min(tileSize, height - firstRow) * rowBytes; // the last row of tiles is lower
            int count = Math.min(neededBytes - filledBytes, offset + length - position);
            System.arraycopy(bytes, position, tileRow, filledBytes, count);
            filledBytes += count;
            position += count;
            if (filledBytes == neededBytes) {
                writeTiles(filledBytes / rowBytes);
                firstRow = firstRow + tileSize >= height ? 0 : firstRow + tileSize;
                filledBytes = 0;
            }
        }
    }

    private void writeTiles(int rows) throws IOException {
        byte[] tile = new byte[tileSize * tileSize * pixelBytes];
        int tileWidthBytes = tileSize * pixelBytes;
        for (int left = 0; left < rowBytes; left += tileWidthBytes) {
            int count = Math.min(tileWidthBytes, rowBytes - left);
            Arrays.fill(tile, (byte) 0);
            for (int row = 0; row < rows; row++) {
                System.arraycopy(tileRow, row * rowBytes + left, tile, row * tileWidthBytes, count);
            }
            out.write(tile);
        }
    }
}
