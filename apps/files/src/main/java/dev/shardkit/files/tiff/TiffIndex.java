package dev.shardkit.files.tiff;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.ObjectSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the directories of a TIFF file (TIFF 6.0, section 2, and BigTIFF). A directory describes one image by tags,
 * such as its size and the offsets of its strips or tiles. {@link TiffChunks} makes references from them. Reads no
 * elements. Used by one thread.
 */
public final class TiffIndex {
    // Numbers of tags, in ascending order.
    public static final int SUBFILE = 254;
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

    // Limits that keep a damaged or hostile file from filling the memory.
    private static final int MAX_DIRECTORIES = 100_000;
    private static final int MAX_ENTRIES = 4096;
    private static final long MAX_VALUES = 4_000_000;
    /**
     * The maximum number of directories above a directory. Files normally nest directories once, for smaller versions
     * of an image; this reader accepts one more level.
     */
    private static final int MAX_DEPTH = 2;

    // The numbers that follow the byte order at the start of a file.
    private static final int CLASSIC_TIFF = 42;
    /** BigTIFF, in which offsets have 8 bytes instead of 4. */
    private static final int BIG_TIFF = 43;

    /** For the number of each type, the size of a value in bytes; 0 if there is no type with this number. */
    private static final int[] TYPE_SIZES = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8};
    /** The types BYTE, SHORT, LONG, IFD, LONG8 and IFD8. */
    private static final List<Integer> UNSIGNED_INTEGER_TYPES = List.of(1, 3, 4, 13, 16, 18);

    private final ObjectSnapshot file;
    private final ByteOrder order;
    private final boolean isBigTiff;
    /** The offsets of the directories read so far, to detect circles. */
    private final Set<Long> visitedOffsets = new HashSet<>();
    /** The number of values read so far, which {@link #MAX_VALUES} limits. */
    private long valueCount;

    private TiffIndex(ObjectSnapshot file, ByteOrder order, boolean isBigTiff) {
        this.file = file;
        this.order = order;
        this.isBigTiff = isBigTiff;
    }

    /**
     * A directory, which describes one image of the file. Immutable.
     *
     * @param tags the values of the tags that contain unsigned integers, by the number of the tag
     * @param order the byte order of the file
     * @param children the child directories, such as smaller versions of the image
     */
    public record Directory(Map<Integer, long[]> tags, ByteOrder order, List<Directory> children) {
        long[] valuesOf(int tag) {
            return tags.getOrDefault(tag, new long[0]);
        }

        public long firstValue(int tag, long defaultValue) {
            long[] values = valuesOf(tag);
            return values.length == 0 ? defaultValue : values[0];
        }
    }

    /** Returns whether a file starts like TIFF. */
    public static boolean startsTiff(byte[] firstBytes) {
        return firstBytes.length >= 4
                && (firstBytes[0] == 'I'
                                && firstBytes[1] == 'I'
                                && (firstBytes[2] == CLASSIC_TIFF || firstBytes[2] == BIG_TIFF)
                                && firstBytes[3] == 0
                        || firstBytes[0] == 'M'
                                && firstBytes[1] == 'M'
                                && firstBytes[2] == 0
                                && (firstBytes[3] == CLASSIC_TIFF || firstBytes[3] == BIG_TIFF));
    }

    /** Reads the directories of a file, in order. Each contains its child directories. */
    public static List<Directory> read(ObjectSnapshot file) throws IOException {
        byte[] firstBytes = new byte[(int) Math.min(4, file.size())];
        file.read(0, ByteBuffer.wrap(firstBytes));
        if (!startsTiff(firstBytes)) {
            throw new UnsupportedException("this is no TIFF file: expected II or MM and 42 or 43 at its start");
        }
        boolean isBigTiff = firstBytes[2] == BIG_TIFF || firstBytes[3] == BIG_TIFF;
        TiffIndex index =
                new TiffIndex(file, firstBytes[0] == 'I' ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN, isBigTiff);
        // The offset of the first directory stands at byte 4, in BigTIFF at byte 8.
        ByteBuffer first = index.readBytes(isBigTiff ? 8 : 4, isBigTiff ? 8 : 4);
        List<Directory> directories = new ArrayList<>();
        long offset = index.readOffset(first);
        while (offset != 0) {
            long[] next = new long[1];
            directories.add(index.readDirectory(offset, 0, next));
            offset = next[0];
        }
        return directories;
    }

    /** Reads bytes of the file. Throws {@link CorruptDataException} if they do not lie within the file. */
    private ByteBuffer readBytes(long offset, long length) throws IOException {
        if (offset < 0 || length < 0 || offset > file.size() - length || length > MAX_VALUES * Long.BYTES) {
            throw new CorruptDataException("TIFF: expected " + length + " bytes at byte " + offset
                    + " within the file's " + file.size() + " bytes; is the file complete?");
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) length);
        file.read(offset, bytes);
        return bytes.flip().order(order);
    }

    /** Reads an offset in the file: 4 bytes, or 8 bytes in BigTIFF. */
    private long readOffset(ByteBuffer entry) {
        return isBigTiff ? entry.getLong() : entry.getInt() & 0xffffffffL;
    }

    /**
     * Reads a directory and its children.
     *
     * @param depth the number of directories above it
     * @param next receives the offset of the next directory in its only element; 0 after the last directory
     */
    private Directory readDirectory(long offset, int depth, long[] next) throws IOException {
        if (!visitedOffsets.add(offset) || visitedOffsets.size() > MAX_DIRECTORIES || depth > MAX_DEPTH) {
            throw new CorruptDataException("TIFF: the directories form a circle, are nested too deeply,"
                    + " or there are more than " + MAX_DIRECTORIES + " (at byte " + offset + ")");
        }
        // A directory is the number of its entries, the entries, and the offset of the next directory.
        ByteBuffer firstBytes = readBytes(offset, isBigTiff ? 8 : 2);
        long count = isBigTiff ? firstBytes.getLong() : firstBytes.getShort() & 0xffff;
        if (count < 0 || count > MAX_ENTRIES) {
            throw new CorruptDataException(
                    "TIFF: expected a directory of at most " + MAX_ENTRIES + " entries, found " + count);
        }
        int entrySize = isBigTiff ? 20 : 12;
        ByteBuffer entries = readBytes(offset + (isBigTiff ? 8 : 2), count * entrySize + (isBigTiff ? 8 : 4));
        Map<Integer, long[]> tags = new HashMap<>();
        for (int i = 0; i < count; i++) {
            entries.position(i * entrySize);
            readEntry(entries.slice().order(order), tags);
        }
        entries.position((int) count * entrySize);
        next[0] = readOffset(entries);
        List<Directory> children = new ArrayList<>();
        for (long child : tags.getOrDefault(SUB_DIRECTORIES, new long[0])) {
            children.add(readDirectory(child, depth + 1, new long[1]));
        }
        return new Directory(tags, order, children);
    }

    /**
     * Adds the values of an entry to {@code tags}. Skips entries with tags below {@link #SUBFILE} or above
     * {@link #FORMAT}, and entries whose values are not unsigned integers.
     */
    private void readEntry(ByteBuffer entry, Map<Integer, long[]> tags) throws IOException {
        int tag = entry.getShort() & 0xffff;
        int type = entry.getShort() & 0xffff;
        long count = isBigTiff ? entry.getLong() : entry.getInt() & 0xffffffffL;
        int size = type < TYPE_SIZES.length ? TYPE_SIZES[type] : 0;
        boolean isInteger = UNSIGNED_INTEGER_TYPES.contains(type);
        if (!isInteger || tag < SUBFILE || tag > FORMAT) {
            return;
        }
        if (count < 0 || count > MAX_VALUES - valueCount) {
            throw new CorruptDataException("TIFF: expected at most " + MAX_VALUES + " values in all tags, found more");
        }
        valueCount += count;
        // Values that are not larger than an offset are in the entry itself, in place of the offset.
        ByteBuffer valueBuffer =
                count * size <= (isBigTiff ? 8 : 4) ? entry : readBytes(readOffset(entry), count * size);
        long[] tagValues = new long[(int) count];
        for (int i = 0; i < tagValues.length; i++) {
            tagValues[i] = readUnsigned(valueBuffer, size);
        }
        tags.put(tag, tagValues);
    }

    /** Reads an unsigned integer of {@code size} bytes. */
    private static long readUnsigned(ByteBuffer values, int size) {
        return switch (size) {
            case 1 -> values.get() & 0xff;
            case 2 -> values.getShort() & 0xffff;
            case 4 -> values.getInt() & 0xffffffffL;
            default -> values.getLong();
        };
    }
}
