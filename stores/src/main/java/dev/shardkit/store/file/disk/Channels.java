package dev.shardkit.store.file.disk;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;

/** Reads, writes and copies all requested bytes, whereas one call of a {@link FileChannel} may process fewer. */
public final class Channels {
    /** The maximum number of bytes of one write: the JDK keeps a direct buffer of this size for each thread. */
    private static final int MAX = 1 << 20;

    private Channels() {}

    /** Fills {@code target} from {@code offset}; returns whether the file had enough bytes. */
    public static boolean read(FileChannel file, long offset, ByteBuffer target) throws IOException {
        int start = target.position();
        while (target.hasRemaining()) {
            if (file.read(target, offset + target.position() - start) < 0) {
                return false;
            }
        }
        return true;
    }

    /** Writes all of {@code bytes} at the position of {@code out}. */
    public static void write(FileChannel out, ByteBuffer bytes) throws IOException {
        out.position(write(out, out.position(), bytes));
    }

    /** Writes all of {@code bytes} at {@code offset}; returns their end. */
    public static long write(FileChannel out, long offset, ByteBuffer bytes) throws IOException {
        long next = offset;
        int end = bytes.limit();
        while (bytes.position() < end) {
            bytes.limit(bytes.isDirect() ? end : Math.min(end, bytes.position() + MAX));
            next += out.write(bytes, next);
            bytes.limit(end);
        }
        return next;
    }

    /** Copies bytes of a file to the position of {@code out}, another channel; inside the kernel if possible. */
    public static void copy(FileChannel source, long offset, long length, WritableByteChannel out) throws IOException {
        for (long copied = 0; copied < length; ) {
            long count = source.transferTo(offset + copied, length - copied, out);
            if (count == 0 && offset + copied >= source.size()) {
                throw new EOFException("expected " + (length - copied) + " more bytes at offset " + (offset + copied)
                        + ", found the end");
            }
            copied += count;
        }
    }

    /** Copies bytes of a file to the position of its own channel, through a buffer. */
    public static void copyWithin(FileChannel file, long offset, long length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(length, MAX));
        for (long copied = 0; copied < length; copied += buffer.limit()) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), length - copied));
            if (!read(file, offset + copied, buffer)) {
                throw new EOFException("expected " + (length - copied) + " more bytes at offset " + (offset + copied)
                        + ", found the end");
            }
            write(file, buffer.flip());
        }
    }
}
