package dev.shardkit.testkit;

import dev.shardkit.spi.plan.Bytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Sample bytes for tests of bytes-to-bytes codecs; the same in every run. Stateless. */
public final class SampleBytes {
    private SampleBytes() {}

    /** The kinds of sample bytes. */
    public enum Kind {
        /** All zero. */
        ZEROS,
        /** Slowly growing numbers, like measurements. */
        SMOOTH,
        /** Incompressible bytes. */
        NOISE
    }

    /** Returns {@code n} bytes of {@code kind}. */
    public static byte[] make(Kind kind, int n) {
        byte[] bytes = new byte[n];
        Random random = new Random(n);
        if (kind == Kind.NOISE) {
            random.nextBytes(bytes);
        } else if (kind == Kind.SMOOTH) {
            int value = 1000;
            for (int i = 0; i < n; i++) {
                value += i % 4 == 0 ? random.nextInt(5) - 1 : 0;
                bytes[i] = (byte) (value >> 8 * (i % 4));
            }
        }
        return bytes;
    }

    /** Returns the bytes in pieces of growing lengths, which are read-only and alternately direct and on the heap. */
    public static Bytes inPieces(byte[] bytes) {
        List<Bytes> pieces = new ArrayList<>();
        int position = 0;
        for (int maxLength = 1; position < bytes.length; maxLength = maxLength * 3 + 1) {
            int length = Math.min(maxLength, bytes.length - position);
            ByteBuffer piece = pieces.size() % 2 == 0 ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
            piece.put(0, bytes, position, length);
            pieces.add(Bytes.of(piece.asReadOnlyBuffer()));
            position += length;
        }
        return Bytes.concat(pieces);
    }

    /** Returns the bytes as a part of a larger array. */
    public static Bytes inside(byte[] bytes) {
        byte[] larger = new byte[bytes.length + 20];
        Arrays.fill(larger, (byte) 0x5a);
        System.arraycopy(bytes, 0, larger, 13, bytes.length);
        return Bytes.of(larger, 13, bytes.length);
    }
}
