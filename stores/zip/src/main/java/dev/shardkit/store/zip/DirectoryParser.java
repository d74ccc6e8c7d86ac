package dev.shardkit.store.zip;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.keys.Keys;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Parses the directory of an archive (central directory, APPNOTE 4.3.12). Compares each number with the bytes that
 * exist. Not thread-safe.
 */
final class DirectoryParser {
    /** The size of a record without the name, the extra fields and the comment. */
    private static final int RECORD = 46;
    /** The first four bytes of a record. */
    private static final int SIGNATURE = 0x02014b50;
    /** Bits of the general purpose flags (APPNOTE 4.4.4). */
    private static final int ENCRYPTED_DIRECTORY = 1 << 13;

    private static final int UTF_8 = 1 << 11;
    /** The identifier of the ZIP64 extra field (APPNOTE 4.5.3). */
    private static final int ZIP64_FIELD = 1;
    /** The value of a 32-bit field whose number is in the ZIP64 extra field instead. */
    private static final long INT_MAX = 0xffffffffL;

    private final ByteBuffer in;
    private final EndRecord end;
    private final ZipLimits limits;
    private final List<ArchiveEntry> entries = new ArrayList<>();

    private DirectoryParser(ByteBuffer in, EndRecord end, ZipLimits limits) {
        this.in = in;
        this.end = end;
        this.limits = limits;
    }

    /**
     * Returns the entries by key, without folders and without shardkit's internal files.
     *
     * @param records the whole directory
     */
    static NavigableMap<String, ArchiveEntry> parse(ByteBuffer records, EndRecord end, ZipLimits limits) {
        DirectoryParser parser = new DirectoryParser(records, end, limits);
        while (records.hasRemaining()) {
            parser.entries.add(parser.parseRecord());
        }
        long count = parser.entries.size();
        // Without ZIP64, the end record has the lowest 16 bits of the number.
        if ((end.isZip64() ? count : count & 0xffff) != end.entries()) {
            throw new CorruptDataException(
                    "the archive's directory: expected " + end.entries() + " entries, found " + count);
        }
        return parser.byKey();
    }

    /** Parses the next record. The offsets of its fields are those of APPNOTE 4.3.12. */
    private ArchiveEntry parseRecord() {
        int start = in.position();
        if (in.remaining() < RECORD || in.getInt(start) != SIGNATURE) {
            throw new CorruptDataException("the archive's directory: expected an entry at byte " + start + " of "
                    + in.limit() + ", found something else; archives with data in front of them are not read");
        }
        int nameLength = EndRecord.u2(in, start + 28);
        int extraLength = EndRecord.u2(in, start + 30);
        int length = RECORD + nameLength + extraLength + EndRecord.u2(in, start + 32);
        if (length > in.remaining()) {
            throw new CorruptDataException("the archive's directory ends within entry " + entries.size());
        }
        int flags = EndRecord.u2(in, start + 8);
        if ((flags & ENCRYPTED_DIRECTORY) != 0) {
            throw new UnsupportedException("the archive's directory is encrypted");
        }
        in.position(start + length);
        // The numbers that ZIP64 may enlarge, in its order: size, packed size, offset of the header, disk.
        long[] numbers = {
            EndRecord.u4(in, start + 24),
            EndRecord.u4(in, start + 20),
            EndRecord.u4(in, start + 42),
            EndRecord.u2(in, start + 34)
        };
        enlarge(numbers, start + RECORD + nameLength, extraLength);
        if (numbers[3] != 0) {
            throw new UnsupportedException(
                    "the archive has an entry in another part of it: it was split into several files");
        }
        return new ArchiveEntry(
                name(start + RECORD, nameLength, (flags & UTF_8) != 0),
                nameLength,
                EndRecord.u2(in, start + 10),
                flags,
                EndRecord.u2(in, start + 6) & 0xff,
                in.getInt(start + 16),
                numbers[1],
                numbers[0],
                numbers[2],
                end.offset());
    }

    /**
     * Replaces numbers that did not fit into the record by those of the ZIP64 extra field. That field has only these
     * numbers, in the order of the array.
     *
     * @param extra the offset of the extra fields
     * @param length their length
     */
    private void enlarge(long[] numbers, int extra, int length) {
        boolean[] missing = {numbers[0] == INT_MAX, numbers[1] == INT_MAX, numbers[2] == INT_MAX, numbers[3] == 0xffff};
        int field = extra;
        while (field + 4 <= extra + length) {
            int fieldEnd = field + 4 + EndRecord.u2(in, field + 2);
            if (fieldEnd > extra + length) {
                break; // some programs pad with arbitrary bytes
            }
            if (EndRecord.u2(in, field) == ZIP64_FIELD) {
                int position = field + 4;
                for (int i = 0; i < 4; i++) {
                    int width = i < 3 ? 8 : 4; // only the number of the disk has 4 bytes
                    if (missing[i] && position + width <= fieldEnd) {
                        numbers[i] = i < 3 ? in.getLong(position) : EndRecord.u4(in, position);
                        missing[i] = false;
                        position += width;
                    }
                }
                break;
            }
            field = fieldEnd;
        }
        for (int i = 0; i < 3; i++) {
            if (missing[i] || numbers[i] < 0) {
                throw new CorruptDataException("the archive's directory: entry " + entries.size()
                        + " declares a ZIP64 number that is missing or beyond 2^63 - 1");
            }
        }
    }

    /**
     * Returns a name: UTF-8 if its bytes are valid UTF-8, otherwise in the character set of the format.
     *
     * @param utf8 whether the entry declares that its name is UTF-8
     */
    private String name(int offset, int length, boolean utf8) {
        byte[] name = new byte[length];
        in.get(offset, name);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(name))
                    .toString();
        } catch (CharacterCodingException e) {
            if (utf8) {
                throw new CorruptDataException(
                        "the archive's directory: the name of entry " + entries.size() + " is not UTF-8");
            }
            String ibm = "IBM437"; // the format's own character set, which not every JVM has
            return new String(name, Charset.isSupported(ibm) ? Charset.forName(ibm) : StandardCharsets.ISO_8859_1);
        }
    }

    /** Returns the entries that are objects, by key. */
    private NavigableMap<String, ArchiveEntry> byKey() {
        List<ArchiveEntry> limited = withLimits();
        NavigableMap<String, ArchiveEntry> members = new TreeMap<>();
        for (ArchiveEntry member : limited) {
            if (isObject(member)) {
                Optional<ArchiveEntry> duplicate = Optional.ofNullable(members.put(member.name(), member));
                if (duplicate.isPresent() && !limits.lastOfDuplicates()) {
                    throw new CorruptDataException("the archive has several entries named " + shown(member.name())
                            + "; to read the last of them, as zarr-python does, add #duplicates=last to the location");
                }
            }
        }
        return members;
    }

    /**
     * Returns all entries in the order of the directory. Each gets a limit: the offset of the header that follows it in
     * the file. Rejects entries that overlap.
     */
    private List<ArchiveEntry> withLimits() {
        Integer[] order = new Integer[entries.size()];
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
        }
        Arrays.sort(order, Comparator.comparingLong(i -> entries.get(i).header()));
        List<ArchiveEntry> limited = new ArrayList<>(entries);
        for (int i = 0; i < order.length; i++) {
            ArchiveEntry member = entries.get(order[i]);
            long next = i + 1 < order.length ? entries.get(order[i + 1]).header() : end.offset();
            // The largest sum of the offset of the header and the packed size.
            long maxPacked = next - ArchiveEntry.HEADER - member.nameLength();
            if (member.packed() > maxPacked || member.header() > maxPacked - member.packed()) {
                throw new CorruptDataException("the entry " + shown(member.name()) + " of the archive: expected "
                        + member.packed() + " bytes after a header at offset " + member.header()
                        + ", found the next entry or the directory at offset " + next);
            }
            limited.set(order[i], member.limitedBy(next));
        }
        return limited;
    }

    /** Returns whether an entry is an object of the store: not a folder, and not one of shardkit's own files. */
    private static boolean isObject(ArchiveEntry member) {
        if (member.name().endsWith("/")) {
            return false;
        }
        for (String part : member.name().split("/", -1)) {
            if (part.startsWith(Keys.RESERVED)) {
                return false;
            }
        }
        try {
            Keys.check(member.name());
        } catch (IllegalArgumentException e) {
            throw new CorruptDataException("the archive has an entry whose name is " + e.getMessage());
        }
        if (member.isStored() && member.packed() != member.size()) {
            throw new CorruptDataException("the entry " + shown(member.name()) + " of the archive is stored: expected "
                    + member.size() + " bytes, found " + member.packed());
        }
        return true;
    }

    private static String shown(String name) {
        String text = name.replaceAll("\\p{Cntrl}", "?");
        return text.length() > 200 ? text.substring(0, 200) + "..." : text;
    }
}
