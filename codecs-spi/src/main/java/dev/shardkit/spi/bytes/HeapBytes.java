package dev.shardkit.spi.bytes;

import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Bytes as part of one array, for codecs that work on arrays. Shares the array if the bytes are already in one;
 * otherwise copies them into the scratch. The array must not be modified.
 *
 * @param array the array that holds the bytes
 * @param from the index of the first byte
 * @param to the end (exclusive)
 */
public record HeapBytes(byte[] array, int from, int to) {
    /**
     * Returns bytes as part of one array.
     *
     * @param codec the name of the codec, for the message
     * @throws UnsupportedException if a Java array cannot hold the bytes
     */
    public static HeapBytes of(Bytes bytes, Scratch scratch, String codec) {
        if (bytes.size() > Limits.LARGEST_CHUNK) {
            throw new UnsupportedException(
                    codec + ": expected at most " + Limits.LARGEST_CHUNK + " bytes at once, found " + bytes.size());
        }
        List<ByteBuffer> pieces = bytes.pieces();
        if (pieces.size() == 1 && pieces.get(0).hasArray()) {
            ByteBuffer piece = pieces.get(0);
            int begin = piece.arrayOffset() + piece.position();
            return new HeapBytes(piece.array(), begin, begin + piece.remaining());
        }
        byte[] copy = scratch.borrow((int) bytes.size());
        int position = 0;
        for (ByteBuffer piece : pieces) {
            int length = piece.remaining();
            piece.get(copy, position, length);
            position += length;
        }
        return new HeapBytes(copy, 0, position);
    }

    /** Returns the number of bytes. */
    public int size() {
        return to - from;
    }
}
