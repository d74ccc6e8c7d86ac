package dev.shardkit.blosc2;

import dev.shardkit.spi.error.CorruptDataException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the MessagePack values in the header of a Blosc2 frame: integers, texts, bytes, lists and maps. Checks each
 * size against the bytes that are left before it allocates memory. Used by one thread.
 */
final class MsgPack {
    private static final int MAX_DEPTH = 8;

    private final ByteBuffer input;

    MsgPack(byte[] bytes) {
        this.input = ByteBuffer.wrap(bytes);
    }

    /** Reads a value: a Long, a Boolean, a String, a byte array, a list or a map. */
    Object readValue() {
        return readValue(0);
    }

    /** Reads a value of the given kind. */
    <T> T readValue(Class<T> type, String expected) {
        return cast(readValue(), type, expected);
    }

    /** Returns a value in the given kind; throws if it is of another kind. */
    static <T> T cast(Object value, Class<T> type, String expected) {
        if (!type.isInstance(value)) {
            throw corrupt(expected, value.getClass().getSimpleName());
        }
        return type.cast(value);
    }

    /** Reads a value by its first byte (tag), as the MessagePack specification defines them. */
    private Object readValue(int depth) {
        if (depth > MAX_DEPTH) {
            throw corrupt("values that nest at most " + MAX_DEPTH + " levels", "more");
        }
        int tag = input.get(requireBytes(1)) & 0xff;
        input.position(input.position() + 1);
        if (tag < 0x80) {
            return (long) tag;
        } else if (tag < 0x90) {
            return readMap(tag & 15, depth);
        } else if (tag < 0xa0) {
            return readList(tag & 15, depth);
        } else if (tag < 0xc0) {
            return readText(tag & 31);
        } else if (tag >= 0xe0) {
            return (long) (byte) tag;
        }
        // The lowest bits of these tags are the logarithm of the size of the number that follows.
        return switch (tag) {
            case 0xc0, 0xc2 -> Boolean.FALSE; // nil, false
            case 0xc3 -> Boolean.TRUE;
            case 0xc4, 0xc5, 0xc6 -> readBytes(readUnsigned(1 << tag - 0xc4));
            case 0xcc, 0xcd, 0xce, 0xcf -> readUnsigned(1 << tag - 0xcc);
            case 0xd0, 0xd1, 0xd2, 0xd3 -> readSigned(1 << tag - 0xd0);
            case 0xd4, 0xd5, 0xd6, 0xd7, 0xd8 -> readBytes((1L << tag - 0xd4) + 1);
            case 0xd9, 0xda, 0xdb -> readText(readUnsigned(1 << tag - 0xd9));
            case 0xdc, 0xdd -> readList(readUnsigned(2 << tag - 0xdc), depth);
            case 0xde, 0xdf -> readMap(readUnsigned(2 << tag - 0xde), depth);
            default -> throw corrupt("an integer, text, bytes, list or map", String.format("0x%02x", tag));
        };
    }

    /** Checks that at least {@code count} bytes are left. Returns the position. */
    private int requireBytes(long count) {
        if (count < 0 || count > input.remaining()) {
            throw corrupt(count + " more bytes", input.remaining() + "");
        }
        return input.position();
    }

    private long readUnsigned(int size) {
        long value = 0;
        requireBytes(size);
        for (int i = 0; i < size; i++) {
            value = value << Byte.SIZE | input.get() & 0xff;
        }
        return value;
    }

    private long readSigned(int size) {
        int unusedBits = Long.SIZE - size * Byte.SIZE;
        return readUnsigned(size) << unusedBits >> unusedBits; // extends the sign
    }

    private byte[] readBytes(long size) {
        requireBytes(size);
        byte[] bytes = new byte[(int) size];
        input.get(bytes);
        return bytes;
    }

    /** Reads a text. Flags of a frame are texts of arbitrary bytes, so each byte becomes one character. */
    private String readText(long size) {
        return new String(readBytes(size), StandardCharsets.ISO_8859_1);
    }

    /** Reads a list. Each item needs at least one byte, which bounds the size. */
    private List<Object> readList(long size, int depth) {
        requireBytes(size);
        List<Object> items = new ArrayList<>();
        for (long i = 0; i < size; i++) {
            items.add(readValue(depth + 1));
        }
        return items;
    }

    private Map<Object, Object> readMap(long size, int depth) {
        requireBytes(size);
        Map<Object, Object> members = new LinkedHashMap<>();
        for (long i = 0; i < size; i++) {
            Object name = readValue(depth + 1);
            members.put(name, readValue(depth + 1));
        }
        return members;
    }

    private static CorruptDataException corrupt(String expected, String value) {
        return new CorruptDataException("blosc2 frame: expected " + expected + ", found " + value);
    }
}
