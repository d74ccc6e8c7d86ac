package dev.shardkit.store.file.disk;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Reads and writes that always complete. */
public final class Channels {
    /** The JDK keeps a direct buffer of the largest heap write of each thread, so large writes are split. */
    private static final int MAX = 1 << 20;

    private Channels() {}

    /** Fills {@code into} from {@code at}; returns whether the file had enough bytes. */
    public static boolean read(FileChannel from, long at, ByteBuffer into) throws IOException {
        int start = into.position();
        while (into.hasRemaining()) {
            if (from.read(into, at + into.position() - start) < 0) {
                return false;
            }
        }
        return true;
    }

    /** Writes all of {@code bytes} at the position of {@code out}. */
    public static void write(FileChannel out, ByteBuffer bytes) throws IOException {
        out.position(write(out, out.position(), bytes));
    }

    /** Writes all of {@code bytes} at {@code at}; returns their end. */
    public static long write(FileChannel out, long at, ByteBuffer bytes) throws IOException {
        long next = at;
        int end = bytes.limit();
        while (bytes.position() < end) {
            bytes.limit(bytes.isDirect() ? end : Math.min(end, bytes.position() + MAX));
            next += out.write(bytes, next);
            bytes.limit(end);
        }
        return next;
    }

    /** Copies bytes of a file to the position of {@code out}, another channel; inside the kernel if possible. */
    public static void copy(FileChannel from, long offset, long length, FileChannel out) throws IOException {
        for (long done = 0; done < length; ) {
            long n = from.transferTo(offset + done, length - done, out);
            if (n == 0 && offset + done >= from.size()) {
                throw new EOFException(
                        "expected " + (length - done) + " more bytes at offset " + (offset + done) + ", found the end");
            }
            done += n;
        }
    }

    /** Copies bytes of a file to its channel's position, through a buffer. */
    public static void copyWithin(FileChannel file, long offset, long length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(length, MAX));
        for (long done = 0; done < length; done += buffer.limit()) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), length - done));
            if (!read(file, offset + done, buffer)) {
                throw new EOFException(
                        "expected " + (length - done) + " more bytes at offset " + (offset + done) + ", found the end");
            }
            write(file, buffer.flip());
        }
    }
}
