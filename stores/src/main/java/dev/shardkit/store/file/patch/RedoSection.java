package dev.shardkit.store.file.patch;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.store.file.disk.Channels;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The redo section of a patch's journal: the new bytes of the ranges that the patch overwrites. It is added once the
 * appended bytes are on the device. All numbers are big-endian; the type follows the name of a field:
 *
 * <pre>
 * "SKJT", length of the rest without the checksum long, CRC32C of the end of the appended bytes int, writes,
 * CRC32C of all of the redo before it int
 * write: offset long, length long, bytes
 * </pre>
 *
 * <p>Earlier builds wrote "SKJR" without the checksum of the appended end.
 *
 * @param writesOffset the position of the writes in the journal
 * @param writesEnd the end of the writes
 * @param tail the checksum of the end of the appended bytes, if the journal has one
 */
public record RedoSection(long writesOffset, long writesEnd, Optional<Integer> tail) {
    private static final int OLD_MAGIC = 0x534b4a52; // "SKJR"
    private static final int MAGIC = 0x534b4a54; // "SKJT"

    /** The size in bytes of a write's offset and length. */
    private static final int WRITE_HEAD = 16;

    /** The buffer size in bytes for small pieces; a larger piece is written by itself. */
    private static final int GATHERED = 1 << 16;

    /**
     * A range of the file to be overwritten.
     *
     * @param bytesOffset the position of the new bytes in the journal
     * @param offset the position of the range in the file
     */
    record Write(long bytesOffset, long offset, long length) {}

    /** Handles a write. */
    interface Each {
        void accept(Write write) throws IOException;
    }

    /** Reads the section at {@code offset}; empty if it is incomplete or invalid. */
    static Optional<RedoSection> read(FileChannel journal, long offset, long oldSize) throws IOException {
        Optional<Long> end = sectionEnd(journal, offset, MAGIC);
        ByteBuffer in = ByteBuffer.allocate(4);
        long start = offset + JournalFormat.SECTION_HEAD;
        if (end.isEmpty() || end.get() - start < 4 || !Channels.read(journal, start, in)) {
            return Optional.empty();
        }
        return ifValid(
                journal,
                new RedoSection(start + 4, end.get(), Optional.of(in.flip().getInt())),
                oldSize);
    }

    /** Reads the section of an old journal, which has no checksum of the appended bytes. */
    static Optional<RedoSection> readOld(FileChannel journal, long offset, long oldSize) throws IOException {
        Optional<Long> end = sectionEnd(journal, offset, OLD_MAGIC);
        return end.isEmpty()
                ? Optional.empty()
                : ifValid(
                        journal,
                        new RedoSection(offset + JournalFormat.SECTION_HEAD, end.get(), Optional.empty()),
                        oldSize);
    }

    /** Returns the end of the section, which is the last one of the journal. */
    private static Optional<Long> sectionEnd(FileChannel journal, long offset, int magic) throws IOException {
        long lastPossible = journal.size() - 4;
        return JournalFormat.sectionEnd(journal, offset, magic).filter(end -> end == lastPossible);
    }

    private static Optional<RedoSection> ifValid(FileChannel journal, RedoSection redo, long oldSize)
            throws IOException {
        return each(journal, redo.writesOffset, redo.writesEnd, oldSize, write -> {})
                ? Optional.of(redo)
                : Optional.empty();
    }

    /**
     * Writes a section. Small pieces are written together, by one system call.
     *
     * @param position the position of the section in {@code journal}
     * @param tail the checksum of the end of the appended bytes
     */
    public static void write(FileChannel journal, long position, Iterable<Edit.Write> writes, int tail)
            throws IOException {
        long[] length = {4}; // beginning with the checksum of the appended bytes
        BeforeImageChecksums.eachSpan(
                writes, (offset, bytes) -> length[0] = Math.addExact(length[0], WRITE_HEAD + (long) bytes.remaining()));
        Pieces output =
                new Pieces(journal, position, (int) Math.min(length[0] + JournalFormat.SECTION_HEAD + 4, GATHERED));
        output.add(ByteBuffer.allocate(JournalFormat.SECTION_HEAD + 4)
                .putInt(MAGIC)
                .putLong(length[0])
                .putInt(tail)
                .flip());
        BeforeImageChecksums.eachSpan(writes, (offset, bytes) -> {
            output.add(ByteBuffer.allocate(WRITE_HEAD)
                    .putLong(offset)
                    .putLong(bytes.remaining())
                    .flip());
            output.add(bytes);
        });
        output.add(ByteBuffer.allocate(4).putInt((int) output.crc.getValue()).flip());
        output.flush();
    }

    /** Writes pieces one after the other, and computes the checksum of all of them. */
    private static final class Pieces {
        private final FileChannel journal;
        private final ByteBuffer gathered;
        private final CRC32C crc = new CRC32C();
        private long position;

        Pieces(FileChannel journal, long at, int capacity) {
            this.journal = journal;
            this.position = at;
            this.gathered = ByteBuffer.allocate(capacity);
        }

        void add(ByteBuffer bytes) throws IOException {
            crc.update(bytes.duplicate());
            if (bytes.remaining() > gathered.remaining()) {
                flush();
            }
            if (bytes.remaining() > gathered.remaining()) {
                position = Channels.write(journal, position, bytes);
            } else {
                gathered.put(bytes);
            }
        }

        void flush() throws IOException {
            if (gathered.position() > 0) {
                position = Channels.write(journal, position, gathered.flip());
                gathered.clear();
            }
        }
    }

    /** Visits each write, in order. */
    void each(FileChannel journal, Each visitor) throws IOException {
        RedoSection.each(journal, writesOffset, writesEnd, Long.MAX_VALUE, visitor);
    }

    /** Reads the write at {@code position}; the next one begins where its bytes end. */
    public Optional<Write> write(FileChannel journal, long position) throws IOException {
        ByteBuffer in = ByteBuffer.allocate(WRITE_HEAD);
        if (writesEnd - position < WRITE_HEAD || !Channels.read(journal, position, in)) {
            return Optional.empty();
        }
        return Optional.of(new Write(position + WRITE_HEAD, in.flip().getLong(), in.getLong()));
    }

    /** Visits each write. Returns false at the first one that does not lie within the journal and the file. */
    private static boolean each(FileChannel journal, long start, long end, long size, Each visitor) throws IOException {
        ByteBuffer in = ByteBuffer.allocate(WRITE_HEAD);
        long position = start;
        while (position < end) {
            in.clear();
            if (end - position < WRITE_HEAD || !Channels.read(journal, position, in)) {
                return false;
            }
            long offset = in.flip().getLong();
            long length = in.getLong();
            position += WRITE_HEAD;
            if (length < 0 || length > end - position || offset < 0 || offset > size - length) {
                return false;
            }
            visitor.accept(new Write(position, offset, length));
            position += length;
        }
        return true;
    }
}
