package dev.shardkit.hdf5;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.kernel.Lookup3;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads little-endian fields from bytes of a file, each checked against the end. Used by one thread.
 *
 * <p>Offsets and lengths of a file have 2, 4 or 8 bytes, as its superblock says.
 */
final class Cursor {
    /** The address "undefined": nothing is stored. */
    static final long UNDEFINED = -1;

    private final byte[] bytes;
    private final int start;
    private final int end;
    private final Widths widths;
    private final String what;
    private int at;

    /**
     * The sizes of fields.
     *
     * @param offset the size of an address in bytes
     * @param length the size of a length in bytes
     */
    record Widths(int offset, int length) {}

    Cursor(byte[] bytes, Widths widths, String what) {
        this(bytes, 0, bytes.length, widths, what);
    }

    private Cursor(byte[] bytes, int at, int end, Widths widths, String what) {
        this.bytes = bytes;
        this.start = at;
        this.at = at;
        this.end = end;
        this.widths = widths;
        this.what = what;
    }

    Widths widths() {
        return widths;
    }

    /** Returns the number of bytes read so far. */
    int position() {
        return at - start;
    }

    /** Returns the number of bytes before the end. */
    int left() {
        return end - at;
    }

    /** Returns a cursor over the next bytes, for messages about {@code name}, and skips them. */
    Cursor part(long length, String name) {
        int from = take(length);
        return new Cursor(bytes, from, at, widths, name);
    }

    /** Returns a cursor over the same bytes, from the same place. */
    Cursor again() {
        return new Cursor(bytes, at, end, widths, what);
    }

    private int take(long length) {
        if (length < 0 || length > left()) {
            throw corrupt(length + " more bytes", left() + "");
        }
        int from = at;
        at += (int) length;
        return from;
    }

    /** Returns the checksum of the bytes up to the end. */
    int checksum() {
        return Lookup3.of(bytes, at, end, 0);
    }

    Cursor skip(long length) {
        take(length);
        return this;
    }

    int u8() {
        return bytes[take(1)] & 0xff;
    }

    int u16() {
        return (int) unsigned(2);
    }

    long u32() {
        return unsigned(4);
    }

    /** Reads a size or a count of four bytes that must be an int. */
    int count(String name) {
        long value = u32();
        if (value > Integer.MAX_VALUE) {
            throw corrupt("at most " + Integer.MAX_VALUE + " as the " + name, value + "");
        }
        return (int) value;
    }

    /** Reads an integer of up to eight bytes. */
    long unsigned(int size) {
        int from = take(size);
        long value = 0;
        for (int i = Math.min(size, Long.BYTES); i-- > 0; ) {
            value = value << Byte.SIZE | bytes[from + i] & 0xff;
        }
        return value;
    }

    /** Reads an address; {@link #UNDEFINED} if nothing is stored. */
    long address() {
        long value = unsigned(widths.offset());
        long undefined = widths.offset() == Long.BYTES ? -1 : (1L << widths.offset() * Byte.SIZE) - 1;
        if (value == undefined) {
            return UNDEFINED;
        } else if (value < 0) {
            throw corrupt("an address below 2^63", Long.toUnsignedString(value));
        }
        return value;
    }

    /** Reads a length, which must be below 2^63. */
    long length() {
        long value = unsigned(widths.length());
        if (value < 0) {
            throw corrupt("a length below 2^63", Long.toUnsignedString(value));
        }
        return value;
    }

    byte[] bytes(long length) {
        int from = take(length);
        return Arrays.copyOfRange(bytes, from, at);
    }

    /** Reads text of a given size, without the zeros at its end. */
    String text(long length) {
        return text(bytes(length));
    }

    /** Returns the text of bytes up to the first zero. */
    static String text(byte[] bytes) {
        return new String(untilZero(bytes), StandardCharsets.UTF_8);
    }

    /** Returns the bytes before the first zero. */
    static byte[] untilZero(byte[] bytes) {
        int n = 0;
        while (n < bytes.length && bytes[n] != 0) {
            n++;
        }
        return n == bytes.length ? bytes : Arrays.copyOf(bytes, n);
    }

    /** Reads text up to a zero, and skips the zero. With {@code padding}, both take a multiple of this many bytes. */
    String name(int padding) {
        int n = 0;
        while (at + n < end && bytes[at + n] != 0) {
            n++;
        }
        if (at + n == end) {
            throw corrupt("a text that ends with a zero", "the end");
        }
        String text = new String(bytes, at, n, StandardCharsets.UTF_8);
        take((n + padding) / padding * padding);
        return text;
    }

    /** Checks four characters. */
    void signature(String expected) {
        String found = new String(bytes(4), StandardCharsets.ISO_8859_1);
        if (!found.equals(expected)) {
            throw corrupt("the signature " + expected, "\"" + found.replaceAll("[^ -~]", "?") + "\"");
        }
    }

    /** Reads a version of one byte. */
    int version(int least, int most) {
        int version = u8();
        if (version < least || version > most) {
            throw Hdf5.unsupported(what + " of version " + version + " (expected "
                    + (least == most ? "" : least + " to ") + most + ")");
        }
        return version;
    }

    CorruptDataException corrupt(String expected, String found) {
        return new CorruptDataException("hdf5: " + what + ": expected " + expected + ", found " + found);
    }
}
