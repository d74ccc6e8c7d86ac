package dev.shardkit.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/**
 * One version of one object, opened for reading. Reads return this version until the snapshot is closed. Thread-safe
 * except for {@link #close}.
 */
public interface ObjectSnapshot extends AutoCloseable {
    /** Returns the version. Another content under the same key has another version. */
    String version();

    /**
     * Returns a version that stays the same if only the object's names or rights change, for example when another link
     * to its file is deleted. It may miss a change of content by a program that hides it, which {@link #version} shows.
     * By default the version.
     */
    default String contentVersion() {
        return version();
    }

    /** Returns the size in bytes. */
    long size();

    /**
     * Fills {@code target} from {@code offset}. The caller stays within {@link #size}.
     *
     * @throws IOException also if the bytes end early
     */
    void read(long offset, ByteBuffer target) throws IOException;

    /** Copies bytes to {@code out}. A store that can copy without a buffer in Java overrides this method. */
    default void transferTo(long offset, long length, WritableByteChannel out) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(length, 1 << 20));
        for (long position = 0; position < length; position += buffer.limit()) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), length - position));
            read(offset + position, buffer);
            buffer.flip();
            while (buffer.hasRemaining()) {
                out.write(buffer);
            }
        }
    }

    /**
     * Confirms that all bytes read so far are of one version. By default a no-op, for stores that only replace objects.
     *
     * @throws ObjectChangedException if the object has changed in place since it was opened
     */
    default void confirm() throws IOException {}

    @Override
    void close() throws IOException;
}
