package dev.shardkit.hdf5.file;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.store.ObjectSnapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads structures of an HDF5 file. All reads see the same version of the file. Reads pages of a fixed size and caches
 * some of them, because structures are small and close together, and reads of remote files are slow. Limits the total
 * number of bytes read, so a file with circular references causes an error. Used by one thread.
 */
public final class FileBytes {
    /** The size of a checksum in bytes. */
    public static final int CHECKSUM = 4;

    /** The size of a page: a read of the file that is aligned to this size. */
    private static final int PAGE_SIZE = 1 << 16;
    /** The maximum number of cached pages. */
    private static final int MAX_PAGES = 256;
    /** The maximum size of a structure. Heap blocks and pages of indexes are much smaller. */
    private static final long MAX_AT_ONCE = 256L << 20;

    /** The limit of all reads is four times the size of the file and this many bytes. */
    private static final long FREE_BUDGET = 64L << 20;

    private final ObjectSnapshot file;
    /** The cached pages by their number, in the order of last use. */
    private final Map<Long, byte[]> pages = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, byte[]> eldest) {
            return size() > MAX_PAGES;
        }
    };

    private Cursor.Widths widths = new Cursor.Widths(Long.BYTES, Long.BYTES);
    /** The offset in the file to which addresses are relative. */
    private long base;
    /** How many bytes may still be read. */
    private long budget;

    public FileBytes(ObjectSnapshot file) {
        this.file = file;
        this.budget = FREE_BUDGET + Math.min(file.size(), Long.MAX_VALUE / 8) * 4;
    }

    /** Sets the base of addresses and their sizes. */
    void setLayout(long base, Cursor.Widths widths) {
        this.base = base;
        this.widths = widths;
    }

    /** Returns the size of the file in bytes. */
    public long size() {
        return file.size();
    }

    /** Returns the sizes of addresses and lengths in this file. */
    public Cursor.Widths widths() {
        return widths;
    }

    /** Returns the offset in the file that an address means. */
    public long fileOffset(long address) {
        if (address < 0 || address > file.size() - base) {
            throw outsideFile("bytes", 0, address);
        }
        return base + address;
    }

    /**
     * Reads bytes.
     *
     * @param address the address of the first byte, relative to the base
     * @param name the name of the structure, for messages
     */
    public Cursor read(long address, long length, String name) {
        if (address < 0 || length < 0 || address > file.size() - base - length) {
            throw outsideFile(name, length, address);
        }
        return readAtOffset(base + address, length, name);
    }

    /**
     * Reads a structure that starts with a signature and version 0 and ends with a checksum. Checks all three. Returns
     * a cursor over the bytes between the version and the checksum.
     *
     * @param length the size of the structure without the checksum
     */
    public Cursor readBlock(long address, long length, String signature, String name) {
        read(address, 4, name).signature(signature);
        Cursor cursor = readChecked(address, length, name).skip(4);
        cursor.version(0, 0);
        return cursor;
    }

    /**
     * Reads bytes that are followed by a checksum, and checks the checksum.
     *
     * @param length the number of bytes before the checksum
     */
    public Cursor readChecked(long address, long length, String name) {
        Cursor cursor = read(address, length > Long.MAX_VALUE - CHECKSUM ? length : length + CHECKSUM, name);
        Cursor bytes = cursor.slice(length, name);
        requireChecksum(address, bytes.checksum(), (int) cursor.u32(), name);
        return bytes;
    }

    /** Throws if the checksum of bytes at an address is wrong. */
    void requireChecksum(long address, int found, int expected, String name) {
        if (found != expected) {
            throw new CorruptDataException(String.format(
                    "hdf5: %s at byte %d: expected the checksum 0x%08x, found 0x%08x",
                    name, base + address, expected, found));
        }
    }

    /** Reads up to {@code maxLength} bytes, fewer at the end of the file. */
    Cursor readUpTo(long address, long maxLength, String name) {
        return read(address, Math.max(0, Math.min(maxLength, file.size() - base - address)), name);
    }

    private Cursor readAtOffset(long fileOffset, long length, String name) {
        budget -= length;
        if (length > MAX_AT_ONCE || budget < 0) {
            throw new CorruptDataException(
                    "hdf5: " + name + " at byte " + fileOffset + ": expected structures that are not "
                            + "larger than the file, found that they refer to the same bytes again and again");
        }
        byte[] bytes = new byte[(int) length];
        try {
            if (length > PAGE_SIZE) {
                file.read(fileOffset, ByteBuffer.wrap(bytes));
            } else {
                for (int copied = 0; copied < bytes.length; ) {
                    long pageNumber = (fileOffset + copied) / PAGE_SIZE;
                    byte[] page = readPage(pageNumber);
                    int offsetInPage = (int) (fileOffset + copied - pageNumber * PAGE_SIZE);
                    int count = Math.min(bytes.length - copied, page.length - offsetInPage);
                    System.arraycopy(page, offsetInPage, bytes, copied, count);
                    copied += count;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Cursor(bytes, widths, name);
    }

    private byte[] readPage(long pageNumber) throws IOException {
        byte[] page = pages.get(pageNumber);
        if (page == null) {
            page = new byte[(int) Math.min(PAGE_SIZE, file.size() - pageNumber * PAGE_SIZE)];
            file.read(pageNumber * PAGE_SIZE, ByteBuffer.wrap(page));
            pages.put(pageNumber, page);
        }
        return page;
    }

    private CorruptDataException outsideFile(String name, long length, long address) {
        return new CorruptDataException("hdf5: expected " + name + " of " + length + " bytes at address " + address
                + " within the file's " + file.size() + " bytes; is the file complete?");
    }
}
