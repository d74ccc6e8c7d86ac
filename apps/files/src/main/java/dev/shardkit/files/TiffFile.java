package dev.shardkit.files;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.WholeFormat;
import dev.shardkit.spi.error.UnsupportedException;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * A TIFF file (TIFF 6.0, or BigTIFF above 4 GiB) without compression. Sizes and offsets are known before the first
 * byte, so the file is written from front to back, in one pass over the array, even to a pipe. Each page is its
 * directory followed by its strips or tiles.
 *
 * <p>Why no library: the JDK's writer knows no BigTIFF. All writers of ImageIO need an output to seek in, and AWT's
 * images, which lack most data types.
 *
 * @param shape the region's shape, for the description that tifffile reads
 * @param pages the number of images
 * @param width in pixels
 * @param height in pixels
 * @param samples the number of samples of a pixel
 * @param bits the size of a sample
 * @param sampleFormat the kind of number (tag 339)
 * @param layout strips or tiles
 */
record TiffFile(
        long[] shape, long pages, long width, long height, int samples, int bits, int sampleFormat, TiffLayout layout)
        implements ArrayFile {
    private static final int UNSIGNED = 1;
    private static final int SIGNED = 2;
    private static final int FLOATING = 3;
    private static final int COMPLEX = 6;
    private static final long MAX_PIXELS = 0xffffffffL;

    /** Returns the file; {@code layout} is strips or tiles, or empty for what suits the size. */
    static TiffFile of(ZarrArray array, Box region, Optional<TiffLayout> layout) {
        DataType type = array.dataType();
        int format = sampleFormat(type)
                .orElseThrow(() ->
                        new UnsupportedException("elements of type " + type.name() + " cannot be written as TIFF"));
        int bits = 8 * type.elementSize().orElseThrow();
        long[] shape = region.shape();
        int rank = shape.length;
        boolean isColour =
                rank >= 3 && format == UNSIGNED && bits <= 16 && (shape[rank - 1] == 3 || shape[rank - 1] == 4);
        int last = isColour ? rank - 2 : rank - 1; // the dimension of the width
        long width = last >= 0 ? shape[last] : 1;
        long height = last >= 1 ? shape[last - 1] : 1;
        if (region.isEmpty() || width > MAX_PIXELS || height > MAX_PIXELS) {
            throw new UnsupportedException(
                    "TIFF holds images of 1 to 2^32-1 pixels a side; the region has shape " + Arrays.toString(shape));
        }
        long pages = Shapes.count(Arrays.copyOf(shape, Math.max(0, last - 1)));
        int samples = isColour ? (int) shape[rank - 1] : 1;
        long rowBytes = Math.multiplyExact(width, (long) samples * bits / 8);
        TiffLayout chosen = layout.orElseGet(() -> TiffLayout.usual(width, height, rowBytes));
        if (chosen.isTiled() && rowBytes * Math.min(chosen.tile(), height) > Integer.MAX_VALUE - 8) {
            throw new UnsupportedException("a row of tiles of " + chosen.tile() + " pixels does not fit into memory");
        }
        return new TiffFile(shape, pages, width, height, samples, bits, format, chosen);
    }

    private static OptionalInt sampleFormat(DataType type) {
        if (type.name().equals("complex64") || type.name().equals("complex128")) {
            return OptionalInt.of(COMPLEX);
        } else if (type.elementSize().isEmpty() || type.number().isEmpty()) {
            return OptionalInt.empty();
        } else if (type.number().get() instanceof WholeFormat whole
                && whole.bits() == 8 * type.elementSize().getAsInt()) {
            return OptionalInt.of(whole.isSigned() ? SIGNED : UNSIGNED);
        }
        boolean isIeee = type.number().get() instanceof FloatingFormat f
                && (f.equals(FloatingFormat.BINARY16)
                        || f.equals(FloatingFormat.BINARY32)
                        || f.equals(FloatingFormat.BINARY64));
        return isIeee ? OptionalInt.of(FLOATING) : OptionalInt.empty();
    }

    @Override
    public void write(Slices slices, OutputStream out) throws IOException {
        TiffPages file = new TiffPages(this, description());
        file.header(out);
        Optional<TiffTiles> tiles = layout.isTiled() ? Optional.of(new TiffTiles(this, out)) : Optional.empty();
        long pageBytes = file.pageBytes();
        long[] state = {0, 0}; // pages that have begun, bytes that are missing in the last one
        slices.read(elements -> RawBytes.write(elements, new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                for (int at = from; at < from + length; ) {
                    if (state[1] == 0) {
                        file.directory(state[0]++, out);
                        state[1] = pageBytes;
                    }
                    int n = (int) Math.min(state[1], from + length - at);
                    if (tiles.isPresent()) {
                        tiles.get().write(bytes, at, n);
                    } else {
                        out.write(bytes, at, n);
                    }
                    at += n;
                    state[1] -= n;
                    if (state[1] == 0) {
                        file.pad(out);
                    }
                }
            }
        }));
    }

    /** Returns the shape as tifffile writes and reads it. */
    private String description() {
        return Arrays.stream(shape).mapToObj(Long::toString).collect(Collectors.joining(", ", "{\"shape\": [", "]}"));
    }

    /** Returns the size of all samples. */
    BigInteger bytes() {
        return BigInteger.valueOf(pages)
                .multiply(BigInteger.valueOf(height))
                .multiply(BigInteger.valueOf(width))
                .multiply(BigInteger.valueOf((long) samples * bits / 8));
    }
}
