package dev.shardkit.spi.type;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * Converts the bytes of fill values to and from numbers and JSON (lists of integers, base64), for the core data types.
 */
final class FillValueBytes {
    private FillValueBytes() {}

    static MetadataException refuse(String typeName, String expected, Json found) {
        return Config.expected("fill_value", expected + " for " + typeName, found);
    }

    /** Writes the lowest {@code size} bytes of {@code bits} at {@code offset}, little-endian. */
    static void put(long bits, byte[] bytes, int offset, int size) {
        for (int i = 0; i < size; i++) {
            bytes[offset + i] = (byte) (bits >>> (8 * i));
        }
    }

    /** Reads {@code size} bytes of a fill value at {@code offset}, little-endian, not sign-extended. */
    static long get(FillValue value, int offset, int size) {
        long bits = 0;
        for (int i = size - 1; i >= 0; i--) {
            bits = bits << 8 | (value.byteAt(offset + i) & 0xff);
        }
        return bits;
    }

    static void checkSize(String typeName, FillValue value, int size) {
        if (value.size() != size) {
            throw new IllegalArgumentException("a fill value of " + value.size() + " bytes for " + typeName);
        }
    }

    /** Reads a list of integers from 0 to 255. */
    static byte[] list(String typeName, Json.Arr json) {
        byte[] bytes = new byte[json.items().size()];
        for (int i = 0; i < bytes.length; i++) {
            Json item = json.items().get(i);
            String text = item instanceof Json.Num n && n.isInteger() ? n.lexeme() : "";
            int value = text.matches("[0-9]{1,3}") ? Integer.parseInt(text) : 256; // 256 stands for any other text
            if (value > 255) {
                throw refuse(typeName, "a list of integers from 0 to 255", item);
            }
            bytes[i] = (byte) value;
        }
        return bytes;
    }

    static Json list(byte[] bytes) {
        List<Json> items = new ArrayList<>(bytes.length);
        for (byte b : bytes) {
            items.add(Json.of(b & 0xff));
        }
        return new Json.Arr(items);
    }

    static byte[] base64(String typeName, Json.Str json) {
        try {
            return Base64.getDecoder().decode(json.value());
        } catch (IllegalArgumentException e) {
            throw refuse(typeName, "base64 (RFC 4648, section 4)", json);
        }
    }

    static Json base64(byte[] bytes) {
        return Json.of(Base64.getEncoder().encodeToString(bytes));
    }
}
