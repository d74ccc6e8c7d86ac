package dev.shardkit.hdf5.file;

import dev.shardkit.spi.bytes.Lookup3;
import dev.shardkit.spi.error.CorruptDataException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the little-endian fields of an HDF5 file from bytes in memory, one after another. Throws if a field exceeds the
 * end. Used by one thread.
 *
 * <p>The addresses and the lengths in a file have 2, 4 or 8 bytes. The superblock, the first structure of the file,
 * defines their sizes.
 */
public final class Cursor {
    /** The address that says that nothing is stored. In a file, all its bits are set. */
    public static final long UNDEFINED = -1;

    private final byte[] bytes;
    private final int start;
    private final int end;
    private final Widths widths;
    /** The name of the bytes in messages. */
    private final String description;

    private int position;

    /**
     * The sizes of fields.
     *
     * @param offset the size of an address in bytes
     * @param length the size of a length in bytes
     */
    public record Widths(int offset, int length) {}

    public Cursor(byte[] bytes, Widths widths, String description) {
        this(bytes, 0, bytes.length, widths, description);
    }

    private Cursor(byte[] bytes, int position, int end, Widths widths, String description) {
        this.bytes = bytes;
        this.start = position;
        this.position = position;
        this.end = end;
        this.widths = widths;
        this.description = description;
    }

    public Widths widths() {
        return widths;
    }

    /** Returns the number of bytes read so far. */
    int bytesRead() {
        return position - start;
    }

    /** Returns the number of bytes before the end. */
    public int remaining() {
        return end - position;
    }

    /**
     * Returns a cursor over the next bytes and skips them.
     *
     * @param name the name of these bytes in messages
     */
    public Cursor slice(long length, String name) {
        int offset = advance(length);
        return new Cursor(bytes, offset, position, widths, name);
    }

    /** Returns an independent cursor over the remaining bytes. */
    public Cursor duplicate() {
        return new Cursor(bytes, position, end, widths, description);
    }

    /** Skips bytes. Returns the position before them. */
    private int advance(long length) {
        if (length < 0 || length > remaining()) {
            throw corrupt(length + " more bytes", remaining() + "");
        }
        int offset = position;
        position += (int) length;
        return offset;
    }

    /** Returns the checksum of the remaining bytes. */
    int checksum() {
        return Lookup3.of(bytes, position, end, 0);
    }

    public Cursor skip(long length) {
        advance(length);
        return this;
    }

    public int u8() {
        return bytes[advance(1)] & 0xff;
    }

    public int u16() {
        return (int) unsigned(2);
    }

    public long u32() {
        return unsigned(4);
    }

    /** Reads a size or a count of four bytes, which must fit into an int. */
    int intCount(String name) {
        long value = u32();
        if (value > Integer.MAX_VALUE) {
            throw corrupt("at most " + Integer.MAX_VALUE + " as the " + name, value + "");
        }
        return (int) value;
    }

    /**
     * Reads an unsigned integer of {@code size} bytes. If it has more than eight bytes, returns the lowest eight. An
     * integer of 2^63 or more becomes negative.
     */
    public long unsigned(int size) {
        int offset = advance(size);
        long value = 0;
        for (int i = Math.min(size, Long.BYTES); i-- > 0; ) {
            value = value << Byte.SIZE | bytes[offset + i] & 0xff;
        }
        return value;
    }

    /** Reads an address; {@link #UNDEFINED} if nothing is stored. */
    public long address() {
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
    public long length() {
        long value = unsigned(widths.length());
        if (value < 0) {
            throw corrupt("a length below 2^63", Long.toUnsignedString(value));
        }
        return value;
    }

    public byte[] bytes(long length) {
        int offset = advance(length);
        return Arrays.copyOfRange(bytes, offset, position);
    }

    /** Reads text of a fixed size. Returns it up to the first zero byte. */
    public String text(long length) {
        return text(bytes(length));
    }

    /** Returns the text in bytes up to the first zero byte. */
    public static String text(byte[] bytes) {
        return new String(untilZero(bytes), StandardCharsets.UTF_8);
    }

    /** Returns the bytes before the first zero. */
    public static byte[] untilZero(byte[] bytes) {
        int length = 0;
        while (length < bytes.length && bytes[length] != 0) {
            length++;
        }
        return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    }

    /**
     * Reads text up to a zero, and skips the zero. The text and the zero occupy a multiple of {@code padding} bytes.
     */
    public String zeroTerminatedText(int padding) {
        int length = 0;
        while (position + length < end && bytes[position + length] != 0) {
            length++;
        }
        if (position + length == end) {
            throw corrupt("a text that ends with a zero", "the end");
        }
        String text = new String(bytes, position, length, StandardCharsets.UTF_8);
        advance((length + padding) / padding * padding);
        return text;
    }

    /** Checks a signature of four characters. */
    public void signature(String expected) {
        String found = new String(bytes(4), StandardCharsets.ISO_8859_1);
        if (!found.equals(expected)) {
            throw corrupt("the signature " + expected, "\"" + found.replaceAll("[^ -~]", "?") + "\"");
        }
    }

    /** Reads a version of one byte. Throws unless it is from {@code min} to {@code max}. */
    public int version(int min, int max) {
        int version = u8();
        if (version < min || version > max) {
            throw Hdf5Errors.unsupported(description + " of version " + version + " (expected "
                    + (min == max ? "" : min + " to ") + max + ")");
        }
        return version;
    }

    /** Creates an exception that names these bytes. */
    public CorruptDataException corrupt(String expected, String found) {
        return new CorruptDataException("hdf5: " + description + ": expected " + expected + ", found " + found);
    }
}
