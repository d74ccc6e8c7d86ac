package dev.shardkit.serve;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/** Writes PNG images with a palette (ISO/IEC 15948); colour 0 is transparent. The JDK's own writer needs AWT. */
final class Png {
    private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    private static final int BITS = 8;
    private static final int PALETTE = 3;

    private Png() {}

    /**
     * Returns an image.
     *
     * @param width in pixels, at least 1
     * @param pixels the colour of each pixel, row by row; their number is a multiple of {@code width}
     * @param palette 256 colours of red, green and blue
     */
    static byte[] of(int width, byte[] pixels, byte[] palette) {
        int height = pixels.length / width;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.write(SIGNATURE);
            ByteArrayOutputStream header = new ByteArrayOutputStream();
            DataOutputStream fields = new DataOutputStream(header);
            fields.writeInt(width);
            fields.writeInt(height);
            fields.write(new byte[] {BITS, PALETTE, 0, 0, 0});
            chunk(out, "IHDR", header.toByteArray());
            chunk(out, "PLTE", palette);
            chunk(out, "tRNS", new byte[] {0});
            chunk(out, "IDAT", rows(width, height, pixels));
            chunk(out, "IEND", new byte[0]);
        } catch (IOException e) {
            throw new AssertionError("writing to memory failed", e);
        }
        return bytes.toByteArray();
    }

    /** Each row begins with the number of its filter: none. */
    private static byte[] rows(int width, int height, byte[] pixels) throws IOException {
        ByteArrayOutputStream rows = new ByteArrayOutputStream();
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        try (DeflaterOutputStream out = new DeflaterOutputStream(rows, deflater)) {
            for (int y = 0; y < height; y++) {
                out.write(0);
                out.write(pixels, y * width, width);
            }
        } finally {
            deflater.end();
        }
        return rows.toByteArray();
    }

    private static void chunk(DataOutputStream out, String type, byte[] content) throws IOException {
        byte[] name = type.getBytes(StandardCharsets.US_ASCII);
        CRC32 crc = new CRC32();
        crc.update(name);
        crc.update(content);
        out.writeInt(content.length);
        out.write(name);
        out.write(content);
        out.writeInt((int) crc.getValue());
    }
}
