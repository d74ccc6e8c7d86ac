package dev.shardkit.store.zip;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/** Writes the records of the ZIP format (APPNOTE.TXT 6.3). The time of all entries is 1980-01-01. */
final class ZipRecords {
    /** Numbers from this value on do not fit into a 32-bit field, and are written to a ZIP64 field. */
    private static final long INT_MAX = 0xffffffffL;
    /** The version of ZIP that a reader needs for plain entries. */
    private static final int VERSION_2_0 = 20;
    /** The version of ZIP that a reader needs for ZIP64. */
    private static final int VERSION_4_5 = 45;

    /** Says that the file attributes are those of Unix; the upper byte of "version made by". */
    private static final int UNIX = 3 << 8;
    /** The external attributes of a file with mode 644. */
    private static final int FILE = 0100644 << 16;
    /** 1980-01-01 in the format of MS-DOS, the first date that it can express. */
    private static final int DATE = 0x21;

    /** The general purpose flag of names in UTF-8. */
    private static final int UTF_8 = 1 << 11;
    /** The identifier of the ZIP64 extra field. */
    private static final int ZIP64_FIELD = 1;
    /** The size of the ZIP64 field in a local header: its own header and two numbers. */
    private static final int LOCAL_ZIP64_BYTES = 20;
    /** The identifier of the extra field for padding, as Android's tools use it. */
    private static final int PADDING_FIELD = 0xd935;

    private ZipRecords() {}

    /** Returns the size of a local header without padding. */
    static int localSize(int nameLength, long size) {
        return ArchiveEntry.HEADER + nameLength + (size >= INT_MAX ? LOCAL_ZIP64_BYTES : 0);
    }

    /** Returns a local header with an extra field of {@code padding} bytes: 0 or at least 4. */
    static ByteBuffer local(PlacedEntry entry, int padding) {
        byte[] name = entry.encodedName();
        boolean isLarge = entry.size() >= INT_MAX || entry.packed() >= INT_MAX;
        ByteBuffer out = littleEndian(ArchiveEntry.HEADER + name.length + (isLarge ? LOCAL_ZIP64_BYTES : 0) + padding);
        out.putInt(0x04034b50).putShort((short) (isLarge ? VERSION_4_5 : VERSION_2_0));
        putCommonFields(out, entry, name, isLarge);
        out.putShort((short) ((isLarge ? LOCAL_ZIP64_BYTES : 0) + padding)).put(name);
        if (isLarge) {
            out.putShort((short) ZIP64_FIELD)
                    .putShort((short) 16)
                    .putLong(entry.size())
                    .putLong(entry.packed());
        }
        if (padding > 0) {
            out.putShort((short) PADDING_FIELD).putShort((short) (padding - 4));
        }
        return out.rewind();
    }

    /** Returns the record of an entry in the directory. */
    static ByteBuffer central(PlacedEntry entry) {
        byte[] name = entry.encodedName();
        boolean isLarge = entry.size() >= INT_MAX || entry.packed() >= INT_MAX;
        boolean isFar = entry.header() >= INT_MAX;
        int extra = (isLarge ? 16 : 0) + (isFar ? 8 : 0);
        extra += extra > 0 ? 4 : 0;
        ByteBuffer out = littleEndian(46 + name.length + extra);
        out.putInt(0x02014b50).putShort((short) (UNIX | VERSION_4_5)).putShort((short)
                (isLarge || isFar ? VERSION_4_5 : VERSION_2_0));
        putCommonFields(out, entry, name, isLarge);
        // The length of the extra fields, then that of the comment, the disk and the internal attributes.
        out.putShort((short) extra).putShort((short) 0).putShort((short) 0).putShort((short) 0);
        out.putInt(FILE).putInt((int) Math.min(INT_MAX, entry.header())).put(name);
        if (extra > 0) {
            out.putShort((short) ZIP64_FIELD).putShort((short) (extra - 4));
        }
        if (isLarge) {
            out.putLong(entry.size()).putLong(entry.packed());
        }
        if (isFar) {
            out.putLong(entry.header());
        }
        return out.rewind();
    }

    /**
     * Adds the fields that local headers and the directory share: flags, method, time, date, CRC-32, packed size, size
     * and length of the name. The value -1 says that a size is in the ZIP64 field.
     */
    private static void putCommonFields(ByteBuffer out, PlacedEntry entry, byte[] name, boolean isLarge) {
        out.putShort((short) (name.length == entry.name().length() ? 0 : UTF_8));
        out.putShort((short) entry.method()).putShort((short) 0).putShort((short) DATE);
        out.putInt(entry.crc());
        out.putInt(isLarge ? -1 : (int) entry.packed()).putInt(isLarge ? -1 : (int) entry.size());
        out.putShort((short) name.length);
    }

    /** Returns the records after the directory, always with those of ZIP64, as RFC-9 of OME-Zarr recommends. */
    static ByteBuffer end(long entries, long offset, long size, byte[] comment) {
        ByteBuffer out = littleEndian(EndRecord.LARGE + EndRecord.LOCATOR + EndRecord.SIZE + comment.length);
        // The ZIP64 record. Its size does not count the signature and the size itself.
        out.putInt(EndRecord.LARGE_SIGNATURE).putLong(EndRecord.LARGE - 12);
        out.putShort((short) (UNIX | VERSION_4_5))
                .putShort((short) VERSION_4_5)
                .putInt(0)
                .putInt(0);
        out.putLong(entries).putLong(entries).putLong(size).putLong(offset);
        // The ZIP64 locator.
        out.putInt(EndRecord.LOCATOR_SIGNATURE).putInt(0).putLong(offset + size).putInt(1);
        // The end record.
        out.putInt(EndRecord.SIGNATURE).putShort((short) 0).putShort((short) 0);
        short count = (short) Math.min(0xffff, entries);
        out.putShort(count).putShort(count);
        out.putInt((int) Math.min(INT_MAX, size)).putInt((int) Math.min(INT_MAX, offset));
        return out.putShort((short) comment.length).put(comment).rewind();
    }

    private static ByteBuffer littleEndian(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Writes all bytes at an offset. Returns the offset after them. */
    static long writeAt(FileChannel out, ByteBuffer bytes, long offset) throws IOException {
        long position = offset;
        while (bytes.hasRemaining()) {
            position += out.write(bytes, position);
        }
        return position;
    }
}
