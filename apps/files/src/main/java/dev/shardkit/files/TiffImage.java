package dev.shardkit.files;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The layout of an image of a TIFF file: equal for all pages of one array. Immutable.
 *
 * @param shape height, width and samples; samples first if each has a plane of its own; no samples if there is one
 * @param chunk the shape of a tile or strip
 * @param planes whether each sample has a plane of its own
 * @param dtype NumPy's name of the type
 * @param compression TIFF's number
 * @param predictor whether rows are stored as differences
 */
record TiffImage(
        List<Long> shape, List<Long> chunk, boolean planes, String dtype, long compression, boolean predictor) {
    static final int NONE = 1;
    static final int LZW = 5;
    private static final List<Long> DEFLATE = List.of(8L, 32946L);
    private static final long MAX_LENGTH = 1L << 31;

    static TiffImage of(TiffIndex.Directory page) {
        long width = length(page, TiffIndex.WIDTH);
        long height = length(page, TiffIndex.HEIGHT);
        long samples = page.one(TiffIndex.SAMPLES, 1);
        boolean planes = page.one(TiffIndex.PLANAR, 1) == 2 && samples > 1;
        boolean tiled = page.all(TiffIndex.TILE_OFFSETS).length > 0;
        long rows = tiled
                ? length(page, TiffIndex.TILE_HEIGHT)
                : Math.max(1, Math.min(height, page.one(TiffIndex.ROWS, height)));
        long columns = tiled ? length(page, TiffIndex.TILE_WIDTH) : width;
        if (samples < 1 || samples > 1 << 16) {
            throw new CorruptDataException("TIFF: expected 1 to 65536 samples, found " + samples);
        }
        List<Long> shape = new ArrayList<>(List.of(height, width));
        List<Long> chunk = new ArrayList<>(List.of(rows, columns));
        if (samples > 1) {
            shape.add(planes ? 0 : 2, samples);
            chunk.add(planes ? 0 : 2, planes ? 1 : samples);
        }
        long compression = page.one(TiffIndex.COMPRESSION, NONE);
        if (compression != NONE && compression != LZW && !DEFLATE.contains(compression)) {
            throw new UnsupportedException(
                    "TIFF: compression " + compression + " is not supported; none, LZW and deflate are");
        }
        long predictor = page.one(TiffIndex.PREDICTOR, 1);
        if (predictor > 2 || page.one(TiffIndex.FILL_ORDER, 1) != 1) {
            throw new UnsupportedException("TIFF: predictor " + predictor + " or the order of bits is not supported");
        }
        String dtype = dtype(page, (int) samples);
        if (predictor == 2 && dtype.charAt(1) == 'f') {
            throw new UnsupportedException("TIFF: predictor 2 of floating-point numbers is not supported");
        }
        return new TiffImage(List.copyOf(shape), List.copyOf(chunk), planes, dtype, compression, predictor == 2);
    }

    private static long length(TiffIndex.Directory page, int tag) {
        long length = page.one(tag, 0);
        if (length < 1 || length >= MAX_LENGTH) {
            throw new CorruptDataException(
                    "TIFF: expected a length of 1 to 2^31-1 in tag " + tag + ", found " + length);
        }
        return length;
    }

    private static String dtype(TiffIndex.Directory page, int samples) {
        long[] bits = page.all(TiffIndex.BITS);
        long[] formats = page.all(TiffIndex.FORMAT);
        long size = bits.length == 0 ? 1 : bits[0];
        long format = formats.length == 0 ? 1 : formats[0];
        boolean equal = Arrays.stream(bits).allMatch(b -> b == size)
                && Arrays.stream(formats).allMatch(f -> f == format);
        String kind = format == 1 ? "u" : format == 2 ? "i" : format == 3 && size > 8 ? "f" : "";
        if (!equal || kind.isEmpty() || size != 8 && size != 16 && size != 32 && size != 64) {
            throw new UnsupportedException("TIFF: " + samples + " samples of " + Arrays.toString(bits)
                    + " bits in format " + format + " are not supported");
        }
        String order = size == 8 ? "|" : page.order() == ByteOrder.BIG_ENDIAN ? ">" : "<";
        return order + kind + size / 8;
    }

    int bytes() {
        return dtype.charAt(2) - '0';
    }

    /** Returns the number of tiles or strips in each dimension. */
    long[] cells() {
        long[] cells = new long[shape.size()];
        for (int d = 0; d < cells.length; d++) {
            cells[d] = (shape.get(d) - 1) / chunk.get(d) + 1;
        }
        return cells;
    }

    /** Returns the dimension of rows. */
    int rowDimension() {
        return planes ? 1 : 0;
    }

    /** Returns the compressor of numcodecs. */
    Json compressor() {
        if (compression == NONE) {
            return new Json.Null();
        }
        return Json.object().with("id", Json.of(compression == LZW ? "imagecodecs_lzw" : "zlib"));
    }
}
