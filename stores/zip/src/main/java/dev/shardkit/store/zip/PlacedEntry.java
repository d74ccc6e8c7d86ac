package dev.shardkit.store.zip;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * An entry at its offset in a new archive. Immutable.
 *
 * @param name its name
 * @param method the compression method
 * @param crc the CRC-32 of its bytes
 * @param packed the size in the archive
 * @param size the size of its bytes
 * @param header the offset of its local header
 * @param headerSize the size of the local header
 */
record PlacedEntry(String name, int method, int crc, long packed, long size, long header, int headerSize) {
    static PlacedEntry stored(String name, int crc, long size, long header, int headerSize) {
        return new PlacedEntry(name, ArchiveEntry.STORED, crc, size, size, header, headerSize);
    }

    /** Returns the offset of the first byte. */
    long start() {
        return header + headerSize;
    }

    /** Returns the offset after the last byte. */
    long end() {
        return start() + packed;
    }

    /** Returns this entry at another offset. */
    PlacedEntry movedTo(long offset) {
        return new PlacedEntry(name, method, crc, packed, size, offset, headerSize);
    }

    byte[] encodedName() {
        return name.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the local header with an extra field of {@code padding} bytes: 0 or at least 4. */
    ByteBuffer local(int padding) {
        return ZipRecords.local(this, padding);
    }
}
