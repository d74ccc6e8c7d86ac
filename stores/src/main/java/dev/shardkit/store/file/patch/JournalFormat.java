package dev.shardkit.store.file.patch;

import dev.shardkit.store.file.disk.Channels;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The content of a patch's journal, and its format. The writer first stores a head and the checksums of the file's old
 * content. Once the appended bytes are on the device, it adds the new bytes of the ranges to be overwritten (the redo
 * section). All numbers are big-endian; the type follows the name of a field:
 *
 * <pre>
 * head   "SKJ2", kind int, old size long, new size long, text, text, CRC32C of all before it int
 *        text: length int, UTF-8 (the file's identity, its name)
 * before see {@link BeforeImageChecksums}
 * redo   see {@link RedoSection}
 * </pre>
 *
 * <p>If the head or the checksums are incomplete or invalid, the file was not changed. If the redo section is
 * incomplete or invalid, nothing was overwritten. The reader does not trust a valid checksum alone, but compares all
 * lengths with the file, too. If the file has neither the old nor the new content, recovery sets the journal aside: it
 * then begins with "SKJX". Earlier builds wrote "SKJ1" without checksums.
 *
 * @param head the patch
 * @param before the checksums of the file's old content; empty in old journals
 * @param redo the new bytes of the overwritten ranges; empty if nothing was overwritten yet
 */
public record JournalFormat(Head head, Optional<BeforeImageChecksums> before, Optional<RedoSection> redo) {
    /** The size in bytes of the buffers for reading. */
    static final int PIECE = 1 << 16;

    private static final int OLD_MAGIC = 0x534b4a31; // "SKJ1"
    private static final int MAGIC = 0x534b4a32; // "SKJ2"
    private static final int SET_ASIDE = 0x534b4a58; // "SKJX"

    /** The maximum size in bytes of a head. */
    private static final int MAX_HEAD = 1 << 14;

    /** The size in bytes of the beginning of a section: its magic number (int) and its length (long). */
    static final int SECTION_HEAD = 12;
    /** The size in bytes of a head with empty texts: five ints and two longs. */
    private static final int EMPTY_HEAD = 36;

    /** How to undo a patch whose journal has no redo section. */
    public enum Kind {
        /** Truncate the file to its old size. */
        UNDO,
        /** Search the file for the last valid index of the shard, which shows where the content ends. */
        LAST_INDEX,
        /** The patch cannot be undone. */
        NOT
    }

    /** The kind of a file among the journals, by its first bytes. */
    enum Mark {
        /** A journal, perhaps just begun, or an empty file. */
        OURS,
        /** A journal that was set aside. */
        SET_ASIDE,
        /** Another file. */
        NONE
    }

    /**
     * The head of a patch.
     *
     * @param identity distinguishes the file from others that had its name; empty if the file system has no identities
     */
    public record Head(Kind kind, long oldSize, long newSize, String identity, String name) {
        /** Returns the head in the form of the journal. */
        public ByteBuffer bytes() {
            byte[] id = identity.getBytes(StandardCharsets.UTF_8);
            byte[] fileName = name.getBytes(StandardCharsets.UTF_8);
            ByteBuffer head = ByteBuffer.allocate(EMPTY_HEAD + id.length + fileName.length);
            head.putInt(MAGIC).putInt(kind.ordinal()).putLong(oldSize).putLong(newSize);
            head.putInt(id.length).put(id).putInt(fileName.length).put(fileName);
            CRC32C crc = new CRC32C();
            crc.update(head.duplicate().flip());
            return head.putInt((int) crc.getValue()).flip();
        }
    }

    /** Returns the kind of a file among the journals. */
    static Mark mark(FileChannel journal) throws IOException {
        ByteBuffer in = ByteBuffer.allocate(4);
        if (!Channels.read(journal, 0, in)) {
            return isStartOfMagic(in.flip()) ? Mark.OURS : Mark.NONE;
        }
        return switch (in.getInt(0)) {
            // A power failure may leave zeros in a journal that was never forced.
            case MAGIC, OLD_MAGIC, 0 -> Mark.OURS;
            case SET_ASIDE -> Mark.SET_ASIDE;
            default -> Mark.NONE;
        };
    }

    /** Returns whether a file begins with the magic number of a journal. */
    static boolean isMarked(FileChannel journal) throws IOException {
        ByteBuffer in = ByteBuffer.allocate(4);
        return Channels.read(journal, 0, in) && (in.getInt(0) == MAGIC || in.getInt(0) == OLD_MAGIC);
    }

    /** Returns whether {@code bytes}, fewer than four, are the beginning of the magic number. */
    private static boolean isStartOfMagic(ByteBuffer bytes) {
        int shift = 24;
        for (; bytes.hasRemaining(); shift -= 8) {
            if (bytes.get() != (byte) (MAGIC >> shift)) {
                return false;
            }
        }
        return true;
    }

    /** Marks a journal as set aside, by its magic number. */
    static void setAside(FileChannel journal) throws IOException {
        Channels.write(journal, 0, ByteBuffer.allocate(4).putInt(SET_ASIDE).flip());
    }

    /**
     * Returns whether {@code journal} describes a patch. If its beginning is incomplete, the patch did not change the
     * file.
     */
    static boolean isBegun(FileChannel journal) throws IOException {
        return readBeginning(journal).isPresent();
    }

    /** Reads {@code journal}; empty if its head or checksums are incomplete or invalid. */
    static Optional<JournalFormat> read(FileChannel journal) throws IOException {
        Optional<Begun> beginning = readBeginning(journal);
        if (beginning.isEmpty()) {
            return Optional.empty();
        }
        Head head = beginning.get().head();
        boolean isOldFormat = beginning.get().before() == null;
        Optional<RedoSection> redo = isOldFormat
                ? RedoSection.readOld(journal, beginning.get().end(), head.oldSize())
                : RedoSection.read(journal, beginning.get().end(), head.oldSize());
        return Optional.of(
                new JournalFormat(head, Optional.ofNullable(beginning.get().before()), redo));
    }

    /** The head and the checksums of a journal, and their end. The checksums are null in the old format. */
    private record Begun(Head head, @Nullable BeforeImageChecksums before, long end) {}

    private static Optional<Begun> readBeginning(FileChannel journal) throws IOException {
        ByteBuffer in = ByteBuffer.allocate((int) Math.min(journal.size(), MAX_HEAD));
        if (!Channels.read(journal, 0, in)) {
            return Optional.empty();
        }
        in.flip();
        Optional<Head> head = head(in);
        if (head.isEmpty()) {
            return Optional.empty();
        } else if (in.getInt(0) == OLD_MAGIC) {
            return Optional.of(new Begun(head.get(), null, in.position()));
        }
        return BeforeImageChecksums.read(journal, in.position(), head.get().oldSize())
                .map(before -> new Begun(head.get(), before, before.end() + 4));
    }

    private static Optional<Head> head(ByteBuffer in) {
        if (in.remaining() < EMPTY_HEAD || in.getInt(0) != MAGIC && in.getInt(0) != OLD_MAGIC) {
            return Optional.empty();
        }
        in.getInt();
        int kind = in.getInt();
        long oldSize = in.getLong();
        long newSize = in.getLong();
        Optional<String> identity = text(in);
        Optional<String> name = identity.flatMap(ignored -> text(in));
        if (name.isEmpty() || in.remaining() < 4) {
            return Optional.empty();
        }
        CRC32C crc = new CRC32C();
        crc.update(in.duplicate().flip());
        boolean valid = in.getInt() == (int) crc.getValue()
                && kind >= 0
                && kind < Kind.values().length
                && oldSize >= 0
                && newSize >= oldSize;
        return valid
                ? Optional.of(new Head(Kind.values()[kind], oldSize, newSize, identity.get(), name.get()))
                : Optional.empty();
    }

    private static Optional<String> text(ByteBuffer in) {
        int length = in.remaining() < 4 ? -1 : in.getInt();
        if (length < 0 || length > in.remaining()) {
            return Optional.empty();
        }
        String text =
                StandardCharsets.UTF_8.decode(in.slice(in.position(), length)).toString();
        in.position(in.position() + length);
        return Optional.of(text);
    }

    /**
     * Returns the position of the checksum of the section at {@code offset}; empty if the section is incomplete or
     * invalid.
     */
    static Optional<Long> sectionEnd(FileChannel journal, long offset, int magic) throws IOException {
        ByteBuffer in = ByteBuffer.allocate(SECTION_HEAD);
        if (!Channels.read(journal, offset, in) || in.flip().getInt() != magic) {
            return Optional.empty();
        }
        long length = in.getLong();
        if (length < 0 || length > journal.size() - offset - SECTION_HEAD - 4) {
            return Optional.empty();
        }
        long end = offset + SECTION_HEAD + length;
        CRC32C crc = new CRC32C();
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(PIECE, end - offset));
        for (long position = offset; position < end; position += buffer.limit()) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), end - position));
            if (!Channels.read(journal, position, buffer)) {
                return Optional.empty();
            }
            crc.update(buffer.flip());
        }
        ByteBuffer checksum = ByteBuffer.allocate(4);
        boolean valid = Channels.read(journal, end, checksum) && checksum.flip().getInt() == (int) crc.getValue();
        return valid ? Optional.of(end) : Optional.empty();
    }
}
