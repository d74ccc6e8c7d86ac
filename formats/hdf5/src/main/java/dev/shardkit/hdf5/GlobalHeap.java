package dev.shardkit.hdf5;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The heaps of elements of variable length (section III.E). Caches some of them. Used by one thread. */
final class GlobalHeap {
    private static final int MAX_KEPT = 64;
    /** The bytes that elements may take beyond the size of the file: many elements can share the same bytes. */
    private static final long FREE = 1 << 20;

    private final FileBytes file;
    private long read;
    private final Map<Long, Map<Integer, Cursor>> kept = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Map<Integer, Cursor>> eldest) {
            return size() > MAX_KEPT;
        }
    };

    GlobalHeap(FileBytes file) {
        this.file = file;
    }

    /** Reads an element: the number of items, an address and an index. Returns its bytes, none for an empty one. */
    Cursor element(Cursor in, long itemSize) {
        long count = in.u32();
        long address = in.address();
        int index = (int) in.u32();
        if (count == 0 || address == 0 || address == Cursor.UNDEFINED) {
            return new Cursor(new byte[0], in.widths(), "an element of variable length");
        }
        Cursor object = Optional.ofNullable(
                        kept.computeIfAbsent(address, this::collection).get(index))
                .orElseThrow(
                        () -> in.corrupt("an object of the heap at address " + address, "none with index " + index));
        Cursor element = object.again().part(Math.multiplyExact(count, itemSize), "an element of variable length");
        read += element.left();
        if (read > FREE + file.size()) {
            throw Hdf5.unsupported("a file whose elements of variable length are together larger than "
                    + (file.size() + FREE) + " bytes (the file's size plus " + FREE + ")");
        }
        return element;
    }

    private Map<Integer, Cursor> collection(long address) {
        int head = 8 + file.widths().length();
        long size = size(file.at(address, head, "a global heap"));
        return objects(file.at(address + head, size - head, "a global heap"));
    }

    /** Reads the size of a heap, with its header. */
    static long size(Cursor in) {
        in.signature("GCOL");
        in.version(1, 1);
        in.skip(3);
        return in.length();
    }

    /** Reads the objects of a heap, which follow its header. */
    static Map<Integer, Cursor> objects(Cursor objects) {
        int head = 8 + objects.widths().length();
        Map<Integer, Cursor> found = new HashMap<>();
        while (objects.left() >= head) {
            int index = objects.u16();
            objects.skip(6);
            long length = objects.length();
            if (index == 0) {
                break;
            }
            found.put(index, objects.part(length, "an object of a global heap"));
            objects.skip(Math.min(objects.left(), (8 - length % 8) % 8));
        }
        return found;
    }
}
