package dev.shardkit.files.tiff;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The layout of an image in a TIFF file, as its directory describes it. Pages become one array of references only if
 * they have the same layout. Immutable.
 *
 * @param shape height, width and the number of samples. The number of samples comes first if each sample has its own
 *     plane, and is omitted if it is 1
 * @param chunkShape the shape of a tile or strip
 * @param isPlanar whether each sample has its own plane
 * @param dtype NumPy's name of the data type, such as {@code <u2}
 * @param compression TIFF's number of the compression
 * @param hasPredictor whether each pixel of a row is stored as the difference from the pixel before
 */
public record TiffImageLayout(
        List<Long> shape,
        List<Long> chunkShape,
        boolean isPlanar,
        String dtype,
        long compression,
        boolean hasPredictor) {
    // Values of the tag Compression.
    static final int NONE = 1;
    static final int LZW = 5;
    /** The official and the older number of the same compression. */
    private static final List<Long> DEFLATE = List.of(8L, 32946L);

    private static final long MAX_LENGTH = 1L << 31;

    public static TiffImageLayout create(TiffIndex.Directory page) {
        long width = requireLength(page, TiffIndex.WIDTH);
        long height = requireLength(page, TiffIndex.HEIGHT);
        long samples = page.firstValue(TiffIndex.SAMPLES, 1);
        boolean isPlanar = page.firstValue(TiffIndex.PLANAR, 1) == 2 && samples > 1; // 2: a plane for each sample
        boolean isTiled = page.valuesOf(TiffIndex.TILE_OFFSETS).length > 0;
        long rows = isTiled
                ? requireLength(page, TiffIndex.TILE_HEIGHT)
                : Math.max(1, Math.min(height, page.firstValue(TiffIndex.ROWS, height)));
        long columns = isTiled ? requireLength(page, TiffIndex.TILE_WIDTH) : width;
        if (samples < 1 || samples > 1 << 16) {
            throw new CorruptDataException("TIFF: expected 1 to 65536 samples, found " + samples);
        }
        List<Long> shape = new ArrayList<>(List.of(height, width));
        List<Long> chunkShape = new ArrayList<>(List.of(rows, columns));
        if (samples > 1) {
            shape.add(isPlanar ? 0 : 2, samples);
            chunkShape.add(isPlanar ? 0 : 2, isPlanar ? 1 : samples);
        }
        long compression = page.firstValue(TiffIndex.COMPRESSION, NONE);
        if (compression != NONE && compression != LZW && !DEFLATE.contains(compression)) {
            throw new UnsupportedException(
                    "TIFF: compression " + compression + " is not supported; none, LZW and deflate are");
        }
        long predictor = page.firstValue(TiffIndex.PREDICTOR, 1); // 1: none; 2: differences; 3: of floating-point bytes
        if (predictor > 2 || page.firstValue(TiffIndex.FILL_ORDER, 1) != 1) {
            throw new UnsupportedException("TIFF: predictor " + predictor + " or the order of bits is not supported");
        }
        String dtype = readDtype(page, (int) samples);
        if (predictor == 2 && dtype.charAt(1) == 'f') {
            throw new UnsupportedException("TIFF: predictor 2 of floating-point numbers is not supported");
        }
        return new TiffImageLayout(
                List.copyOf(shape), List.copyOf(chunkShape), isPlanar, dtype, compression, predictor == 2);
    }

    private static long requireLength(TiffIndex.Directory page, int tag) {
        long length = page.firstValue(tag, 0);
        if (length < 1 || length >= MAX_LENGTH) {
            throw new CorruptDataException(
                    "TIFF: expected a length of 1 to 2^31-1 in tag " + tag + ", found " + length);
        }
        return length;
    }

    /** Returns NumPy's name of the data type. All samples of a pixel must have the same type. */
    private static String readDtype(TiffIndex.Directory page, int samples) {
        long[] bits = page.valuesOf(TiffIndex.BITS);
        long[] formats = page.valuesOf(TiffIndex.FORMAT);
        long size = bits.length == 0 ? 1 : bits[0];
        long format = formats.length == 0 ? 1 : formats[0];
        boolean areEqual = Arrays.stream(bits).allMatch(value -> value == size)
                && Arrays.stream(formats).allMatch(value -> value == format);
        String kind = format == 1 ? "u" : format == 2 ? "i" : format == 3 && size > 8 ? "f" : "";
        if (!areEqual || kind.isEmpty() || size != 8 && size != 16 && size != 32 && size != 64) {
            throw new UnsupportedException("TIFF: " + samples + " samples of " + Arrays.toString(bits)
                    + " bits in format " + format + " are not supported");
        }
        String order = size == 8 ? "|" : page.order() == ByteOrder.BIG_ENDIAN ? ">" : "<";
        return order + kind + size / 8;
    }

    int elementSize() {
        return dtype.charAt(2) - '0';
    }

    /** Returns the number of tiles or strips in each dimension. */
    long[] gridShape() {
        long[] gridShape = new long[shape.size()];
        for (int d = 0; d < gridShape.length; d++) {
            gridShape[d] = (shape.get(d) - 1) / chunkShape.get(d) + 1;
        }
        return gridShape;
    }

    /** Returns the dimension in {@code shape} whose length is the height. */
    int rowDimension() {
        return isPlanar ? 1 : 0;
    }

    /** Returns the compressor of Zarr v2 that decodes the tiles or strips; null if they are not compressed. */
    Json compressor() {
        if (compression == NONE) {
            return new Json.Null();
        }
        return Json.object().with("id", Json.of(compression == LZW ? "imagecodecs_lzw" : "zlib"));
    }
}
