package dev.shardkit.store.access;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.StoreListener;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** One version of an object of a remote store, with blocking reads. Thread-safe. */
record RemoteSnapshot(RemoteReads reads, String key, FetchResult.Found found) implements ObjectSnapshot {
    /** Opens an object; empty if it does not exist. Reads its last byte, because the answer shows size and version. */
    static Optional<ObjectSnapshot> open(RemoteReads reads, String key) throws IOException {
        FetchResult fetched = BlockingWait.of(
                reads.fetch(key, new ByteRange.Suffix(1), Optional.empty(), StoreListener.NONE), "reading " + key);
        return fetched instanceof FetchResult.Found f
                ? Optional.of(new RemoteSnapshot(reads, key, f))
                : Optional.empty();
    }

    @Override
    public String version() {
        return found.version().orElseThrow(() -> new StoreException("the store does not report a version of " + key));
    }

    @Override
    public long size() {
        return found.objectSize();
    }

    @Override
    public void read(long offset, ByteBuffer target) throws IOException {
        if (offset < 0 || offset > size() - target.remaining()) {
            throw new EOFException("expected " + target.remaining() + " bytes from offset " + offset
                    + ", found an object of " + size() + " bytes");
        } else if (!target.hasRemaining()) {
            return;
        }
        ByteRange range = new ByteRange.Slice(offset, target.remaining());
        FetchResult fetched =
                BlockingWait.of(reads.fetch(key, range, found.version(), StoreListener.NONE), "reading " + key);
        if (!(fetched instanceof FetchResult.Found f) || !f.version().equals(found.version())) {
            throw new ObjectChangedException(key + " has changed during the read");
        }
        f.bytes().pieces().forEach(target::put);
    }

    @Override
    public void close() {}
}
