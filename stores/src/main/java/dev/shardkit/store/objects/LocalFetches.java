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

/** Reads ranges of local objects, with the results that a remote store would return for them. Stateless. */
public final class LocalFetches {
    /** The maximum size of one read in bytes, which is that of a Java array. */
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
     * Returns the offset and length of a range in an object of {@code size} bytes.
     *
     * @throws CorruptDataException if the range extends past the end, or does not accept an object of this size
     */
    public static ByteRange.Slice slice(ByteRange range, long size) {
        if (range instanceof ByteRange.Slice slice) {
            if (slice.end() > size) {
                throw new CorruptDataException(
                        "a range past the end: expected " + slice + ", found an object of " + size + " bytes");
            }
            return slice;
        } else if (range instanceof ByteRange.Suffix suffix) {
            long length = Math.min(suffix.length(), size);
            return new ByteRange.Slice(size - length, length);
        }
        ByteRange.Whole whole = (ByteRange.Whole) range;
        if (whole.refuses(size)) {
            throw new CorruptDataException("expected at most " + whole.maxBytes() + " bytes, found " + size);
        }
        long length = whole.skips(size) ? 0 : size;
        return new ByteRange.Slice(size - length, length);
    }
}
