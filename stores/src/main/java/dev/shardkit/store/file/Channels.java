package dev.shardkit.store.file;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Reads and writes that do all of what was asked. */
final class Channels {
    /** The JDK keeps a direct buffer of the largest write a thread has made from the heap, so writes are cut. */
    private static final int MOST = 1 << 20;

    private Channels() {}

    /** Fills {@code into} from {@code at}; whether there was enough. */
    static boolean read(FileChannel from, long at, ByteBuffer into) throws IOException {
        int start = into.position();
        while (into.hasRemaining()) {
            if (from.read(into, at + into.position() - start) < 0) {
                return false;
            }
        }
        return true;
    }

    /** Writes all of {@code bytes} where {@code out} stands. */
    static void write(FileChannel out, ByteBuffer bytes) throws IOException {
        out.position(write(out, out.position(), bytes));
    }

    /** Writes all of {@code bytes} at {@code at}; where they end. */
    static long write(FileChannel out, long at, ByteBuffer bytes) throws IOException {
        long next = at;
        int end = bytes.limit();
        while (bytes.position() < end) {
            bytes.limit(bytes.isDirect() ? end : Math.min(end, bytes.position() + MOST));
            next += out.write(bytes, next);
            bytes.limit(end);
        }
        return next;
    }

    /** Copies bytes of a file to where {@code out}, another channel, stands; inside the kernel where it can. */
    static void copy(FileChannel from, long offset, long length, FileChannel out) throws IOException {
        for (long done = 0; done < length; ) {
            long n = from.transferTo(offset + done, length - done, out);
            if (n == 0 && offset + done >= from.size()) {
                throw new EOFException(
                        "expected " + (length - done) + " more bytes at offset " + (offset + done) + ", found the end");
            }
            done += n;
        }
    }

    /** Copies bytes of a file to where its channel stands, through a buffer. */
    static void copyWithin(FileChannel file, long offset, long length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(length, MOST));
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
