package dev.shardkit.store.zip;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Fetched;
import dev.shardkit.store.Snapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The archive as an object of another store. */
@FunctionalInterface
interface ArchiveObject {
    /** What one read may have, in bytes: a Java array. */
    long MOST = Integer.MAX_VALUE - 8;

    /** Reads a range, of the version {@code pin} if it is given. */
    CompletableFuture<Fetched> fetch(ByteRange range, Optional<String> pin);

    /** An open snapshot, whose reads block and are done when this returns. */
    static ArchiveObject of(Snapshot archive) {
        return (range, pin) -> {
            try {
                ByteRange.Slice slice = cut(range, archive.size());
                if (slice.length() > MOST) {
                    throw new StoreException("expected a read of at most " + MOST + " bytes, found " + slice.length());
                }
                ByteBuffer into = ByteBuffer.allocate((int) slice.length());
                archive.read(slice.offset(), into);
                archive.confirm();
                return CompletableFuture.completedFuture(
                        new Fetched.Found(Bytes.of(into.flip()), archive.size(), Optional.of(archive.version())));
            } catch (IOException | RuntimeException e) {
                return CompletableFuture.failedFuture(e);
            }
        };
    }

    /** The bytes of {@code size} that a range means. */
    static ByteRange.Slice cut(ByteRange range, long size) {
        if (range instanceof ByteRange.Slice s) {
            if (s.end() > size) {
                throw new CorruptDataException(
                        "a range past the end: expected " + s + ", found an object of " + size + " bytes");
            }
            return s;
        }
        if (range instanceof ByteRange.Whole w && w.refuses(size)) {
            throw new CorruptDataException("expected at most " + w.most() + " bytes, found " + size);
        }
        long n = range instanceof ByteRange.Suffix s
                ? Math.min(s.length(), size)
                : ((ByteRange.Whole) range).leaves(size) ? 0 : size;
        return new ByteRange.Slice(size - n, n);
    }
}
