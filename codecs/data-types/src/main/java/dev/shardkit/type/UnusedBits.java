package dev.shardkit.type;

import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.error.CorruptDataException;
import java.nio.ByteBuffer;
import java.util.function.IntUnaryOperator;

/**
 * Clears and checks the unused upper bits of elements that are smaller than a byte; complex numbers have two bytes,
 * each with unused bits.
 */
final class UnusedBits {
    private UnusedBits() {}

    /** Returns a copy in which {@code bits} was applied to each byte; the same elements if no byte changes. */
    static Elements canonical(Elements stored, IntUnaryOperator bits) {
        Elements.Fixed fixed = (Elements.Fixed) stored;
        ByteBuffer in = fixed.bytes();
        int n = in.limit();
        int first = firstOther(in, bits);
        if (first == n) {
            return stored;
        }
        ByteBuffer out = ByteBuffer.allocate(n).order(in.order());
        out.put(0, in, 0, first);
        for (int i = first; i < n; i++) {
            out.put(i, (byte) bits.applyAsInt(in.get(i)));
        }
        return new Elements.Fixed(out, fixed.elementSize(), 1);
    }

    /** Rejects bytes that {@code bits} would change. */
    static void check(String typeName, Elements elements, IntUnaryOperator bits) {
        ByteBuffer in = ((Elements.Fixed) elements).bytes();
        int i = firstOther(in, bits);
        if (i < in.limit()) {
            throw new CorruptDataException(typeName + " element " + i + ": expected a byte of that type, found 0x"
                    + Integer.toHexString(in.get(i) & 0xff));
        }
    }

    private static int firstOther(ByteBuffer in, IntUnaryOperator bits) {
        int i = 0;
        while (i < in.limit() && (byte) bits.applyAsInt(in.get(i)) == in.get(i)) {
            i++;
        }
        return i;
    }
}
