package dev.shardkit.files;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Snapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the directories of a TIFF file: TIFF 6.0, section 2, and BigTIFF. Reads no elements. Used by one thread. */
final class TiffIndex {
    static final int SUBFILE = 254;
    static final int WIDTH = 256;
    static final int HEIGHT = 257;
    static final int BITS = 258;
    static final int COMPRESSION = 259;
    static final int FILL_ORDER = 266;
    static final int STRIP_OFFSETS = 273;
    static final int SAMPLES = 277;
    static final int ROWS = 278;
    static final int STRIP_SIZES = 279;
    static final int PLANAR = 284;
    static final int PREDICTOR = 317;
    static final int TILE_WIDTH = 322;
    static final int TILE_HEIGHT = 323;
    static final int TILE_OFFSETS = 324;
    static final int TILE_SIZES = 325;
    static final int SUB_DIRECTORIES = 330;
    static final int FORMAT = 339;

    private static final int MAX_DIRECTORIES = 100_000;
    private static final int MAX_ENTRIES = 4096;
    private static final long MAX_VALUES = 4_000_000;
    private static final int BIG = 43;
    private static final int[] SIZES = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8};

    private final Snapshot file;
    private final ByteOrder order;
    private final boolean isBig;
    private final Set<Long> seen = new HashSet<>();
    private long values;

    private TiffIndex(Snapshot file, ByteOrder order, boolean isBig) {
        this.file = file;
        this.order = order;
        this.isBig = isBig;
    }

    /**
     * A directory: an image of the file. Immutable.
     *
     * @param tags the integers of each tag that has any
     * @param order the byte order of the file
     * @param below the directories below it, such as smaller versions of the image
     */
    record Directory(Map<Integer, long[]> tags, ByteOrder order, List<Directory> below) {
        long[] all(int tag) {
            return tags.getOrDefault(tag, new long[0]);
        }

        long one(int tag, long otherwise) {
            long[] found = all(tag);
            return found.length == 0 ? otherwise : found[0];
        }
    }

    /** Whether a file begins as TIFF. */
    static boolean begins(byte[] head) {
        return head.length >= 4
                && (head[0] == 'I' && head[1] == 'I' && (head[2] == 42 || head[2] == BIG) && head[3] == 0
                        || head[0] == 'M' && head[1] == 'M' && head[2] == 0 && (head[3] == 42 || head[3] == BIG));
    }

    /** Reads the directories of a file, in order. */
    static List<Directory> read(Snapshot file) throws IOException {
        byte[] head = new byte[(int) Math.min(4, file.size())];
        file.read(0, ByteBuffer.wrap(head));
        if (!begins(head)) {
            throw new UnsupportedException("this is no TIFF file: expected II or MM and 42 or 43 at its start");
        }
        boolean isBig = head[2] == BIG || head[3] == BIG;
        TiffIndex index = new TiffIndex(file, head[0] == 'I' ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN, isBig);
        ByteBuffer first = index.bytes(isBig ? 8 : 4, isBig ? 8 : 4);
        List<Directory> directories = new ArrayList<>();
        long at = index.offset(first);
        while (at != 0) {
            long[] next = new long[1];
            directories.add(index.directory(at, 0, next));
            at = next[0];
        }
        return directories;
    }

    private ByteBuffer bytes(long offset, long length) throws IOException {
        if (offset < 0 || length < 0 || offset > file.size() - length || length > MAX_VALUES * Long.BYTES) {
            throw new CorruptDataException("TIFF: expected " + length + " bytes at byte " + offset
                    + " within the file's " + file.size() + " bytes; is the file complete?");
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) length);
        file.read(offset, bytes);
        return bytes.flip().order(order);
    }

    private long offset(ByteBuffer in) {
        return isBig ? in.getLong() : in.getInt() & 0xffffffffL;
    }

    private Directory directory(long at, int depth, long[] next) throws IOException {
        if (!seen.add(at) || seen.size() > MAX_DIRECTORIES || depth > 2) {
            throw new CorruptDataException("TIFF: the directories form a circle, or there are more than "
                    + MAX_DIRECTORIES + " (at byte " + at + ")");
        }
        ByteBuffer head = bytes(at, isBig ? 8 : 2);
        long count = isBig ? head.getLong() : head.getShort() & 0xffff;
        if (count < 0 || count > MAX_ENTRIES) {
            throw new CorruptDataException(
                    "TIFF: expected a directory of at most " + MAX_ENTRIES + " entries, found " + count);
        }
        int size = isBig ? 20 : 12;
        ByteBuffer entries = bytes(at + (isBig ? 8 : 2), count * size + (isBig ? 8 : 4));
        Map<Integer, long[]> tags = new HashMap<>();
        for (int i = 0; i < count; i++) {
            entries.position(i * size);
            entry(entries.slice().order(order), tags);
        }
        entries.position((int) count * size);
        next[0] = offset(entries);
        List<Directory> below = new ArrayList<>();
        for (long child : tags.getOrDefault(SUB_DIRECTORIES, new long[0])) {
            below.add(directory(child, depth + 1, new long[1]));
        }
        return new Directory(tags, order, below);
    }

    /** Keeps the values of an entry, if they are integers. */
    private void entry(ByteBuffer in, Map<Integer, long[]> tags) throws IOException {
        int tag = in.getShort() & 0xffff;
        int type = in.getShort() & 0xffff;
        long count = isBig ? in.getLong() : in.getInt() & 0xffffffffL;
        int size = type < SIZES.length ? SIZES[type] : 0;
        boolean isWhole = List.of(1, 3, 4, 13, 16, 18).contains(type);
        if (!isWhole || tag < SUBFILE || tag > FORMAT) {
            return;
        }
        if (count < 0 || count > MAX_VALUES - values) {
            throw new CorruptDataException("TIFF: expected at most " + MAX_VALUES + " values in all tags, found more");
        }
        values += count;
        ByteBuffer at = count * size <= (isBig ? 8 : 4) ? in : bytes(offset(in), count * size);
        long[] all = new long[(int) count];
        for (int i = 0; i < all.length; i++) {
            all[i] = size == 1
                    ? at.get() & 0xff
                    : size == 2 ? at.getShort() & 0xffff : size == 4 ? at.getInt() & 0xffffffffL : at.getLong();
        }
        tags.put(tag, all);
    }
}
