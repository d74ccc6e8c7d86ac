package dev.shardkit.files.export;

import dev.shardkit.ZarrArray;
import dev.shardkit.pictures.PngWriter;
import dev.shardkit.pictures.PngWriter.Samples;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.error.UnsupportedException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * Exports a plane of {@code uint8} or {@code uint16} elements as a PNG file with exactly these values.
 *
 * @param width the width in pixels
 * @param height the height in pixels
 * @param samples the meaning of the samples of a pixel
 * @param bits the size of a sample
 */
public record PngExport(int width, int height, Samples samples, int bits) implements ArrayFile {
    public static PngExport create(ZarrArray array, Box region) {
        String type = array.dataType().name();
        if (!type.equals("uint8") && !type.equals("uint16")) {
            throw new UnsupportedException(
                    "PNG holds uint8 or uint16, found " + type + "; preview draws other types; npy holds them");
        }
        int bits = type.equals("uint8") ? 8 : 16;
        long[] shape = withoutLeadingOnes(region.shape());
        Samples samples = shape.length < 3
                ? Samples.GRAY
                : shape[2] == 2 ? Samples.GRAY_ALPHA : shape[2] == 3 ? Samples.RGB : Samples.RGBA;
        boolean isImage = shape.length == 2 || shape.length == 3 && shape[2] >= 2 && shape[2] <= 4;
        if (!isImage || shape[0] < 1 || shape[1] < 1) {
            throw new IllegalArgumentException(
                    "PNG holds one plane, or one with 2 to 4 samples in a last dimension; the region has shape "
                            + Arrays.toString(region.shape()) + ArrayFile.planeHint(region.shape()));
        }
        // A pixel has at most 4 samples of 2 bytes, so the product cannot overflow if 8 times the width does not.
        long rowBytes = Math.multiplyHigh(shape[1], 8L) != 0 ? Long.MAX_VALUE : shape[1] * samples.count() * bits / 8;
        if (shape[0] > Integer.MAX_VALUE || rowBytes > Integer.MAX_VALUE - 8) {
            throw new UnsupportedException("the image is too large for PNG: " + shape[1] + " x " + shape[0]);
        }
        return new PngExport((int) shape[1], (int) shape[0], samples, bits);
    }

    /** Returns the shape of the plane, without leading dimensions of length 1. */
    private static long[] withoutLeadingOnes(long[] shape) {
        int first = 0;
        while (shape.length - first > 2 && shape[first] == 1) {
            first++;
        }
        // So [1, h, 3] is a plane of width 3. Only in [h, w, 3] with h > 1 are the 3 elements the samples of a pixel.
        return Arrays.copyOfRange(shape, first, shape.length);
    }

    @Override
    public void write(Slices slices, OutputStream out) throws IOException {
        byte[] row = new byte[width * samples.count() * bits / 8];
        int[] position = {0};
        int byteSwapMask = bits / 8 - 1; // swaps the bytes of uint16, because PNG has the high byte first
        try (PngWriter png = PngWriter.to(out, width, height, samples, bits)) {
            slices.read(elements -> {
                Elements.Fixed fixed = (Elements.Fixed) elements;
                int size = Math.toIntExact(fixed.count() * fixed.elementSize());
                for (int i = 0; i < size; i++) {
                    row[position[0]++] = fixed.bytes().get(i ^ byteSwapMask);
                    if (position[0] == row.length) {
                        png.row(row, 0);
                        position[0] = 0;
                    }
                }
            });
            png.end();
        }
    }
}
