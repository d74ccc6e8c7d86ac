package dev.shardkit.store.zip;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import java.nio.ByteBuffer;

/**
 * The position and size of the directory, from the records at the end of an archive. Immutable.
 *
 * @param offset the offset of the directory
 * @param size its size in bytes
 * @param entries the number of entries; its lowest 16 bits, if there is no ZIP64 record
 * @param isZip64 whether there is a ZIP64 record
 */
record EndRecord(long offset, long size, long entries, boolean isZip64) {
    /**
     * The maximum size in bytes of the records at the end: the end record with its comment, the ZIP64 locator and the
     * ZIP64 record.
     */
    static final int TAIL = 22 + 0xffff + 20 + 56;

    /** The size of the end record without its comment (APPNOTE 4.3.16). */
    static final int SIZE = 22;

    static final int SIGNATURE = 0x06054b50;
    /** The size of the ZIP64 locator (APPNOTE 4.3.15). */
    static final int LOCATOR = 20;

    static final int LOCATOR_SIGNATURE = 0x07064b50;
    /** The size of the ZIP64 end record without its extensible data (APPNOTE 4.3.14). */
    static final int LARGE = 56;

    static final int LARGE_SIGNATURE = 0x06064b50;

    /** The value of a 16-bit field whose number is in the ZIP64 record instead. */
    private static final long SHORT_MAX = 0xffffL;
    /** The value of a 32-bit field whose number is in the ZIP64 record instead. */
    private static final long INT_MAX = 0xffffffffL;

    /** Returns the offset of the end record in {@code tail}, the last bytes of an archive. */
    static int find(ByteBuffer tail) {
        for (int offset = tail.limit() - SIZE; offset >= 0; offset--) {
            if (tail.getInt(offset) == SIGNATURE && offset + SIZE + u2(tail, offset + 20) == tail.limit()) {
                return offset;
            }
        }
        throw new CorruptDataException("this is not a ZIP archive, or its end is missing: no end record was found");
    }

    /**
     * Returns the offset of the ZIP64 record in the archive; -1 if there is none. The ZIP64 locator before the end
     * record states it.
     */
    static long large(ByteBuffer tail, int record) {
        int locator = record - LOCATOR;
        if (locator < 0 || tail.getInt(locator) != LOCATOR_SIGNATURE) {
            return -1;
        }
        checkDisks(u4(tail, locator + 4), 0);
        if (u4(tail, locator + 16) > 1) {
            throw split();
        }
        long offset = tail.getLong(locator + 8);
        if (offset < 0) {
            throw new CorruptDataException("the archive's ZIP64 record: expected an offset, found " + offset);
        }
        return offset;
    }

    /**
     * Reads the end record of an archive without ZIP64.
     *
     * @param record the offset of the end record in {@code tail}
     */
    static EndRecord read(ByteBuffer tail, int record) {
        checkDisks(u2(tail, record + 4), u2(tail, record + 6));
        if (u2(tail, record + 8) != u2(tail, record + 10)) {
            throw split();
        }
        return new EndRecord(u4(tail, record + 16), u4(tail, record + 12), u2(tail, record + 10), false);
    }

    /**
     * Reads the ZIP64 record, and checks that it agrees with the end record.
     *
     * @param record the bytes from the ZIP64 record on
     * @param endRecord the offset of the end record in {@code tail}
     */
    static EndRecord readLarge(ByteBuffer record, ByteBuffer tail, int endRecord) {
        if (record.remaining() < LARGE || record.getInt(0) != LARGE_SIGNATURE) {
            throw new CorruptDataException("the archive's ZIP64 record is not where its locator says");
        }
        checkDisks(u4(record, 16), u4(record, 20));
        EndRecord directory = new EndRecord(record.getLong(48), record.getLong(40), record.getLong(32), true);
        if (record.getLong(24) != directory.entries()) {
            throw split();
        }
        if (directory.offset() < 0 || directory.size() < 0 || directory.entries() < 0) {
            throw new CorruptDataException("the archive's ZIP64 record has a number beyond 2^63 - 1");
        }
        checkAgreement("offset of the directory", u4(tail, endRecord + 16), directory.offset(), INT_MAX);
        checkAgreement("size of the directory", u4(tail, endRecord + 12), directory.size(), INT_MAX);
        checkAgreement("number of entries", u2(tail, endRecord + 10), directory.entries(), SHORT_MAX);
        return directory;
    }

    /**
     * Checks that a number of the end record equals that of the ZIP64 record, or is {@code escape}: then only the ZIP64
     * record has the number.
     */
    private static void checkAgreement(String field, long small, long large, long escape) {
        if (small != escape && small != large) {
            throw new CorruptDataException("the archive's end record and its ZIP64 record disagree on the " + field
                    + ": expected " + small + ", found " + large);
        }
    }

    /** Checks that the directory ends before the end records, which begin at {@code recordsStart}. */
    void check(long recordsStart) {
        if (offset > recordsStart - size || size > recordsStart) {
            throw new CorruptDataException("the archive's directory: expected " + size + " bytes from offset " + offset
                    + ", which is past the end record at offset " + recordsStart);
        }
    }

    /**
     * Rejects archives in several files. The number of a file (disk) must be 0, or 0xffff, which refers to the ZIP64
     * record.
     */
    private static void checkDisks(long disk, long ofDirectory) {
        if (disk != 0 && disk != SHORT_MAX || ofDirectory != 0 && ofDirectory != SHORT_MAX) {
            throw split();
        }
    }

    private static UnsupportedException split() {
        return new UnsupportedException("the archive is one part of an archive that was split into several files;"
                + " join them first (zip -s 0)");
    }

    /** Reads 2 bytes as an unsigned number. */
    static int u2(ByteBuffer in, int offset) {
        return Short.toUnsignedInt(in.getShort(offset));
    }

    /** Reads 4 bytes as an unsigned number. */
    static long u4(ByteBuffer in, int offset) {
        return Integer.toUnsignedLong(in.getInt(offset));
    }
}
