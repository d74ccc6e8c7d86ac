package dev.shardkit.hdf5;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.store.Snapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The bytes of one version of a file. Reads pages and keeps some, because the structures of a file are small and lie
 * together, and because a read of a remote file takes long. What all structures together may read is limited, so a file
 * whose structures refer to each other in a circle ends in an error. Used by one thread.
 */
final class FileBytes {
    /** The size of a checksum in bytes. */
    static final int CHECKSUM = 4;

    private static final int PAGE = 1 << 16;
    private static final int MAX_PAGES = 256;
    /** The largest structure: a dense heap block or a page of an index is smaller by far. */
    private static final long MAX_AT_ONCE = 256L << 20;

    private static final long FREE_BUDGET = 64L << 20;

    private final Snapshot file;
    private final Map<Long, byte[]> pages = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, byte[]> eldest) {
            return size() > MAX_PAGES;
        }
    };
    private Cursor.Widths widths = new Cursor.Widths(Long.BYTES, Long.BYTES);
    private long base;
    private long budget;

    FileBytes(Snapshot file) {
        this.file = file;
        this.budget = FREE_BUDGET + Math.min(file.size(), Long.MAX_VALUE / 8) * 4;
    }

    /** Sets where addresses begin and how large they are. */
    void layout(long base, Cursor.Widths widths) {
        this.base = base;
        this.widths = widths;
    }

    /** Returns the size of the file in bytes. */
    long size() {
        return file.size();
    }

    Cursor.Widths widths() {
        return widths;
    }

    /** Returns the place of an address in the file. */
    long place(long address) {
        if (address < 0 || address > file.size() - base) {
            throw outside("bytes", 0, address);
        }
        return base + address;
    }

    /**
     * Reads bytes.
     *
     * @param address where they are, from the base address
     * @param what the structure, for messages
     */
    Cursor at(long address, long length, String what) {
        if (address < 0 || length < 0 || address > file.size() - base - length) {
            throw outside(what, length, address);
        }
        return read(base + address, length, what);
    }

    /**
     * Reads a structure that begins with a signature and version 0, and ends with a checksum, and checks all three.
     * Returns a cursor behind the version and before the checksum.
     *
     * @param length its size without the checksum
     */
    Cursor block(long address, long length, String signature, String what) {
        at(address, 4, what).signature(signature);
        Cursor in = checked(address, length, what).skip(4);
        in.version(0, 0);
        return in;
    }

    /**
     * Reads bytes that a checksum follows, and checks it.
     *
     * @param length the number of bytes before the checksum
     */
    Cursor checked(long address, long length, String what) {
        Cursor in = at(address, length > Long.MAX_VALUE - CHECKSUM ? length : length + CHECKSUM, what);
        Cursor bytes = in.part(length, what);
        check(address, bytes.checksum(), (int) in.u32(), what);
        return bytes;
    }

    /** Checks a checksum of bytes at an address. */
    void check(long address, int found, int expected, String what) {
        if (found != expected) {
            throw new CorruptDataException(String.format(
                    "hdf5: %s at byte %d: expected the checksum 0x%08x, found 0x%08x",
                    what, base + address, expected, found));
        }
    }

    /** Reads up to {@code most} bytes, fewer at the end of the file. */
    Cursor upTo(long address, long most, String what) {
        return at(address, Math.max(0, Math.min(most, file.size() - base - address)), what);
    }

    private Cursor read(long place, long length, String what) {
        budget -= length;
        if (length > MAX_AT_ONCE || budget < 0) {
            throw new CorruptDataException("hdf5: " + what + " at byte " + place + ": expected structures that are not "
                    + "larger than the file, found that they refer to the same bytes again and again");
        }
        byte[] bytes = new byte[(int) length];
        try {
            if (length > PAGE) {
                file.read(place, ByteBuffer.wrap(bytes));
            } else {
                for (int done = 0; done < bytes.length; ) {
                    long number = (place + done) / PAGE;
                    byte[] page = page(number);
                    int from = (int) (place + done - number * PAGE);
                    int n = Math.min(bytes.length - done, page.length - from);
                    System.arraycopy(page, from, bytes, done, n);
                    done += n;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Cursor(bytes, widths, what);
    }

    private byte[] page(long number) throws IOException {
        byte[] page = pages.get(number);
        if (page == null) {
            page = new byte[(int) Math.min(PAGE, file.size() - number * PAGE)];
            file.read(number * PAGE, ByteBuffer.wrap(page));
            pages.put(number, page);
        }
        return page;
    }

    private CorruptDataException outside(String what, long length, long address) {
        return new CorruptDataException("hdf5: expected " + what + " of " + length + " bytes at address " + address
                + " within the file's " + file.size() + " bytes; is the file complete?");
    }
}
