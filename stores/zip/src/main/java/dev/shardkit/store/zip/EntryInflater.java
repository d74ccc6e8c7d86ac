package dev.shardkit.store.zip;

import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Bytes;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Unpacks deflated entries. Memory grows with the unpacked bytes, not with the claimed size. */
final class EntryInflater {
    private static final int FIRST_BUFFER_BYTES = 64 << 10;
    /** The maximum number of bytes that one byte of deflated data expands to. */
    private static final long MAX_RATIO = 1032;

    private EntryInflater() {}

    /**
     * Rejects an entry that would be too large, before its packed bytes are read.
     *
     * @throws CorruptDataException if that many bytes cannot be deflated to so few
     */
    static void check(ArchiveEntry member, ZipLimits limits) {
        if (member.size() > limits.unpackedBytes()) {
            throw new UnsupportedException(
                    "the entry " + member.name() + " of the archive is deflated: expected at most "
                            + limits.unpackedBytes() + " bytes when unpacked, found " + member.size()
                            + "; make the archive without compression (zip -0)");
        } else if (member.size() / MAX_RATIO > member.packed()) {
            throw new CorruptDataException("the entry " + member.name() + " of the archive: " + member.packed()
                    + " deflated bytes cannot be " + member.size() + " bytes when unpacked");
        }
    }

    /** Returns all bytes of an entry whose size was {@linkplain #check checked}. */
    static Bytes inflate(ArchiveEntry member, ByteBuffer packed) {
        int size = (int) member.size();
        Inflater inflater = new Inflater(true); // raw deflate data, without a header of zlib
        try {
            inflater.setInput(packed);
            // One more byte detects an entry that is too long.
            byte[] buffer = new byte[Math.min(size, FIRST_BUFFER_BYTES) + 1];
            int filled = 0;
            while (!inflater.finished()) {
                int count = inflater.inflate(buffer, filled, buffer.length - filled);
                filled += count;
                if (filled > size || count == 0 && !inflater.finished() && filled < buffer.length) {
                    break;
                } else if (filled == buffer.length) {
                    buffer = Arrays.copyOf(buffer, (int) Math.min(size + 1L, 2L * buffer.length));
                }
            }
            if (!inflater.finished() || filled != size) {
                throw new CorruptDataException("the entry " + member.name() + " of the archive: expected " + size
                        + " bytes when unpacked, found " + (filled > size ? "more" : filled));
            }
            checkSum(member, List.of(ByteBuffer.wrap(buffer, 0, size)));
            return Bytes.of(buffer, 0, size);
        } catch (DataFormatException e) {
            throw new CorruptDataException("the entry " + member.name() + " of the archive is not deflated data", e);
        } finally {
            inflater.end();
        }
    }

    /** Compares the bytes of a whole entry with its checksum. */
    static void checkSum(ArchiveEntry member, List<ByteBuffer> bytes) {
        CRC32 checksum = new CRC32();
        bytes.forEach(piece -> checksum.update(piece.duplicate()));
        if ((int) checksum.getValue() != member.crc()) {
            throw new ChecksumException("the CRC-32 of the entry " + member.name() + " of the archive: expected "
                    + Integer.toHexString(member.crc()) + ", found " + Long.toHexString(checksum.getValue()));
        }
    }
}
