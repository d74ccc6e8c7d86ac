package dev.shardkit.type;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;

/**
 * Converts fill values of up to eight bytes, little-endian, to the bits of a {@code long}, and back. For the registered
 * data types of this package.
 */
final class FillValueBits {
    private FillValueBits() {}

    /** Returns the error for a fill value in metadata that the type does not allow. */
    static MetadataException refuse(String typeName, String expected, Json found) {
        return Config.expected("fill_value", expected + " for " + typeName, found);
    }

    /** Creates a fill value of the lowest {@code size} bytes of {@code bits}. */
    static FillValue of(long bits, int size) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) (bits >>> 8 * i);
        }
        return FillValue.of(bytes);
    }

    /** Returns all bits of a fill value, which must have {@code size} bytes. */
    static long bits(String typeName, FillValue value, int size) {
        if (value.size() != size) {
            throw new IllegalArgumentException("a fill value of " + value.size() + " bytes for " + typeName);
        }
        long bits = 0;
        for (int i = size - 1; i >= 0; i--) {
            bits = bits << 8 | value.byteAt(i) & 0xff;
        }
        return bits;
    }
}
