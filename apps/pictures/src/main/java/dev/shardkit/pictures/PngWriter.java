package dev.shardkit.pictures;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/**
 * Writes a PNG image (ISO/IEC 15948) row by row, so that an image of any size needs little memory. Does not read
 * images. The JDK's own writer needs AWT. Not thread-safe.
 */
public final class PngWriter implements AutoCloseable {
    private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    private static final int BUFFER = 1 << 16;
    private static final int HEADER = 13;
    private static final int SUB = 1;

    private final DataOutputStream out;
    private final Deflater deflater;
    private final DeflaterOutputStream rows;
    private final int height;
    private final int filter;
    private final int pixelBytes;
    private final byte[] filtered;
    private int written;

    /** The meaning of the samples of a pixel. */
    public enum Samples {
        /** One sample of gray. */
        GRAY(0, 1),
        /** Red, green, blue. */
        RGB(2, 3),
        /** The number of a colour in a palette. */
        PALETTE(3, 1),
        /** Gray and opacity. */
        GRAY_ALPHA(4, 2),
        /** Red, green, blue and opacity. */
        RGBA(6, 4);

        private final int code;
        private final int count;

        Samples(int code, int count) {
            this.code = code;
            this.count = count;
        }

        /** Returns the number of samples of a pixel. */
        public int count() {
            return count;
        }
    }

    private PngWriter(DataOutputStream out, int width, int height, Samples samples, int bits) {
        this.out = out;
        this.height = height;
        this.pixelBytes = samples.count * bits / 8;
        this.filter = samples == Samples.PALETTE ? 0 : SUB;
        this.filtered = new byte[Math.addExact(1, Math.multiplyExact(width, pixelBytes))];
        this.deflater = new Deflater(Deflater.BEST_SPEED);
        this.rows = new DeflaterOutputStream(new Pieces(out), deflater, BUFFER);
    }

    /**
     * Begins an image. Closing the writer does not close {@code out}.
     *
     * @param width in pixels, at least 1
     * @param height in pixels, at least 1
     * @param samples the samples of a pixel; not a palette
     * @param bits 8 or 16 bits for each sample
     * @throws ArithmeticException if a row has more than 2^31-2 bytes
     */
    public static PngWriter to(OutputStream out, int width, int height, Samples samples, int bits) throws IOException {
        return begin(out, width, height, samples, bits);
    }

    /**
     * Begins an image of colours from a palette. Colour 0 is transparent.
     *
     * @param palette 256 colours of red, green and blue
     */
    public static PngWriter to(OutputStream out, int width, int height, byte[] palette) throws IOException {
        PngWriter writer = begin(out, width, height, Samples.PALETTE, 8);
        chunk(writer.out, "PLTE", palette, palette.length);
        chunk(writer.out, "tRNS", new byte[] {0}, 1);
        return writer;
    }

    private static PngWriter begin(OutputStream to, int width, int height, Samples samples, int bits)
            throws IOException {
        if (width < 1 || height < 1 || bits != 8 && bits != 16) {
            throw new IllegalArgumentException("expected at least one pixel of 8 or 16 bits, found " + width + " x "
                    + height + " of " + bits + " bits");
        }
        DataOutputStream out = new DataOutputStream(to);
        PngWriter writer = new PngWriter(out, width, height, samples, bits);
        out.write(SIGNATURE);
        byte[] header = new byte[HEADER];
        for (int i = 0; i < 4; i++) {
            header[i] = (byte) (width >> 24 - 8 * i);
            header[4 + i] = (byte) (height >> 24 - 8 * i);
        }
        header[8] = (byte) bits;
        header[9] = (byte) samples.code;
        chunk(out, "IHDR", header, header.length);
        return writer;
    }

    /**
     * Writes the next row.
     *
     * @param samples holds the samples of the row, those of 16 bits with the high byte first
     * @param from the index of the row's first byte
     */
    public void row(byte[] samples, int from) throws IOException {
        if (++written > height) {
            throw new IllegalStateException("expected " + height + " rows");
        }
        filtered[0] = (byte) filter;
        int length = filtered.length - 1;
        if (filter == SUB) {
            System.arraycopy(samples, from, filtered, 1, Math.min(pixelBytes, length));
            for (int i = pixelBytes; i < length; i++) {
                filtered[i + 1] = (byte) (samples[from + i] - samples[from + i - pixelBytes]);
            }
        } else {
            System.arraycopy(samples, from, filtered, 1, length);
        }
        rows.write(filtered, 0, filtered.length);
    }

    /** Writes the end of the image. Throws {@code IllegalStateException} if rows are missing. */
    public void end() throws IOException {
        if (written != height) {
            throw new IllegalStateException("expected " + height + " rows, found " + written);
        }
        rows.finish();
        chunk(out, "IEND", new byte[0], 0);
        out.flush();
    }

    /** Frees the compressor. */
    @Override
    public void close() {
        deflater.end();
    }

    private static void chunk(DataOutputStream out, String type, byte[] content, int length) throws IOException {
        byte[] name = type.getBytes(StandardCharsets.US_ASCII);
        CRC32 crc = new CRC32();
        crc.update(name);
        crc.update(content, 0, length);
        out.writeInt(length);
        out.write(name);
        out.write(content, 0, length);
        out.writeInt((int) crc.getValue());
    }

    /** Makes an {@code IDAT} chunk of each piece of compressed bytes. */
    private static final class Pieces extends OutputStream {
        private final DataOutputStream out;

        Pieces(DataOutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            byte[] piece = from == 0 ? bytes : Arrays.copyOfRange(bytes, from, from + length);
            chunk(out, "IDAT", piece, length);
        }
    }
}
