package dev.shardkit.hdf5.file;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Reads elements of variable length from global heaps (HDF5 file format specification, section III.E). Caches some
 * heaps. Used by one thread.
 */
public final class GlobalHeap {
    private static final int MAX_CACHED = 64;
    /**
     * How many bytes all elements may have together, in addition to the file's size. Without a limit, a small corrupt
     * file could claim any number of elements that share the same bytes.
     */
    private static final long MIN_LIMIT = 1 << 20;

    private final FileBytes file;
    private long bytesRead;
    private final Map<Long, Map<Integer, Cursor>> cache = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Map<Integer, Cursor>> eldest) {
            return size() > MAX_CACHED;
        }
    };

    public GlobalHeap(FileBytes file) {
        this.file = file;
    }

    /**
     * Reads an element: the number of items, an address and an index. Returns the bytes of the items; empty for an
     * empty element.
     */
    public Cursor readElement(Cursor cursor, long itemSize) {
        long count = cursor.u32();
        long address = cursor.address();
        int index = (int) cursor.u32();
        if (count == 0 || address == 0 || address == Cursor.UNDEFINED) {
            return new Cursor(new byte[0], cursor.widths(), "an element of variable length");
        }
        Cursor object = Optional.ofNullable(
                        cache.computeIfAbsent(address, this::readHeap).get(index))
                .orElseThrow(() ->
                        cursor.corrupt("an object of the heap at address " + address, "none with index " + index));
        Cursor items = object.duplicate().slice(Math.multiplyExact(count, itemSize), "an element of variable length");
        bytesRead += items.remaining();
        if (bytesRead > MIN_LIMIT + file.size()) {
            throw Hdf5Errors.unsupported("a file whose elements of variable length are together larger than "
                    + (file.size() + MIN_LIMIT) + " bytes (the file's size plus " + MIN_LIMIT + ")");
        }
        return items;
    }

    private Map<Integer, Cursor> readHeap(long address) {
        int headerSize = 8 + file.widths().length();
        long size = readSize(file.read(address, headerSize, "a global heap"));
        return readObjects(file.read(address + headerSize, size - headerSize, "a global heap"));
    }

    /** Reads the size of a heap, with its header. */
    public static long readSize(Cursor cursor) {
        cursor.signature("GCOL");
        cursor.version(1, 1);
        cursor.skip(3);
        return cursor.length();
    }

    /** Reads the objects of a heap, which follow its header. */
    public static Map<Integer, Cursor> readObjects(Cursor cursor) {
        int headerSize = 8 + cursor.widths().length();
        Map<Integer, Cursor> objectsByIndex = new HashMap<>();
        while (cursor.remaining() >= headerSize) {
            int index = cursor.u16();
            cursor.skip(6);
            long length = cursor.length();
            if (index == 0) {
                break;
            }
            objectsByIndex.put(index, cursor.slice(length, "an object of a global heap"));
            cursor.skip(Math.min(cursor.remaining(), (8 - length % 8) % 8));
        }
        return objectsByIndex;
    }
}
