package dev.shardkit.store.zip;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/** Writes the records of the ZIP format (APPNOTE.TXT 6.3). The time of all entries is 1980-01-01. */
final class ZipRecords {
    private static final long INT_MAX = 0xffffffffL;
    private static final int PLAIN = 20;
    private static final int LARGE = 45;
    private static final int UNIX = 3 << 8;
    private static final int FILE = 0100644 << 16;
    private static final int DATE = 0x21;
    private static final int UTF_8 = 1 << 11;
    private static final int LARGE_FIELD = 1;
    /** The identifier of padding in Android's tools. */
    private static final int PADDING_FIELD = 0xd935;

    private ZipRecords() {}

    /** The size of a local header without padding. */
    static int localSize(int nameLength, long size) {
        return ArchiveEntry.HEADER + nameLength + (size >= INT_MAX ? 20 : 0);
    }

    static ByteBuffer local(PlacedEntry entry, int padding) {
        byte[] name = entry.encodedName();
        boolean large = entry.size() >= INT_MAX || entry.packed() >= INT_MAX;
        ByteBuffer out = littleEndian(ArchiveEntry.HEADER + name.length + (large ? 20 : 0) + padding);
        out.putInt(0x04034b50).putShort((short) (large ? LARGE : PLAIN));
        putCommonFields(out, entry, name, large);
        out.putShort((short) ((large ? 20 : 0) + padding)).put(name);
        if (large) {
            out.putShort((short) LARGE_FIELD)
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
        boolean large = entry.size() >= INT_MAX || entry.packed() >= INT_MAX;
        boolean distant = entry.header() >= INT_MAX;
        int extra = (large ? 16 : 0) + (distant ? 8 : 0);
        extra += extra > 0 ? 4 : 0;
        ByteBuffer out = littleEndian(46 + name.length + extra);
        out.putInt(0x02014b50).putShort((short) (UNIX | LARGE)).putShort((short) (large || distant ? LARGE : PLAIN));
        putCommonFields(out, entry, name, large);
        out.putShort((short) extra).putShort((short) 0).putShort((short) 0).putShort((short) 0);
        out.putInt(FILE).putInt((int) Math.min(INT_MAX, entry.header())).put(name);
        if (extra > 0) {
            out.putShort((short) LARGE_FIELD).putShort((short) (extra - 4));
        }
        if (large) {
            out.putLong(entry.size()).putLong(entry.packed());
        }
        if (distant) {
            out.putLong(entry.header());
        }
        return out.rewind();
    }

    private static void putCommonFields(ByteBuffer out, PlacedEntry entry, byte[] name, boolean large) {
        out.putShort((short) (name.length == entry.name().length() ? 0 : UTF_8));
        out.putShort((short) entry.method()).putShort((short) 0).putShort((short) DATE);
        out.putInt(entry.crc());
        out.putInt(large ? -1 : (int) entry.packed()).putInt(large ? -1 : (int) entry.size());
        out.putShort((short) name.length);
    }

    /** Returns the records after the directory, always with those of ZIP64, as RFC-9 of OME-Zarr recommends. */
    static ByteBuffer end(long entries, long offset, long size, byte[] comment) {
        ByteBuffer out = littleEndian(EndRecord.LARGE + EndRecord.LOCATOR + EndRecord.SIZE + comment.length);
        out.putInt(EndRecord.LARGE_SIGNATURE).putLong(EndRecord.LARGE - 12);
        out.putShort((short) (UNIX | LARGE)).putShort((short) LARGE).putInt(0).putInt(0);
        out.putLong(entries).putLong(entries).putLong(size).putLong(offset);
        out.putInt(EndRecord.LOCATOR_SIGNATURE).putInt(0).putLong(offset + size).putInt(1);
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
