package dev.shardkit.spi.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Slices of bytes that lie in several pieces. */
class BytesTest {
    /** Returns the same bytes on the heap, within a larger array, and outside of the heap. */
    private static Bytes piece(int number, byte[] bytes) {
        if (number % 3 == 0) {
            return Bytes.of(bytes);
        }
        ByteBuffer larger =
                number % 3 == 1 ? ByteBuffer.allocate(bytes.length + 2) : ByteBuffer.allocateDirect(bytes.length + 2);
        larger.put((byte) 1).put(bytes).put((byte) 2);
        return number % 3 == 1
                ? Bytes.of(larger.array(), 1, bytes.length)
                : Bytes.of(larger.position(1).limit(1 + bytes.length));
    }

    private static byte[] rest(ByteBuffer buffer) {
        byte[] rest = new byte[buffer.remaining()];
        buffer.get(rest);
        return rest;
    }

    @Test
    void slice_overPieces_isASliceOfTheBytesJoined() {
        for (int round = 0; round < 1_000; round++) {
            long seed = System.nanoTime();
            Random random = new Random(seed);
            List<Bytes> pieces = new ArrayList<>();
            ByteArrayOutputStream joined = new ByteArrayOutputStream();
            for (int i = random.nextInt(6); i > 0; i--) {
                byte[] bytes = new byte[random.nextInt(6)];
                random.nextBytes(bytes);
                pieces.add(piece(pieces.size(), bytes));
                joined.writeBytes(bytes);
            }
            byte[] all = joined.toByteArray();
            int a = random.nextInt(all.length + 1);
            int b = random.nextInt(all.length + 1);
            int start = Math.min(a, b);
            int end = Math.max(a, b);
            byte[] expected = Arrays.copyOfRange(all, start, end);
            String what = "seed " + seed;

            Bytes slice = Bytes.concat(pieces).slice(start, end - start);

            assertEquals(expected.length, slice.size(), what);
            assertArrayEquals(expected, slice.toArray(), what);
            assertArrayEquals(expected, slice.copy().toArray(), what);
            assertArrayEquals(expected, rest(slice.buffer()), what);
            ByteArrayOutputStream parts = new ByteArrayOutputStream();
            slice.pieces().forEach(part -> parts.writeBytes(rest(part)));
            assertArrayEquals(expected, parts.toByteArray(), what);
            assertTrue(slice.contentEquals(Bytes.of(expected)), what);
            assertArrayEquals(
                    Arrays.copyOfRange(expected, Math.max(0, expected.length - 3), expected.length),
                    slice.slice(new ByteRange.Suffix(3)).toArray(),
                    what);
            assertArrayEquals(expected, slice.slice(ByteRange.whole()).toArray(), what);
        }
    }
}
