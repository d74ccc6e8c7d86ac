package dev.shardkit.type;

import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.error.CorruptDataException;
import java.nio.ByteBuffer;
import java.util.function.IntUnaryOperator;

/**
 * Sets and checks the unused upper bits of numbers that are smaller than a byte. Works byte by byte, so it also serves
 * complex numbers, which have two such bytes.
 */
final class UnusedBits {
    private UnusedBits() {}

    /**
     * Returns a copy in which {@code canonicalByte} was applied to each byte; the same elements if no byte changes.
     *
     * @param canonicalByte returns a byte with the right unused bits
     */
    static Elements canonical(Elements stored, IntUnaryOperator canonicalByte) {
        Elements.Fixed fixed = (Elements.Fixed) stored;
        ByteBuffer in = fixed.bytes();
        int size = in.limit();
        int first = firstNonCanonical(in, canonicalByte);
        if (first == size) {
            return stored;
        }
        ByteBuffer out = ByteBuffer.allocate(size).order(in.order());
        out.put(0, in, 0, first);
        for (int i = first; i < size; i++) {
            out.put(i, (byte) canonicalByte.applyAsInt(in.get(i)));
        }
        return new Elements.Fixed(out, fixed.elementSize(), 1);
    }

    /** Rejects bytes that {@code canonicalByte} would change. */
    static void check(String typeName, Elements elements, IntUnaryOperator canonicalByte) {
        ByteBuffer in = ((Elements.Fixed) elements).bytes();
        int i = firstNonCanonical(in, canonicalByte);
        if (i < in.limit()) {
            throw new CorruptDataException(typeName + " element " + i + ": expected a byte of that type, found 0x"
                    + Integer.toHexString(in.get(i) & 0xff));
        }
    }

    /** Returns the index of the first byte that {@code canonicalByte} would change; the limit if there is none. */
    private static int firstNonCanonical(ByteBuffer in, IntUnaryOperator canonicalByte) {
        int i = 0;
        while (i < in.limit() && (byte) canonicalByte.applyAsInt(in.get(i)) == in.get(i)) {
            i++;
        }
        return i;
    }
}
