package dev.shardkit.spi.array;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * The value of elements that were never written, as the bytes of one element: little-endian words, real before
 * imaginary. For variable-length types, the bytes of the value (UTF-8 for strings). Equality is bitwise, so NaN
 * payloads and signed zeros count. Immutable.
 */
public final class FillValue {
    private final byte[] bytes;
    private final boolean zero;

    private FillValue(byte[] bytes) {
        this.bytes = bytes;
        boolean allZero = true;
        for (byte b : bytes) {
            allZero &= b == 0;
        }
        this.zero = allZero;
    }

    /** Creates a fill value of these bytes. */
    public static FillValue of(byte[] littleEndian) {
        return new FillValue(littleEndian.clone());
    }

    /** Returns the bytes, little-endian. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Returns the size in bytes. */
    public int size() {
        return bytes.length;
    }

    /** Returns byte {@code i}. */
    public byte byteAt(int i) {
        return bytes[i];
    }

    /** Returns whether all bits are zero. */
    public boolean isZero() {
        return zero;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FillValue f && Arrays.equals(bytes, f.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "0x" + HexFormat.of().formatHex(bytes) + " (little-endian)";
    }
}
