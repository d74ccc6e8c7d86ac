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
 * Writes a PNG image (ISO/IEC 15948) row by row, so that an image of any size needs little memory. The JDK's own writer
 * is not used, because it needs AWT. Not thread-safe.
 */
public final class PngWriter implements AutoCloseable {
    private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    /**
     * The size of a piece of compressed bytes. Each piece becomes a chunk of type {@code IDAT}, which holds image data.
     */
    private static final int BUFFER_SIZE = 1 << 16;
    /** The size of the content of the chunk {@code IHDR}, the header of the image. */
    private static final int HEADER_SIZE = 13;
    // The numbers of filters. A filter changes the bytes of a row before they are compressed.
    private static final int NO_FILTER = 0;
    /** Replaces each byte by its difference from the byte of the pixel before, which compresses better. */
    private static final int SUB_FILTER = 1;

    private final DataOutputStream out;
    private final Deflater deflater;
    /** Compresses the rows. */
    private final DeflaterOutputStream rows;

    private final int height;
    private final int filter;
    /** The size of a pixel in bytes. */
    private final int pixelBytes;
    /** A row after filtering: the number of the filter, then the bytes. */
    private final byte[] filtered;

    private int writtenRows;

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

        /** The colour type in the header of a PNG file. */
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
        this.filter = samples == Samples.PALETTE ? NO_FILTER : SUB_FILTER;
        this.filtered = new byte[Math.addExact(1, Math.multiplyExact(width, pixelBytes))];
        this.deflater = new Deflater(Deflater.BEST_SPEED);
        this.rows = new DeflaterOutputStream(new Pieces(out), deflater, BUFFER_SIZE);
    }

    /**
     * Begins an image. Closing the writer does not close {@code out}.
     *
     * @param width the width in pixels, at least 1
     * @param height the height in pixels, at least 1
     * @param samples the meaning of the samples of a pixel; not {@code PALETTE}
     * @param bits the size of a sample: 8 or 16
     * @throws ArithmeticException if a row has more than 2^31-2 bytes
     */
    public static PngWriter to(OutputStream out, int width, int height, Samples samples, int bits) throws IOException {
        return begin(out, width, height, samples, bits);
    }

    /**
     * Begins an image of colours from a palette. Colour 0 is transparent.
     *
     * @param palette 256 colours, each with a byte of red, of green and of blue
     */
    public static PngWriter to(OutputStream out, int width, int height, byte[] palette) throws IOException {
        PngWriter writer = begin(out, width, height, Samples.PALETTE, 8);
        writeChunk(writer.out, "PLTE", palette, palette.length);
        writeChunk(writer.out, "tRNS", new byte[] {0}, 1); // the opacity of colour 0; all others are opaque
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
        byte[] header = new byte[HEADER_SIZE]; // the last three bytes are 0: deflate, filters, no interlacing
        for (int i = 0; i < 4; i++) { // both numbers are big-endian
            header[i] = (byte) (width >> 24 - 8 * i);
            header[4 + i] = (byte) (height >> 24 - 8 * i);
        }
        header[8] = (byte) bits;
        header[9] = (byte) samples.code;
        writeChunk(out, "IHDR", header, header.length);
        return writer;
    }

    /**
     * Writes the next row.
     *
     * @param samples contains the samples of the row, those of 16 bits with the high byte first
     * @param from the index of the row's first byte
     */
    public void row(byte[] samples, int from) throws IOException {
        if (++writtenRows > height) {
            throw new IllegalStateException("expected " + height + " rows");
        }
        filtered[0] = (byte) filter;
        int length = filtered.length - 1;
        if (filter == SUB_FILTER) { // the first pixel has none before it, so it is stored as it is
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
        if (writtenRows != height) {
            throw new IllegalStateException("expected " + height + " rows, found " + writtenRows);
        }
        rows.finish();
        writeChunk(out, "IEND", new byte[0], 0);
        out.flush();
    }

    /** Frees the compressor. */
    @Override
    public void close() {
        deflater.end();
    }

    /** Writes a chunk: the length of its content, its type, the content, and a CRC-32 of type and content. */
    private static void writeChunk(DataOutputStream out, String type, byte[] content, int length) throws IOException {
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
            writeChunk(out, "IDAT", piece, length);
        }
    }
}
