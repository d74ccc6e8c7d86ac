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
    /** The maximum size of the end record with its comment and the ZIP64 records. */
    static final int TAIL = 22 + 0xffff + 20 + 56;

    static final int SIZE = 22;
    static final int SIGNATURE = 0x06054b50;
    static final int LOCATOR = 20;
    static final int LOCATOR_SIGNATURE = 0x07064b50;
    static final int LARGE = 56;
    static final int LARGE_SIGNATURE = 0x06064b50;

    private static final long SHORT_MAX = 0xffffL;
    private static final long INT_MAX = 0xffffffffL;

    /** Returns the offset of the end record in the last bytes of an archive. */
    static int find(ByteBuffer tail) {
        for (int at = tail.limit() - SIZE; at >= 0; at--) {
            if (tail.getInt(at) == SIGNATURE && at + SIZE + u2(tail, at + 20) == tail.limit()) {
                return at;
            }
        }
        throw new CorruptDataException("this is not a ZIP archive, or its end is missing: no end record was found");
    }

    /** Returns the offset of the ZIP64 record in the archive; -1 if there is none. */
    static long large(ByteBuffer tail, int record) {
        int locator = record - LOCATOR;
        if (locator < 0 || tail.getInt(locator) != LOCATOR_SIGNATURE) {
            return -1;
        }
        checkDisks(u4(tail, locator + 4), 0);
        if (u4(tail, locator + 16) > 1) {
            throw split();
        }
        long at = tail.getLong(locator + 8);
        if (at < 0) {
            throw new CorruptDataException("the archive's ZIP64 record: expected an offset, found " + at);
        }
        return at;
    }

    /**
     * Reads the end record of an archive without ZIP64.
     *
     * @param at the offset of the end record in {@code tail}
     */
    static EndRecord read(ByteBuffer tail, int at) {
        checkDisks(u2(tail, at + 4), u2(tail, at + 6));
        if (u2(tail, at + 8) != u2(tail, at + 10)) {
            throw split();
        }
        return new EndRecord(u4(tail, at + 16), u4(tail, at + 12), u2(tail, at + 10), false);
    }

    /**
     * Reads the ZIP64 record, and checks that it agrees with the end record.
     *
     * @param record the bytes from the ZIP64 record on
     * @param at the offset of the end record in {@code tail}
     */
    static EndRecord readLarge(ByteBuffer record, ByteBuffer tail, int at) {
        if (record.remaining() < LARGE || record.getInt(0) != LARGE_SIGNATURE) {
            throw new CorruptDataException("the archive's ZIP64 record is not where its locator says");
        }
        checkDisks(u4(record, 16), u4(record, 20));
        EndRecord found = new EndRecord(record.getLong(48), record.getLong(40), record.getLong(32), true);
        if (record.getLong(24) != found.entries()) {
            throw split();
        }
        if (found.offset() < 0 || found.size() < 0 || found.entries() < 0) {
            throw new CorruptDataException("the archive's ZIP64 record has a number beyond 2^63 - 1");
        }
        agree("offset of the directory", u4(tail, at + 16), found.offset(), INT_MAX);
        agree("size of the directory", u4(tail, at + 12), found.size(), INT_MAX);
        agree("number of entries", u2(tail, at + 10), found.entries(), SHORT_MAX);
        return found;
    }

    private static void agree(String what, long small, long large, long most) {
        if (small != most && small != large) {
            throw new CorruptDataException("the archive's end record and its ZIP64 record disagree on the " + what
                    + ": expected " + small + ", found " + large);
        }
    }

    /** Checks that the directory ends before the end records, which begin at {@code end}. */
    void check(long end) {
        if (offset > end - size || size > end) {
            throw new CorruptDataException("the archive's directory: expected " + size + " bytes from offset " + offset
                    + ", which is past the end record at offset " + end);
        }
    }

    private static void checkDisks(long disk, long ofDirectory) {
        if (disk != 0 && disk != SHORT_MAX || ofDirectory != 0 && ofDirectory != SHORT_MAX) {
            throw split();
        }
    }

    private static UnsupportedException split() {
        return new UnsupportedException("the archive is one part of an archive that was split into several files;"
                + " join them first (zip -s 0)");
    }

    static int u2(ByteBuffer in, int at) {
        return Short.toUnsignedInt(in.getShort(at));
    }

    static long u4(ByteBuffer in, int at) {
        return Integer.toUnsignedLong(in.getInt(at));
    }
}
