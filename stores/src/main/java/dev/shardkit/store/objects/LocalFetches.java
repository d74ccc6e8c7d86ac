package dev.shardkit.store.objects;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.ObjectSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Reads ranges of local objects the way remote stores answer them. Stateless. */
public final class LocalFetches {
    /** The limit of one read in bytes: the size of a Java array. */
    public static final long MAX = Integer.MAX_VALUE - 8;

    private LocalFetches() {}

    /** Reads a range of {@code object}, and confirms that the object is still the same. */
    public static FetchResult.Found read(ObjectSnapshot object, ByteRange range) throws IOException {
        ByteRange.Slice slice = slice(range, object.size());
        if (slice.length() > MAX) {
            throw new StoreException("expected a read of at most " + MAX + " bytes, found " + slice.length());
        }
        ByteBuffer buffer = ByteBuffer.allocate((int) slice.length());
        object.read(slice.offset(), buffer);
        object.confirm();
        return new FetchResult.Found(Bytes.of(buffer.flip()), object.size(), Optional.of(object.version()));
    }

    /**
     * Returns the bytes of an object of {@code size} bytes that a range selects.
     *
     * @throws CorruptDataException if the range extends past the end, or does not accept an object of this size
     */
    public static ByteRange.Slice slice(ByteRange range, long size) {
        if (range instanceof ByteRange.Slice s) {
            if (s.end() > size) {
                throw new CorruptDataException(
                        "a range past the end: expected " + s + ", found an object of " + size + " bytes");
            }
            return s;
        }
        if (range instanceof ByteRange.Whole w && w.refuses(size)) {
            throw new CorruptDataException("expected at most " + w.maxBytes() + " bytes, found " + size);
        }
        long n = range instanceof ByteRange.Suffix s
                ? Math.min(s.length(), size)
                : ((ByteRange.Whole) range).skips(size) ? 0 : size;
        return new ByteRange.Slice(size - n, n);
    }
}
