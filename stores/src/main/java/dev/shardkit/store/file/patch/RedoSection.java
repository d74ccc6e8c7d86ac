package dev.shardkit.store.file.patch;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.store.file.disk.Channels;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The bytes that a patch overwrites, in its journal: a section that is added once the rest of the patch is on the
 * device. Big-endian:
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
    private static final int OLD_MAGIC = 0x534b4a52;
    private static final int MAGIC = 0x534b4a54;
    private static final int WRITE_HEAD = 16;
    /** The buffer size in bytes for small pieces; a larger piece is written by itself. */
    private static final int GATHERED = 1 << 16;

    /** Bytes to be overwritten; their new content is in the journal. */
    record Write(long bytesOffset, long offset, long length) {}

    /** Handles a write. */
    interface Each {
        void accept(Write write) throws IOException;
    }

    /** Reads the redo at {@code offset}; empty if it is incomplete or invalid. */
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

    /** Reads the redo of an old journal. */
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
        return each(journal, redo.writesOffset, redo.writesEnd, oldSize, w -> {})
                ? Optional.of(redo)
                : Optional.empty();
    }

    /**
     * Writes a redo. Small pieces leave together, by one system call.
     *
     * @param position its position in {@code journal}
     * @param tail the checksum of the end of the appended bytes
     */
    public static void write(FileChannel journal, long position, Iterable<Edit.Write> writes, int tail)
            throws IOException {
        long[] length = {4};
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

    /** Pieces that are written one after the other, with the checksum of all of them. */
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

    /** Returns whether all writes lie within the journal and the file. */
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
