package dev.shardkit.store.memory;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.ObjectSnapshot;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** One version of an object in a {@link MemoryStore}. Needs no closing. Immutable. */
record MemoryObjectSnapshot(Bytes bytes, String version) implements ObjectSnapshot {
    @Override
    public long size() {
        return bytes.size();
    }

    @Override
    public void read(long offset, ByteBuffer target) throws IOException {
        if (offset < 0 || offset > size() - target.remaining()) {
            throw new EOFException("expected " + target.remaining() + " bytes from offset " + offset
                    + ", found an object of " + size() + " bytes");
        }
        for (ByteBuffer source : bytes.slice(offset, target.remaining()).pieces()) {
            target.put(source);
        }
    }

    @Override
    public void close() {}
}
