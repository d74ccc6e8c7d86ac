package dev.shardkit.store.zip;

import dev.shardkit.spi.error.UnsupportedException;

/**
 * An entry of an archive, as the archive's central directory describes it. Immutable.
 *
 * @param name its key from the archive's root
 * @param nameLength the number of bytes of its encoded name
 * @param method the compression method: 0 stored, 8 deflated
 * @param flags the general purpose flags
 * @param versionNeeded the version of the format that extraction needs
 * @param crc the CRC-32 of its bytes
 * @param packed the size in the archive
 * @param size the size of its bytes
 * @param header the offset of its local header
 * @param limit the offset of the next local header, or of the central directory
 */
record ArchiveEntry(
        String name,
        int nameLength,
        int method,
        int flags,
        int versionNeeded,
        int crc,
        long packed,
        long size,
        long header,
        long limit) {
    static final int STORED = 0;
    static final int DEFLATED = 8;
    /** The size of a local header, without the name and the extra fields. */
    static final int HEADER = 30;

    /** Bits of the general purpose flags (APPNOTE 4.4.4). */
    private static final int ENCRYPTED = 1;

    private static final int PATCHED = 1 << 5;
    private static final int STRONGLY_ENCRYPTED = 1 << 6;
    private static final int DATA_DESCRIPTOR = 1 << 3;

    /** Returns this entry with another limit. */
    ArchiveEntry limitedBy(long next) {
        return new ArchiveEntry(name, nameLength, method, flags, versionNeeded, crc, packed, size, header, next);
    }

    boolean isStored() {
        return method == STORED;
    }

    /** Returns whether a data descriptor (APPNOTE 4.3.9) may follow the bytes. Its size varies between programs. */
    boolean hasDataDescriptor() {
        return (flags & DATA_DESCRIPTOR) != 0;
    }

    /**
     * Returns the offset of the bytes, assuming that they end at the next local header. If they do, no request for the
     * entry's own local header is needed. {@link EntryOffsets} decides whether the assumption holds or the header must
     * be read.
     */
    long assumedStart() {
        return limit - packed;
    }

    /**
     * Returns the number of bytes between the name in the local header and the assumed start: extra fields, or unused
     * bytes after the entry.
     */
    long slack() {
        return assumedStart() - header - HEADER - nameLength;
    }

    /** Checks that this store can read the entry. */
    void checkReadable() {
        if ((flags & (ENCRYPTED | STRONGLY_ENCRYPTED)) != 0) {
            throw new UnsupportedException("the entry " + name + " of the archive is encrypted");
        } else if ((flags & PATCHED) != 0 || method != STORED && method != DEFLATED) {
            throw new UnsupportedException("the entry " + name + " of the archive is packed by method " + method
                    + ((flags & PATCHED) != 0 ? " as a patch" : "") + "; expected stored (0) or deflated (8)");
        }
    }
}
