package dev.shardkit.store.cache;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The format of a file with a range of an object. A header names the object, the version and the range, and has a
 * checksum of each block of 64 KiB and one of itself; the bytes follow. A reader knows the expected header, so it
 * compares the bytes and parses nothing.
 *
 * @param name the object
 * @param version the object's version
 * @param size the object's size in bytes
 * @param range the range in this file
 */
record RangeFile(String name, String version, long size, ByteRange.Slice range) {
    /** The largest range that is kept. */
    static final long MAX = 1 << 30;

    private static final int BLOCK = 64 << 10;
    private static final byte[] MAGIC = "SKRANGE1".getBytes(StandardCharsets.US_ASCII);

    private int blocks() {
        return (int) ((range.length() + BLOCK - 1) / BLOCK);
    }

    private byte[] expected() {
        byte[] named = name.getBytes(StandardCharsets.UTF_8);
        byte[] versioned = version.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(MAGIC.length + 8 + named.length + versioned.length + 24)
                .put(MAGIC)
                .putInt(named.length)
                .put(named)
                .putInt(versioned.length)
                .put(versioned)
                .putLong(size)
                .putLong(range.offset())
                .putLong(range.length())
                .array();
    }

    /** Returns the size of the file. */
    long bytes() {
        return expected().length + 4L * blocks() + 4 + range.length();
    }

    /** Writes the file. */
    void write(FileChannel out, Bytes bytes) throws IOException {
        byte[] expected = expected();
        ByteBuffer header = ByteBuffer.allocate(expected.length + 4 * blocks() + 4);
        header.put(expected);
        for (long at = 0; at < bytes.size(); at += BLOCK) {
            CRC32C crc = new CRC32C();
            bytes.slice(at, Math.min(BLOCK, bytes.size() - at)).pieces().forEach(crc::update);
            header.putInt((int) crc.getValue());
        }
        header.putInt(crc(header.duplicate().flip())).flip();
        writeAll(out, header);
        for (ByteBuffer piece : bytes.pieces()) {
            writeAll(out, piece);
        }
    }

    private static void writeAll(FileChannel out, ByteBuffer bytes) throws IOException {
        int end = bytes.limit();
        while (bytes.position() < end) {
            // the JDK keeps a direct buffer of the largest heap write of each thread
            bytes.limit(Math.min(end, bytes.position() + (1 << 20)));
            out.write(bytes);
            bytes.limit(end);
        }
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    /** Returns a part of the range, which must contain it; empty if the file is damaged. */
    Optional<Bytes> read(FileChannel in, ByteRange.Slice part) throws IOException {
        byte[] expected = expected();
        ByteBuffer header = ByteBuffer.allocate(expected.length + 4 * blocks() + 4);
        if (in.size() != bytes() || !fill(in, 0, header)) {
            return Optional.empty();
        }
        header.flip();
        boolean isRight = header.slice(0, expected.length).equals(ByteBuffer.wrap(expected))
                && header.getInt(header.limit() - 4) == crc(header.slice(0, header.limit() - 4));
        if (!isRight || part.length() == 0) {
            return isRight ? Optional.of(Bytes.EMPTY) : Optional.empty();
        }
        long from = (part.offset() - range.offset()) / BLOCK * BLOCK;
        long to = Math.min(range.length(), (part.end() - range.offset() + BLOCK - 1) / BLOCK * BLOCK);
        ByteBuffer blocks = ByteBuffer.allocate((int) (to - from));
        if (!fill(in, header.limit() + from, blocks)) {
            return Optional.empty();
        }
        for (int at = 0; at < blocks.capacity(); at += BLOCK) {
            int found = crc(blocks.slice(at, Math.min(BLOCK, blocks.capacity() - at)));
            if (found != header.getInt(expected.length + 4 * (int) ((from + at) / BLOCK))) {
                return Optional.empty();
            }
        }
        return Optional.of(Bytes.of(blocks.flip()).slice(part.offset() - range.offset() - from, part.length()));
    }

    private static boolean fill(FileChannel in, long at, ByteBuffer into) throws IOException {
        while (into.hasRemaining()) {
            int start = into.position();
            into.limit(Math.min(into.capacity(), start + (1 << 20)));
            int n = in.read(into, at + start);
            into.limit(into.capacity());
            if (n < 0) {
                return false;
            }
        }
        return true;
    }
}
