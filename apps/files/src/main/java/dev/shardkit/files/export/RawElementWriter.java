package dev.shardkit.files.export;

import dev.shardkit.spi.array.Elements;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** Writes elements of a fixed size little-endian, as they are in memory. Stateless. */
final class RawElementWriter {
    /** The number of bytes that are copied at once. */
    private static final int PIECE_SIZE = 1 << 16;

    private RawElementWriter() {}

    static void write(Elements elements, OutputStream out) throws IOException {
        ByteBuffer bytes = ((Elements.Fixed) elements).bytes().duplicate().rewind();
        byte[] piece = new byte[Math.min(PIECE_SIZE, bytes.remaining())];
        while (bytes.hasRemaining()) {
            int length = Math.min(piece.length, bytes.remaining());
            bytes.get(piece, 0, length);
            out.write(piece, 0, length);
        }
    }
}
