package dev.shardkit.store.zip;

import dev.shardkit.spi.error.CorruptDataException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The offsets of the entries' bytes. The directory has the offset of each local header, but not its size. So the bytes
 * are assumed to end at the next local header:
 *
 * <ul>
 *   <li>If header and name fill the space before them exactly, there is nothing between, and no header is read.
 *   <li>Otherwise there are extra fields, or unused bytes after the entry. The local header of the first such entry is
 *       read. If it confirms the assumption, it also holds for entries with the same amount of space and the same
 *       version, because one program writes the same extra fields for all entries.
 *   <li>If a header contradicts the assumption, the header of each entry with that amount of space is read.
 * </ul>
 *
 * Thread-safe.
 */
final class EntryOffsets {
    private static final int SIGNATURE = 0x04034b50;

    private final Map<String, Long> learnedStarts = new ConcurrentHashMap<>();
    private final Map<Kind, Boolean> assumptionHolds = new ConcurrentHashMap<>();

    /** The properties that entries with equal local headers share. */
    private record Kind(long slack, int needed) {
        static Kind of(ArchiveEntry member) {
            return new Kind(member.slack(), member.needed());
        }
    }

    /** Returns the offset of the entry's first byte; empty if its local header must be read first. */
    OptionalLong knownStart(ArchiveEntry member) {
        if (member.isDescribedBehind()) {
            return learnedStart(member);
        } else if (member.slack() == 0 || assumptionHolds.getOrDefault(Kind.of(member), false)) {
            return OptionalLong.of(member.assumedStart());
        }
        return learnedStart(member);
    }

    private OptionalLong learnedStart(ArchiveEntry member) {
        Long start = learnedStarts.get(member.name());
        return start == null ? OptionalLong.empty() : OptionalLong.of(start);
    }

    /** Returns how many bytes of a local header {@link #learn} needs. */
    static int headerBytes(ArchiveEntry member) {
        return ArchiveEntry.HEADER + member.nameLength();
    }

    /** Checks a local header and returns the offset of the entry's first byte. */
    long learn(ArchiveEntry member, ByteBuffer bytes) {
        ByteBuffer in = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        int position = in.position();
        if (in.remaining() < headerBytes(member) || in.getInt(position) != SIGNATURE) {
            throw new CorruptDataException("the entry " + member.name() + " of the archive: expected a local header at"
                    + " offset " + member.header() + ", found something else");
        }
        int nameLength = EndRecord.u2(in, position + 26);
        long packed = EndRecord.u4(in, position + 18);
        boolean sized = !member.isDescribedBehind() && packed != 0xffffffffL;
        if (nameLength != member.nameLength()
                || !isNamed(member, in, position + ArchiveEntry.HEADER)
                || EndRecord.u2(in, position + 8) != member.method()
                || sized && packed != member.packed()) {
            throw new CorruptDataException("the entry " + member.name()
                    + " of the archive: its local header and the directory disagree on name, method or size");
        }
        long start = member.header() + ArchiveEntry.HEADER + nameLength + EndRecord.u2(in, position + 28);
        if (start > member.assumedStart()) {
            throw new CorruptDataException("the entry " + member.name() + " of the archive: expected " + member.packed()
                    + " bytes from offset " + start + ", which are past offset " + member.limit());
        }
        learnedStarts.put(member.name(), start);
        if (!member.isDescribedBehind()) {
            assumptionHolds.merge(Kind.of(member), start == member.assumedStart(), Boolean::logicalAnd);
        }
        return start;
    }

    /**
     * Returns whether the name in a local header is the entry's name. Names that are not UTF-8 are compared by their
     * length alone.
     */
    private static boolean isNamed(ArchiveEntry member, ByteBuffer in, int offset) {
        byte[] name = member.name().getBytes(StandardCharsets.UTF_8);
        return name.length != member.nameLength() || ByteBuffer.wrap(name).equals(in.slice(offset, name.length));
    }
}
