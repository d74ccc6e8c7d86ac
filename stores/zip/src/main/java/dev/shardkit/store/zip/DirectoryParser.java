package dev.shardkit.store.zip;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.internal.Keys;
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

/** Reads the directory of an archive. It compares each number with the bytes that exist. Used by one thread. */
final class DirectoryParser {
    private static final int RECORD = 46;
    private static final int SIGNATURE = 0x02014b50;
    private static final int MASKED = 1 << 13;
    private static final int UTF_8 = 1 << 11;
    private static final int LARGE = 1;
    private static final long INT_MAX = 0xffffffffL;

    private final ByteBuffer in;
    private final EndRecord end;
    private final ZipLimits limits;
    private final List<ArchiveEntry> found = new ArrayList<>();

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
            parser.found.add(parser.record());
        }
        long count = parser.found.size();
        if ((end.isZip64() ? count : count & 0xffff) != end.entries()) {
            throw new CorruptDataException(
                    "the archive's directory: expected " + end.entries() + " entries, found " + count);
        }
        return parser.byKey();
    }

    private ArchiveEntry record() {
        int at = in.position();
        if (in.remaining() < RECORD || in.getInt(at) != SIGNATURE) {
            throw new CorruptDataException("the archive's directory: expected an entry at byte " + at + " of "
                    + in.limit() + ", found something else; archives with data in front of them are not read");
        }
        int nameLength = EndRecord.u2(in, at + 28);
        int extraLength = EndRecord.u2(in, at + 30);
        int length = RECORD + nameLength + extraLength + EndRecord.u2(in, at + 32);
        if (length > in.remaining()) {
            throw new CorruptDataException("the archive's directory ends within entry " + found.size());
        }
        int flags = EndRecord.u2(in, at + 8);
        if ((flags & MASKED) != 0) {
            throw new UnsupportedException("the archive's directory is encrypted");
        }
        in.position(at + length);
        long[] large = {
            EndRecord.u4(in, at + 24), EndRecord.u4(in, at + 20), EndRecord.u4(in, at + 42), EndRecord.u2(in, at + 34)
        };
        enlarge(large, at + RECORD + nameLength, extraLength);
        if (large[3] != 0) {
            throw new UnsupportedException(
                    "the archive has an entry in another part of it: it was split into several files");
        }
        return new ArchiveEntry(
                name(at + RECORD, nameLength, (flags & UTF_8) != 0),
                nameLength,
                EndRecord.u2(in, at + 10),
                flags,
                EndRecord.u2(in, at + 6) & 0xff,
                in.getInt(at + 16),
                large[1],
                large[0],
                large[2],
                end.offset());
    }

    /** Reads the 64-bit numbers from the ZIP64 extra field. */
    private void enlarge(long[] numbers, int extra, int length) {
        boolean[] missing = {numbers[0] == INT_MAX, numbers[1] == INT_MAX, numbers[2] == INT_MAX, numbers[3] == 0xffff};
        int at = extra;
        while (at + 4 <= extra + length) {
            int stop = at + 4 + EndRecord.u2(in, at + 2);
            if (stop > extra + length) {
                break; // some programs pad with anything
            }
            if (EndRecord.u2(in, at) == LARGE) {
                int field = at + 4;
                for (int i = 0; i < 4; i++) {
                    int width = i < 3 ? 8 : 4;
                    if (missing[i] && field + width <= stop) {
                        numbers[i] = i < 3 ? in.getLong(field) : EndRecord.u4(in, field);
                        missing[i] = false;
                        field += width;
                    }
                }
                break;
            }
            at = stop;
        }
        for (int i = 0; i < 3; i++) {
            if (missing[i] || numbers[i] < 0) {
                throw new CorruptDataException("the archive's directory: entry " + found.size()
                        + " declares a ZIP64 number that is missing or beyond 2^63 - 1");
            }
        }
    }

    private String name(int at, int length, boolean utf8) {
        byte[] name = new byte[length];
        in.get(at, name);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(name))
                    .toString();
        } catch (CharacterCodingException e) {
            if (utf8) {
                throw new CorruptDataException(
                        "the archive's directory: the name of entry " + found.size() + " is not UTF-8");
            }
            String ibm = "IBM437"; // the format's own character set, which not every JVM has
            return new String(name, Charset.isSupported(ibm) ? Charset.forName(ibm) : StandardCharsets.ISO_8859_1);
        }
    }

    private NavigableMap<String, ArchiveEntry> byKey() {
        List<ArchiveEntry> placed = placed();
        NavigableMap<String, ArchiveEntry> members = new TreeMap<>();
        for (ArchiveEntry member : placed) {
            if (isObject(member)) {
                Optional<ArchiveEntry> other = Optional.ofNullable(members.put(member.name(), member));
                if (other.isPresent() && !limits.lastOfDuplicates()) {
                    throw new CorruptDataException("the archive has several entries named " + shown(member.name())
                            + "; to read the last of them, as zarr-python does, add #duplicates=last to the location");
                }
            }
        }
        return members;
    }

    /** Returns all entries with their limits, in the order of the directory. */
    private List<ArchiveEntry> placed() {
        Integer[] order = new Integer[found.size()];
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
        }
        Arrays.sort(order, Comparator.comparingLong(i -> found.get(i).header()));
        List<ArchiveEntry> placed = new ArrayList<>(found);
        for (int i = 0; i < order.length; i++) {
            ArchiveEntry member = found.get(order[i]);
            long next = i + 1 < order.length ? found.get(order[i + 1]).header() : end.offset();
            long most = next - ArchiveEntry.HEADER - member.nameLength();
            if (member.packed() > most || member.header() > most - member.packed()) {
                throw new CorruptDataException("the entry " + shown(member.name()) + " of the archive: expected "
                        + member.packed() + " bytes after a header at offset " + member.header()
                        + ", found the next entry or the directory at offset " + next);
            }
            placed.set(order[i], member.limitedBy(next));
        }
        return placed;
    }

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
            Keys.parts(member.name());
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
