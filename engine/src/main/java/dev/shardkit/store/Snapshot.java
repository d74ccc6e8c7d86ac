package dev.shardkit.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** One version of one object, for as long as it is open. Thread-safe but for {@link #close}. */
public interface Snapshot extends AutoCloseable {
    /** Differs from that of every other content the key has had. */
    String version();

    /** How many bytes. */
    long size();

    /**
     * Fills {@code into} from {@code offset}. The caller stays within {@link #size}.
     *
     * @throws IOException also if the bytes end early
     */
    void read(long offset, ByteBuffer into) throws IOException;

    /** Copies bytes to {@code out}; a store that can do it without a buffer of ours overrides it. */
    default void transferTo(long offset, long length, WritableByteChannel out) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(length, 1 << 20));
        for (long at = 0; at < length; at += buffer.limit()) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), length - at));
            read(offset + at, buffer);
            buffer.flip();
            while (buffer.hasRemaining()) {
                out.write(buffer);
            }
        }
    }

    /**
     * Makes sure that what was read is of one version: fails if the object was changed where it lies since it was
     * opened. Nothing to do where objects are only ever replaced.
     *
     * @throws ObjectChangedException if so
     */
    default void confirm() throws IOException {}

    @Override
    void close() throws IOException;
}
