package dev.shardkit.store.channel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a list of buffers to a channel, several with each system call. Each call of {@link #write} writes all of its
 * buffers before it returns. A channel of the operating system, such as a file, gets up to 512 KiB at once: Linux fills
 * its page cache faster by such writes than by one write for each inner chunk. Buffers outside the heap are written
 * directly. Other buffers are first joined in a buffer outside the heap. The class keeps as many of these joining
 * buffers as there are processors. If there is no memory outside the heap, each buffer is written by itself.
 */
public final class GatheredWrites {
    /** The maximum number of bytes that several buffers are written with at once; the size of a joining buffer. */
    private static final int BYTES_AT_ONCE = 512 << 10;
    /** The maximum number of idle joining buffers. */
    private static final int MAX_KEPT = Runtime.getRuntime().availableProcessors();
    /** The idle buffers for joining. Guarded by its own monitor. */
    private static final Deque<ByteBuffer> KEPT = new ArrayDeque<>(MAX_KEPT);

    private GatheredWrites() {}

    /** Writes the remaining bytes of all buffers, in order. */
    public static void write(List<ByteBuffer> buffers, WritableByteChannel out) throws IOException {
        if (out instanceof GatheringByteChannel gathering && buffers.stream().allMatch(ByteBuffer::isDirect)) {
            gather(buffers, gathering);
            return;
        }
        ByteBuffer joined = buffers.size() > 1 && out instanceof GatheringByteChannel ? takeBuffer() : null;
        if (joined == null) {
            for (ByteBuffer buffer : buffers) {
                writeAll(buffer, out);
            }
            return;
        }
        try {
            join(buffers, joined, out);
        } finally {
            keepBuffer(joined);
        }
    }

    /** Writes buffers outside the heap, several with each system call. */
    private static void gather(List<ByteBuffer> buffers, GatheringByteChannel out) throws IOException {
        int first = 0;
        while (first < buffers.size()) {
            int end = first + 1;
            long bytes = buffers.get(first).remaining();
            while (end < buffers.size() && bytes + buffers.get(end).remaining() <= BYTES_AT_ONCE) {
                bytes += buffers.get(end).remaining();
                end++;
            }
            ByteBuffer[] batch = buffers.subList(first, end).toArray(ByteBuffer[]::new);
            for (long written = 0; written < bytes; ) {
                written += out.write(batch);
            }
            first = end;
        }
    }

    /** Writes buffers through {@code joined}; a buffer that is larger is written by itself. */
    private static void join(List<ByteBuffer> buffers, ByteBuffer joined, WritableByteChannel out) throws IOException {
        joined.clear();
        for (ByteBuffer buffer : buffers) {
            if (buffer.remaining() > joined.remaining()) {
                writeAll(joined.flip(), out);
                joined.clear();
            }
            if (buffer.remaining() > joined.remaining()) {
                writeAll(buffer, out);
            } else {
                joined.put(buffer);
            }
        }
        writeAll(joined.flip(), out);
    }

    /** Returns a buffer for joining; null if there is no memory outside the heap. */
    private static @Nullable ByteBuffer takeBuffer() {
        synchronized (KEPT) {
            ByteBuffer buffer = KEPT.poll();
            if (buffer != null) {
                return buffer;
            }
        }
        try {
            return ByteBuffer.allocateDirect(BYTES_AT_ONCE);
        } catch (OutOfMemoryError e) {
            return null;
        }
    }

    private static void keepBuffer(ByteBuffer joined) {
        synchronized (KEPT) {
            if (KEPT.size() < MAX_KEPT) {
                KEPT.push(joined);
            }
        }
    }

    private static void writeAll(ByteBuffer buffer, WritableByteChannel out) throws IOException {
        while (buffer.hasRemaining()) {
            out.write(buffer);
        }
    }
}
