package dev.shardkit.blosc2;

import dev.shardkit.spi.error.CorruptDataException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads values of MessagePack, as far as frames use it: integers, texts, bytes, lists and maps. Nothing is allocated
 * from a claimed size. Used by one thread.
 */
final class MsgPack {
    private static final int MAX_DEPTH = 8;

    private final ByteBuffer in;

    MsgPack(byte[] bytes) {
        this.in = ByteBuffer.wrap(bytes);
    }

    /** Reads a value: a Long, a Boolean, a String, a byte array, a list or a map. */
    Object value() {
        return value(0);
    }

    /** Reads a value of the given kind. */
    <T> T value(Class<T> kind, String what) {
        return cast(value(), kind, what);
    }

    static <T> T cast(Object found, Class<T> kind, String what) {
        if (!kind.isInstance(found)) {
            throw corrupt(what, found.getClass().getSimpleName());
        }
        return kind.cast(found);
    }

    private Object value(int depth) {
        if (depth > MAX_DEPTH) {
            throw corrupt("values that nest at most " + MAX_DEPTH + " levels", "more");
        }
        int tag = in.get(need(1)) & 0xff;
        in.position(in.position() + 1);
        if (tag < 0x80) {
            return (long) tag;
        } else if (tag < 0x90) {
            return map(tag & 15, depth);
        } else if (tag < 0xa0) {
            return list(tag & 15, depth);
        } else if (tag < 0xc0) {
            return text(tag & 31);
        } else if (tag >= 0xe0) {
            return (long) (byte) tag;
        }
        return switch (tag) {
            case 0xc0, 0xc2 -> Boolean.FALSE;
            case 0xc3 -> Boolean.TRUE;
            case 0xc4, 0xc5, 0xc6 -> bytes(unsigned(1 << tag - 0xc4));
            case 0xcc, 0xcd, 0xce, 0xcf -> unsigned(1 << tag - 0xcc);
            case 0xd0, 0xd1, 0xd2, 0xd3 -> signed(1 << tag - 0xd0);
            case 0xd4, 0xd5, 0xd6, 0xd7, 0xd8 -> bytes((1L << tag - 0xd4) + 1);
            case 0xd9, 0xda, 0xdb -> text(unsigned(1 << tag - 0xd9));
            case 0xdc, 0xdd -> list(unsigned(2 << tag - 0xdc), depth);
            case 0xde, 0xdf -> map(unsigned(2 << tag - 0xde), depth);
            default -> throw corrupt("an integer, text, bytes, list or map", String.format("0x%02x", tag));
        };
    }

    private int need(long n) {
        if (n < 0 || n > in.remaining()) {
            throw corrupt(n + " more bytes", in.remaining() + "");
        }
        return in.position();
    }

    private long unsigned(int size) {
        long value = 0;
        need(size);
        for (int i = 0; i < size; i++) {
            value = value << Byte.SIZE | in.get() & 0xff;
        }
        return value;
    }

    private long signed(int size) {
        int unused = Long.SIZE - size * Byte.SIZE;
        return unsigned(size) << unused >> unused;
    }

    private byte[] bytes(long size) {
        need(size);
        byte[] bytes = new byte[(int) size];
        in.get(bytes);
        return bytes;
    }

    private String text(long size) {
        return new String(bytes(size), StandardCharsets.ISO_8859_1);
    }

    /** Each item takes a byte at least. */
    private List<Object> list(long size, int depth) {
        need(size);
        List<Object> items = new ArrayList<>();
        for (long i = 0; i < size; i++) {
            items.add(value(depth + 1));
        }
        return items;
    }

    private Map<Object, Object> map(long size, int depth) {
        need(size);
        Map<Object, Object> members = new LinkedHashMap<>();
        for (long i = 0; i < size; i++) {
            Object name = value(depth + 1);
            members.put(name, value(depth + 1));
        }
        return members;
    }

    private static CorruptDataException corrupt(String expected, String found) {
        return new CorruptDataException("blosc2 frame: expected " + expected + ", found " + found);
    }
}
