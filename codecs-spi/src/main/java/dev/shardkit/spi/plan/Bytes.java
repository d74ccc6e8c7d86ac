package dev.shardkit.spi.plan;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A sequence of bytes in one or several pieces, with a 64-bit size. Slices share memory and never copy. Read-only by
 * convention: callers must not write to the returned buffers.
 *
 * <p>Bytes passed to a decoder or a step are <em>borrowed</em>: they are valid until it returns, and {@link #copy()}
 * keeps them longer. {@code equals} compares identities; {@link #contentEquals} compares bytes. Thread-safe unless the
 * underlying memory is modified.
 */
public final class Bytes {
    /** No bytes. */
    public static final Bytes EMPTY = new Bytes(List.of(), 0, 0);

    private static final ByteBuffer ZEROS = ByteBuffer.allocate(1 << 16).asReadOnlyBuffer();

    private final List<ByteBuffer> pieces;
    /** The index of the first byte in the piece, if there is only one piece; otherwise 0. */
    private final int begin;

    private final long size;

    private Bytes(List<ByteBuffer> pieces, int begin, long size) {
        this.pieces = pieces;
        this.begin = begin;
        this.size = size;
    }

    /** Wraps {@code array} without copying. */
    public static Bytes of(byte[] array) {
        return of(array, 0, array.length);
    }

    /** Wraps a part of {@code array} without copying. */
    public static Bytes of(byte[] array, int offset, int length) {
        return length == 0
                ? EMPTY
                : new Bytes(List.of(ByteBuffer.wrap(array, offset, length).slice()), 0, length);
    }

    /** Wraps the remaining bytes of {@code buffer} without copying. */
    public static Bytes of(ByteBuffer buffer) {
        return buffer.hasRemaining() ? new Bytes(List.of(buffer.slice()), 0, buffer.remaining()) : EMPTY;
    }

    /** Returns {@code size} zero bytes. All their pieces share one buffer. */
    public static Bytes zeros(long size) {
        List<ByteBuffer> pieces = new ArrayList<>();
        for (long remaining = size; remaining > 0; remaining -= ZEROS.capacity()) {
            pieces.add(ZEROS.slice(0, (int) Math.min(remaining, ZEROS.capacity())));
        }
        return new Bytes(List.copyOf(pieces), 0, size);
    }

    /** Concatenates the parts without copying. */
    public static Bytes concat(List<Bytes> parts) {
        List<ByteBuffer> pieces = new ArrayList<>();
        long size = 0;
        for (Bytes b : parts) {
            pieces.addAll(b.pieces());
            size = Math.addExact(size, b.size);
        }
        return new Bytes(List.copyOf(pieces), 0, size);
    }

    /** Returns the number of bytes. */
    public long size() {
        return size;
    }

    /**
     * Returns the pieces in order. The remaining bytes of each buffer are the piece; the buffers are initially
     * big-endian.
     */
    public List<ByteBuffer> pieces() {
        return pieces.size() == 1
                ? List.of(buffer())
                : pieces.stream().map(ByteBuffer::duplicate).toList();
    }

    /** Returns a part of these bytes without copying. */
    public Bytes slice(long offset, long length) {
        Objects.checkFromIndexSize(offset, length, size);
        if (length == size) {
            return this;
        }
        if (pieces.size() == 1) {
            return new Bytes(pieces, begin + (int) offset, length);
        }
        List<ByteBuffer> parts = new ArrayList<>();
        long skip = offset;
        long remaining = length;
        for (ByteBuffer p : pieces) {
            long pieceSize = p.remaining();
            if (remaining > 0 && skip < pieceSize) {
                int taken = (int) Math.min(remaining, pieceSize - skip);
                parts.add(p.slice((int) skip, taken));
                remaining -= taken;
            }
            skip = Math.max(0, skip - pieceSize);
        }
        return new Bytes(List.copyOf(parts), 0, length);
    }

    /**
     * Returns the part in {@code range} with the semantics of a store: a suffix longer than these bytes is all of them.
     */
    public Bytes slice(ByteRange range) {
        if (range instanceof ByteRange.Slice s) {
            return slice(s.offset(), s.length());
        }
        long length = range instanceof ByteRange.Suffix s ? Math.min(s.length(), size) : size;
        return slice(size - length, length);
    }

    /**
     * Returns all bytes as one buffer at position 0, initially big-endian. Shares the memory of a single piece; joins
     * several pieces in new memory.
     *
     * @throws IllegalStateException above 2^31-1 bytes
     */
    public ByteBuffer buffer() {
        if (pieces.size() == 1) {
            return pieces.get(0).slice(begin, (int) size);
        }
        return ByteBuffer.wrap(toArray());
    }

    /**
     * Returns all bytes in a new array.
     *
     * @throws IllegalStateException above 2^31-9 bytes
     */
    public byte[] toArray() {
        if (size > Integer.MAX_VALUE - 8) {
            throw new IllegalStateException(size + " bytes do not fit an array");
        }
        byte[] copy = new byte[(int) size];
        int position = 0;
        for (ByteBuffer p : pieces) {
            int pieceSize = pieces.size() == 1 ? copy.length : p.remaining();
            p.get(begin, copy, position, pieceSize);
            position += pieceSize;
        }
        return copy;
    }

    /** Copies these bytes into new memory. */
    public Bytes copy() {
        if (size <= Integer.MAX_VALUE - 8) {
            return of(toArray());
        }
        return concat(pieces().stream().map(p -> of(of(p).toArray())).toList());
    }

    /** Returns whether both contain the same bytes. */
    public boolean contentEquals(Bytes other) {
        return size == other.size && buffer().equals(other.buffer());
    }

    @Override
    public String toString() {
        return size + " bytes";
    }
}
