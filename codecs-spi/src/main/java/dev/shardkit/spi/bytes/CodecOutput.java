package dev.shardkit.spi.bytes;

import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * The output of a codec: an array, usually borrowed from a {@link Scratch}, that doubles when it is full, up to a
 * bound. It has room for one byte more than the bound, so that a codec detects a stream that exceeds the bound. Not
 * thread-safe.
 */
public final class CodecOutput {
    /** The largest array that is borrowed from the scratch if input only claims the size. */
    private static final int MAX_BORROWED_BYTES = 16 << 20;

    private final IntFunction<byte[]> allocator;
    private final Need need;
    /** The largest capacity in bytes: the bound and one byte more, or the end of the given array. */
    private final int end;

    private byte[] array;
    private int capacity;
    private int size;

    /** Whether untrusted input determines how much room is needed. */
    private enum Need {
        /** No: the caller knows the size, or bytes that exist bound it. */
        CERTAIN,
        /** Yes: the input claims the size, and the claim may be false. */
        CLAIMED
    }

    private CodecOutput(byte[] array, int begin, int limit) {
        this.allocator = length -> array;
        this.need = Need.CERTAIN;
        this.end = limit;
        this.capacity = limit;
        this.array = array;
        this.size = begin;
    }

    private CodecOutput(Scratch scratch, long initialCapacity, long maxBytes, Need need) {
        this.allocator = scratch::borrow;
        this.need = need;
        this.end = (int) Math.min(maxBytes, Limits.LARGEST_CHUNK) + 1;
        this.capacity = (int) Math.min(end, Math.max(initialCapacity, 1));
        this.array = allocate(capacity);
    }

    /**
     * Allocates an array. If a size that input only claims does not fit into memory, it counts as exceeding the bound:
     * a small object that claims gigabytes must not end the program.
     */
    private byte[] allocate(int length) {
        if (need == Need.CERTAIN || length <= MAX_BORROWED_BYTES) {
            return allocator.apply(length);
        }
        try {
            return new byte[length]; // the scratch would keep each of the smaller arrays until it is reset
        } catch (OutOfMemoryError e) {
            throw new CorruptDataException(
                    "expected no more decoded bytes than memory holds, found a need for " + length, e);
        }
    }

    /**
     * Creates an output for decoded bytes. Allocates an exact size at once; otherwise begins with {@code guess} bytes.
     *
     * @throws UnsupportedException if the expected size exceeds what a Java array can hold
     */
    public static CodecOutput decoding(DecodedSize expected, long guess, Scratch scratch) {
        if (expected.isExact() && expected.maxBytes() > Limits.LARGEST_CHUNK) {
            throw new UnsupportedException(
                    "at most " + Limits.LARGEST_CHUNK + " bytes can be decoded at once, not " + expected.maxBytes());
        }
        return expected.isExact()
                ? new CodecOutput(scratch, expected.maxBytes() + 1, expected.maxBytes(), Need.CERTAIN)
                : new CodecOutput(scratch, guess, expected.maxBytes(), Need.CLAIMED);
    }

    /** Creates an output in part of an array, which does not grow; {@link #size} starts at {@code begin}. */
    public static CodecOutput within(byte[] array, int begin, int limit) {
        return new CodecOutput(array, begin, limit);
    }

    /** Creates an output for encoded bytes. */
    public static CodecOutput encoding(long guess, Scratch scratch) {
        return new CodecOutput(scratch, guess, Limits.LARGEST_CHUNK, Need.CERTAIN);
    }

    /** Returns the array to write to, from {@link #size} to {@link #capacity}; {@link #grow} replaces it. */
    public byte[] array() {
        return array;
    }

    /** Returns the number of bytes written, which is the index of the next byte. */
    public int size() {
        return size;
    }

    /** Returns the end of the space to write to (exclusive). */
    public int capacity() {
        return capacity;
    }

    /** Records that {@code n} more bytes were written. */
    public void advance(int n) {
        size += n;
    }

    /** Grows the array, at most to twice its length. Returns false if the bound is reached. */
    public boolean grow() {
        if (capacity == end) {
            return false;
        }
        capacity = (int) Math.min(end, 2L * capacity);
        byte[] larger = allocate(capacity);
        System.arraycopy(array, 0, larger, 0, size);
        array = larger;
        return true;
    }

    /** Creates the error for a stream that exceeds {@code expected}. */
    public static CorruptDataException tooMuch(DecodedSize expected, String codec) {
        return new CorruptDataException(codec + " decoded: expected " + expected + ", found more");
    }

    /** Returns the bytes written, borrowed from the scratch. */
    public Bytes borrowed() {
        return Bytes.of(array, 0, size);
    }

    /** Returns a copy of the bytes written. */
    public Bytes copy() {
        return Bytes.of(Arrays.copyOf(array, size));
    }
}
