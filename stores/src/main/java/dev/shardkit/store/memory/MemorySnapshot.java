package dev.shardkit.store.memory;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Snapshot;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** One version of an object; holding it costs only its memory. */
record MemorySnapshot(Bytes bytes, String version) implements Snapshot {
    @Override
    public long size() {
        return bytes.size();
    }

    @Override
    public void read(long offset, ByteBuffer into) throws IOException {
        if (offset < 0 || offset > size() - into.remaining()) {
            throw new EOFException("expected " + into.remaining() + " bytes from offset " + offset
                    + ", found an object of " + size() + " bytes");
        }
        for (ByteBuffer piece : bytes.slice(offset, into.remaining()).pieces()) {
            into.put(piece);
        }
    }

    @Override
    public void close() {}
}
