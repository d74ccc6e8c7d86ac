package dev.shardkit.store.zip;

import dev.shardkit.spi.error.UnsupportedException;

/**
 * An entry of an archive, as the archive's directory describes it. Immutable.
 *
 * @param name its key from the archive's root
 * @param nameLength the number of bytes of its encoded name
 * @param method how it is packed: 0 stored, 8 deflated
 * @param flags the general purpose flags
 * @param needed the version of the format that is needed to extract it
 * @param crc the CRC-32 of its bytes
 * @param packed the size in the archive
 * @param size the size of its bytes
 * @param header where its local header begins
 * @param limit where the next local header begins, or the directory
 */
record Member(
        String name,
        int nameLength,
        int method,
        int flags,
        int needed,
        int crc,
        long packed,
        long size,
        long header,
        long limit) {
    static final int STORED = 0;
    static final int DEFLATED = 8;
    /** The size of a local header, without the name and the extra fields. */
    static final int HEADER = 30;

    private static final int ENCRYPTED = 1;
    private static final int PATCHED = 1 << 5;
    private static final int STRONGLY_ENCRYPTED = 1 << 6;
    private static final int DESCRIBED_BEHIND = 1 << 3;

    Member limitedBy(long next) {
        return new Member(name, nameLength, method, flags, needed, crc, packed, size, header, next);
    }

    boolean isStored() {
        return method == STORED;
    }

    /** Whether checksum and sizes may follow the bytes, in a record of unknown size. */
    boolean isDescribedBehind() {
        return (flags & DESCRIBED_BEHIND) != 0;
    }

    /** Where the bytes begin if they end where the next local header begins. */
    long assumedStart() {
        return limit - packed;
    }

    /** The space for extra fields of the local header, or for unused bytes behind the entry. */
    long slack() {
        return assumedStart() - header - HEADER - nameLength;
    }

    /** Refuses an entry whose bytes this store cannot give. */
    void checkReadable() {
        if ((flags & (ENCRYPTED | STRONGLY_ENCRYPTED)) != 0) {
            throw new UnsupportedException("the entry " + name + " of the archive is encrypted");
        } else if ((flags & PATCHED) != 0 || method != STORED && method != DEFLATED) {
            throw new UnsupportedException("the entry " + name + " of the archive is packed by method " + method
                    + ((flags & PATCHED) != 0 ? " as a patch" : "") + "; expected stored (0) or deflated (8)");
        }
    }
}
