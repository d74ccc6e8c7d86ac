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
    /** The maximum size of a cached range in bytes. */
    static final long MAX = 1 << 30;

    private static final int BLOCK = 64 << 10;
    private static final byte[] MAGIC = "SKRANGE1".getBytes(StandardCharsets.US_ASCII);

    /** Returns the number of blocks, each with its checksum. */
    private int blocks() {
        return (int) ((range.length() + BLOCK - 1) / BLOCK);
    }

    /** Returns the header up to the checksums of the blocks. */
    private byte[] headerStart() {
        byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
        byte[] versionBytes = version.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(MAGIC.length + 8 + nameBytes.length + versionBytes.length + 3 * Long.BYTES)
                .put(MAGIC)
                .putInt(nameBytes.length)
                .put(nameBytes)
                .putInt(versionBytes.length)
                .put(versionBytes)
                .putLong(size)
                .putLong(range.offset())
                .putLong(range.length())
                .array();
    }

    /** Returns the size of the file. */
    long bytes() {
        return headerStart().length + 4L * blocks() + 4 + range.length();
    }

    /** Writes the file. */
    void write(FileChannel out, Bytes bytes) throws IOException {
        byte[] expected = headerStart();
        ByteBuffer header = ByteBuffer.allocate(expected.length + 4 * blocks() + 4);
        header.put(expected);
        for (long offset = 0; offset < bytes.size(); offset += BLOCK) {
            CRC32C crc = new CRC32C();
            bytes.slice(offset, Math.min(BLOCK, bytes.size() - offset)).pieces().forEach(crc::update);
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
            // At most 1 MiB at a time, because the JDK keeps a direct buffer as large as the largest write of each
            // thread.
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
        byte[] expected = headerStart();
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
        // Whole blocks are read, because each has one checksum.
        long start = (part.offset() - range.offset()) / BLOCK * BLOCK;
        long end = Math.min(range.length(), (part.end() - range.offset() + BLOCK - 1) / BLOCK * BLOCK);
        ByteBuffer blocks = ByteBuffer.allocate((int) (end - start));
        if (!fill(in, header.limit() + start, blocks)) {
            return Optional.empty();
        }
        for (int offset = 0; offset < blocks.capacity(); offset += BLOCK) {
            int actual = crc(blocks.slice(offset, Math.min(BLOCK, blocks.capacity() - offset)));
            if (actual != header.getInt(expected.length + 4 * (int) ((start + offset) / BLOCK))) {
                return Optional.empty();
            }
        }
        return Optional.of(Bytes.of(blocks.flip()).slice(part.offset() - range.offset() - start, part.length()));
    }

    /** Fills a buffer from a file; false if the file ends before. */
    private static boolean fill(FileChannel in, long offset, ByteBuffer target) throws IOException {
        while (target.hasRemaining()) {
            int start = target.position();
            // In small steps, for the same reason as in writeAll.
            target.limit(Math.min(target.capacity(), start + (1 << 20)));
            int count = in.read(target, offset + start);
            target.limit(target.capacity());
            if (count < 0) {
                return false;
            }
        }
        return true;
    }
}
