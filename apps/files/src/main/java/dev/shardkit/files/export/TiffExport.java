package dev.shardkit.files.export;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.UnsupportedException;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * Exports a region as a TIFF file (TIFF 6.0, or BigTIFF above 4 GiB) without compression. All sizes and offsets are
 * known in advance, so the file is written sequentially, in one pass over the array, even to a pipe. Each page consists
 * of its directory followed by its strips or tiles.
 *
 * <p>This class does not use ImageIO: the JDK's TIFF writer does not support BigTIFF, all writers of ImageIO need a
 * seekable output, and AWT images do not support most data types.
 *
 * @param shape the region's shape, for the description that tifffile reads
 * @param pages the number of images
 * @param width the width in pixels
 * @param height the height in pixels
 * @param samples the number of samples of a pixel
 * @param bits the size of a sample
 * @param sampleFormat the kind of number (tag 339, SampleFormat)
 * @param layout strips or tiles
 */
public record TiffExport(
        long[] shape, long pages, long width, long height, int samples, int bits, int sampleFormat, TiffLayout layout)
        implements ArrayFile {
    // Values of the tag SampleFormat.
    private static final int UNSIGNED = 1;
    private static final int SIGNED = 2;
    private static final int FLOATING = 3;
    private static final int COMPLEX = 6;
    /** The maximum width and height, which TIFF stores in 32 bits. */
    private static final long MAX_SIDE = 0xffffffffL;

    /**
     * Creates the file.
     *
     * @param layout strips or tiles; empty to choose by the size of the image
     */
    public static TiffExport create(ZarrArray array, Box region, Optional<TiffLayout> layout) {
        DataType type = array.dataType();
        int format = sampleFormat(type)
                .orElseThrow(() ->
                        new UnsupportedException("elements of type " + type.name() + " cannot be written as TIFF"));
        int bits = 8 * type.elementSize().orElseThrow();
        long[] shape = region.shape();
        int rank = shape.length;
        boolean isColour =
                rank >= 3 && format == UNSIGNED && bits <= 16 && (shape[rank - 1] == 3 || shape[rank - 1] == 4);
        int widthDimension = isColour ? rank - 2 : rank - 1; // less than 0 for an array without dimensions
        long width = widthDimension >= 0 ? shape[widthDimension] : 1;
        long height = widthDimension >= 1 ? shape[widthDimension - 1] : 1;
        if (region.isEmpty() || width > MAX_SIDE || height > MAX_SIDE) {
            throw new UnsupportedException(
                    "TIFF holds images of 1 to 2^32-1 pixels a side; the region has shape " + Arrays.toString(shape));
        }
        long pages = Shapes.count(Arrays.copyOf(shape, Math.max(0, widthDimension - 1)));
        int samples = isColour ? (int) shape[rank - 1] : 1;
        long rowBytes = Math.multiplyExact(width, (long) samples * bits / 8);
        TiffLayout effectiveLayout = layout.orElseGet(() -> TiffLayout.choose(width, height, rowBytes));
        if (effectiveLayout.isTiled()
                && rowBytes * Math.min(effectiveLayout.tileSize(), height) > Integer.MAX_VALUE - 8) {
            throw new UnsupportedException(
                    "a row of tiles of " + effectiveLayout.tileSize() + " pixels does not fit into memory");
        }
        return new TiffExport(shape, pages, width, height, samples, bits, format, effectiveLayout);
    }

    /** Returns the value of the tag SampleFormat; empty if TIFF has none for the type. */
    private static OptionalInt sampleFormat(DataType type) {
        if (type.name().equals("complex64") || type.name().equals("complex128")) {
            return OptionalInt.of(COMPLEX);
        } else if (type.elementSize().isEmpty() || type.number().isEmpty()) {
            return OptionalInt.empty();
        } else if (type.number().get() instanceof IntegerFormat integers
                && integers.bits() == 8 * type.elementSize().getAsInt()) {
            return OptionalInt.of(integers.isSigned() ? SIGNED : UNSIGNED);
        }
        boolean isIeee = type.number().get() instanceof FloatingFormat floats
                && (floats.equals(FloatingFormat.BINARY16)
                        || floats.equals(FloatingFormat.BINARY32)
                        || floats.equals(FloatingFormat.BINARY64));
        return isIeee ? OptionalInt.of(FLOATING) : OptionalInt.empty();
    }

    @Override
    public void write(Slices slices, OutputStream out) throws IOException {
        TiffDirectoryWriter tiffPages = new TiffDirectoryWriter(this, shapeDescription());
        tiffPages.writeHeader(out);
        Optional<TiffTileWriter> tiles =
                layout.isTiled() ? Optional.of(new TiffTileWriter(this, out)) : Optional.empty();
        long pageBytes = tiffPages.pageBytes();
        // [0]: the number of pages that were begun; [1]: the number of bytes that the last one still lacks.
        long[] pageState = {0, 0};
        slices.read(elements -> RawElementWriter.write(elements, new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                for (int offset = from; offset < from + length; ) {
                    if (pageState[1] == 0) {
                        tiffPages.writeDirectory(pageState[0]++, out);
                        pageState[1] = pageBytes;
                    }
                    int count = (int) Math.min(pageState[1], from + length - offset);
                    if (tiles.isPresent()) {
                        tiles.get().write(bytes, offset, count);
                    } else {
                        out.write(bytes, offset, count);
                    }
                    offset += count;
                    pageState[1] -= count;
                    if (pageState[1] == 0) {
                        tiffPages.writePadding(out);
                    }
                }
            }
        }));
    }

    /** Returns the shape as JSON, the description from which the Python library tifffile restores the shape. */
    private String shapeDescription() {
        return Arrays.stream(shape).mapToObj(Long::toString).collect(Collectors.joining(", ", "{\"shape\": [", "]}"));
    }

    /** Returns the size of all samples. */
    BigInteger sampleBytes() {
        return BigInteger.valueOf(pages)
                .multiply(BigInteger.valueOf(height))
                .multiply(BigInteger.valueOf(width))
                .multiply(BigInteger.valueOf((long) samples * bits / 8));
    }
}
