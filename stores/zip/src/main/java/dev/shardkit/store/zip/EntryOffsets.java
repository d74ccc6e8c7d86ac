package dev.shardkit.store.zip;

import dev.shardkit.spi.error.CorruptDataException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds the offset of each entry's bytes. The central directory has the offset of each local header, but not its size.
 * The bytes follow the local header, so their offset depends on that size. Without reading the header, this class
 * assumes that the bytes end at the next local header:
 *
 * <ul>
 *   <li>If the header and the name fill the space before the assumed bytes, there is nothing else, and no header is
 *       read.
 *   <li>Otherwise there are extra fields, or unused bytes after the entry. The local header of the first such entry is
 *       read. If it confirms the assumption, it also holds for entries with the same amount of space and the same
 *       needed version, because one program writes the same extra fields for all entries.
 *   <li>If a header contradicts the assumption, the header of each entry with that amount of space is read.
 *   <li>If a data descriptor follows the bytes, the entry's own header is read.
 * </ul>
 *
 * Thread-safe.
 */
final class EntryOffsets {
    /** The first four bytes of a local header (APPNOTE 4.3.7). */
    private static final int SIGNATURE = 0x04034b50;

    /** The offsets of the bytes of entries whose local header was read, by name. */
    private final Map<String, Long> learnedStarts = new ConcurrentHashMap<>();
    /** Whether all local headers of a kind that were read confirm the assumption. */
    private final Map<Kind, Boolean> assumptionHolds = new ConcurrentHashMap<>();

    /** The properties that entries with equal local headers share. */
    private record Kind(long slack, int versionNeeded) {
        static Kind of(ArchiveEntry entry) {
            return new Kind(entry.slack(), entry.versionNeeded());
        }
    }

    /** Returns the offset of the entry's first byte; empty if its local header must be read first. */
    OptionalLong knownStart(ArchiveEntry entry) {
        if (entry.hasDataDescriptor()) {
            return learnedStart(entry);
        } else if (entry.slack() == 0 || assumptionHolds.getOrDefault(Kind.of(entry), false)) {
            return OptionalLong.of(entry.assumedStart());
        }
        return learnedStart(entry);
    }

    private OptionalLong learnedStart(ArchiveEntry entry) {
        Long start = learnedStarts.get(entry.name());
        return start == null ? OptionalLong.empty() : OptionalLong.of(start);
    }

    /** Returns how many bytes of a local header {@link #learn} needs. */
    static int headerBytes(ArchiveEntry entry) {
        return ArchiveEntry.HEADER + entry.nameLength();
    }

    /** Checks a local header and returns the offset of the entry's first byte. */
    long learn(ArchiveEntry entry, ByteBuffer bytes) {
        ByteBuffer in = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        int position = in.position();
        if (in.remaining() < headerBytes(entry) || in.getInt(position) != SIGNATURE) {
            throw new CorruptDataException("the entry " + entry.name() + " of the archive: expected a local header at"
                    + " offset " + entry.header() + ", found something else");
        }
        int nameLength = EndRecord.u2(in, position + 26);
        long packed = EndRecord.u4(in, position + 18);
        boolean sized = !entry.hasDataDescriptor() && packed != 0xffffffffL;
        if (nameLength != entry.nameLength()
                || !isNamed(entry, in, position + ArchiveEntry.HEADER)
                || EndRecord.u2(in, position + 8) != entry.method()
                || sized && packed != entry.packed()) {
            throw new CorruptDataException("the entry " + entry.name()
                    + " of the archive: its local header and the directory disagree on name, method or size");
        }
        long start = entry.header() + ArchiveEntry.HEADER + nameLength + EndRecord.u2(in, position + 28);
        if (start > entry.assumedStart()) {
            throw new CorruptDataException("the entry " + entry.name() + " of the archive: expected " + entry.packed()
                    + " bytes from offset " + start + ", which are past offset " + entry.limit());
        }
        learnedStarts.put(entry.name(), start);
        if (!entry.hasDataDescriptor()) {
            assumptionHolds.merge(Kind.of(entry), start == entry.assumedStart(), Boolean::logicalAnd);
        }
        return start;
    }

    /**
     * Returns whether the name in a local header is the entry's name. Names that are not UTF-8 are compared by their
     * length alone.
     */
    private static boolean isNamed(ArchiveEntry entry, ByteBuffer in, int offset) {
        byte[] name = entry.name().getBytes(StandardCharsets.UTF_8);
        return name.length != entry.nameLength() || ByteBuffer.wrap(name).equals(in.slice(offset, name.length));
    }
}
