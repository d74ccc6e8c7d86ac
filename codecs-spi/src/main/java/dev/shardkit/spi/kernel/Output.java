package dev.shardkit.spi.kernel;

import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * What a codec writes into: an array, mostly of the scratch, that doubles when it is full, up to a bound. There is room
 * for one byte more than the bound, so that a stream that goes past it shows. Not thread-safe.
 */
public final class Output {
    private static final int LARGEST_LENT = 16 << 20;

    private final IntFunction<byte[]> lend;
    private final Need need;
    private final int end;
    private byte[] array;
    private int capacity;
    private int size;

    /** Whether somebody else's bytes say how much room is needed. */
    private enum Need {
        CERTAIN,
        CLAIMED
    }

    private Output(byte[] array, int from, int to) {
        this.lend = n -> array;
        this.need = Need.CERTAIN;
        this.end = to;
        this.capacity = to;
        this.array = array;
        this.size = from;
    }

    private Output(Scratch scratch, long first, long most, Need need) {
        this.lend = scratch::borrow;
        this.need = need;
        this.end = (int) Math.min(most, Limits.LARGEST_CHUNK) + 1;
        this.capacity = (int) Math.min(end, Math.max(first, 1));
        this.array = room(capacity);
    }

    /**
     * An array. What is only claimed and does not fit in memory is taken for past the bound: a small object that says
     * it holds gigabytes must not end the program.
     */
    private byte[] room(int n) {
        if (need == Need.CERTAIN || n <= LARGEST_LENT) {
            return lend.apply(n);
        }
        try {
            return new byte[n]; // the scratch would hold on to each of the smaller ones until it is reset
        } catch (OutOfMemoryError e) {
            throw new CorruptDataException(
                    "expected no more decoded bytes than memory holds, found a need for " + n, e);
        }
    }

    /**
     * Room for decoded bytes: all of an exact size at once, otherwise as much as {@code guess} says.
     *
     * @throws UnsupportedException if more is expected than a Java array holds
     */
    public static Output decoding(DecodedSize expected, long guess, Scratch scratch) {
        if (expected.isExact() && expected.most() > Limits.LARGEST_CHUNK) {
            throw new UnsupportedException(
                    "at most " + Limits.LARGEST_CHUNK + " bytes can be decoded at once, not " + expected.most());
        }
        return expected.isExact()
                ? new Output(scratch, expected.most() + 1, expected.most(), Need.CERTAIN)
                : new Output(scratch, guess, expected.most(), Need.CLAIMED);
    }

    /** A part of an array, which does not grow; {@link #size} begins at {@code from}. */
    public static Output within(byte[] array, int from, int to) {
        return new Output(array, from, to);
    }

    /** Room for encoded bytes. */
    public static Output encoding(long guess, Scratch scratch) {
        return new Output(scratch, guess, Limits.LARGEST_CHUNK, Need.CERTAIN);
    }

    /** Where to write, from {@link #size} to {@link #capacity}; another array after {@link #grow}. */
    public byte[] array() {
        return array;
    }

    /** How many bytes are written; where the next one goes. */
    public int size() {
        return size;
    }

    /** Where the room ends. */
    public int capacity() {
        return capacity;
    }

    /** Says that {@code n} more bytes are written. */
    public void advance(int n) {
        size += n;
    }

    /** Makes more room, at most twice as much; false if the bound is reached. */
    public boolean grow() {
        if (capacity == end) {
            return false;
        }
        capacity = (int) Math.min(end, 2L * capacity);
        byte[] larger = room(capacity);
        System.arraycopy(array, 0, larger, 0, size);
        array = larger;
        return true;
    }

    /** The error for a stream that goes past {@code expected}. */
    public static CorruptDataException tooMuch(DecodedSize expected, String what) {
        return new CorruptDataException(what + " decoded: expected " + expected + ", found more");
    }

    /** What is written, borrowed from the scratch. */
    public Bytes borrowed() {
        return Bytes.of(array, 0, size);
    }

    /** What is written, in memory of its own. */
    public Bytes copy() {
        return Bytes.of(Arrays.copyOf(array, size));
    }
}
