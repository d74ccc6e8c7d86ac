package dev.shardkit.spi.kernel;

import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Bytes as part of one array, for kernels that need an array. Shares the array if the bytes are already in one;
 * otherwise copies them into the scratch. The array must not be modified.
 *
 * @param array the array that holds the bytes
 * @param from the index of the first byte
 * @param to the end (exclusive)
 */
public record HeapBytes(byte[] array, int from, int to) {
    /**
     * Finds or fills the array.
     *
     * @param what the name of the codec, for the message
     * @throws UnsupportedException if a Java array cannot hold the bytes
     */
    public static HeapBytes of(Bytes bytes, Scratch scratch, String what) {
        if (bytes.size() > Limits.LARGEST_CHUNK) {
            throw new UnsupportedException(
                    what + ": expected at most " + Limits.LARGEST_CHUNK + " bytes at once, found " + bytes.size());
        }
        List<ByteBuffer> pieces = bytes.pieces();
        if (pieces.size() == 1 && pieces.get(0).hasArray()) {
            ByteBuffer only = pieces.get(0);
            int from = only.arrayOffset() + only.position();
            return new HeapBytes(only.array(), from, from + only.remaining());
        }
        byte[] copy = scratch.borrow((int) bytes.size());
        int at = 0;
        for (ByteBuffer piece : pieces) {
            int n = piece.remaining();
            piece.get(copy, at, n);
            at += n;
        }
        return new HeapBytes(copy, 0, at);
    }

    /** Returns the number of bytes. */
    public int size() {
        return to - from;
    }
}
