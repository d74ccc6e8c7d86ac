package dev.shardkit.spi.kernel;

import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Bytes as a part of one array, for kernels that want it so: shared where they are that already, otherwise copied into
 * the scratch. Nobody writes to the array.
 *
 * @param array where they lie
 * @param from the first one
 * @param to behind the last one
 */
public record HeapBytes(byte[] array, int from, int to) {
    /**
     * Finds or makes the array.
     *
     * @param what names the codec, for the message
     * @throws UnsupportedException above what a Java array holds
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

    /** How many. */
    public int size() {
        return to - from;
    }
}
