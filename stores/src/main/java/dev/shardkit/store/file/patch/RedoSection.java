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
 * @param from the position of the writes in the journal
 * @param end the end of the writes
 * @param tail the checksum of the end of the appended bytes, if the journal has one
 */
public record RedoSection(long from, long end, Optional<Integer> tail) {
    private static final int OLD_MAGIC = 0x534b4a52;
    private static final int MAGIC = 0x534b4a54;
    private static final int WRITE_HEAD = 16;
    /** Larger pieces are written by themselves. */
    private static final int GATHERED = 1 << 16;

    /** Bytes to be overwritten; their new content is in the journal. */
    record Write(long at, long offset, long length) {}

    /** Handles a write. */
    interface Each {
        void accept(Write write) throws IOException;
    }

    /** Reads the redo at {@code at}; empty if it is incomplete or invalid. */
    static Optional<RedoSection> read(FileChannel journal, long at, long oldSize) throws IOException {
        Optional<Long> end = sectionEnd(journal, at, MAGIC);
        ByteBuffer in = ByteBuffer.allocate(4);
        long from = at + JournalFormat.SECTION_HEAD;
        if (end.isEmpty() || end.get() - from < 4 || !Channels.read(journal, from, in)) {
            return Optional.empty();
        }
        return valid(
                journal,
                new RedoSection(from + 4, end.get(), Optional.of(in.flip().getInt())),
                oldSize);
    }

    /** Reads the redo of an old journal. */
    static Optional<RedoSection> readOld(FileChannel journal, long at, long oldSize) throws IOException {
        Optional<Long> end = sectionEnd(journal, at, OLD_MAGIC);
        return end.isEmpty()
                ? Optional.empty()
                : valid(
                        journal,
                        new RedoSection(at + JournalFormat.SECTION_HEAD, end.get(), Optional.empty()),
                        oldSize);
    }

    /** Returns the end of the section, which is the last one of the journal. */
    private static Optional<Long> sectionEnd(FileChannel journal, long at, int magic) throws IOException {
        long last = journal.size() - 4;
        return JournalFormat.sectionEnd(journal, at, magic).filter(end -> end == last);
    }

    private static Optional<RedoSection> valid(FileChannel journal, RedoSection redo, long oldSize) throws IOException {
        return each(journal, redo.from, redo.end, oldSize, w -> {}) ? Optional.of(redo) : Optional.empty();
    }

    /**
     * Writes a redo. Small pieces leave together, by one system call.
     *
     * @param at its position in {@code journal}
     * @param tail the checksum of the end of the appended bytes
     */
    public static void write(FileChannel journal, long at, Iterable<Edit.Write> writes, int tail) throws IOException {
        long[] length = {4};
        ContentBefore.eachSpan(
                writes, (offset, bytes) -> length[0] = Math.addExact(length[0], WRITE_HEAD + (long) bytes.remaining()));
        Pieces out = new Pieces(journal, at, (int) Math.min(length[0] + JournalFormat.SECTION_HEAD + 4, GATHERED));
        out.add(ByteBuffer.allocate(JournalFormat.SECTION_HEAD + 4)
                .putInt(MAGIC)
                .putLong(length[0])
                .putInt(tail)
                .flip());
        ContentBefore.eachSpan(writes, (offset, bytes) -> {
            out.add(ByteBuffer.allocate(WRITE_HEAD)
                    .putLong(offset)
                    .putLong(bytes.remaining())
                    .flip());
            out.add(bytes);
        });
        out.add(ByteBuffer.allocate(4).putInt((int) out.crc.getValue()).flip());
        out.flush();
    }

    /** Pieces that are written one after the other, with the checksum of all of them. */
    private static final class Pieces {
        private final FileChannel journal;
        private final ByteBuffer gathered;
        private final CRC32C crc = new CRC32C();
        private long at;

        Pieces(FileChannel journal, long at, int most) {
            this.journal = journal;
            this.at = at;
            this.gathered = ByteBuffer.allocate(most);
        }

        void add(ByteBuffer bytes) throws IOException {
            crc.update(bytes.duplicate());
            if (bytes.remaining() > gathered.remaining()) {
                flush();
            }
            if (bytes.remaining() > gathered.remaining()) {
                at = Channels.write(journal, at, bytes);
            } else {
                gathered.put(bytes);
            }
        }

        void flush() throws IOException {
            if (gathered.position() > 0) {
                at = Channels.write(journal, at, gathered.flip());
                gathered.clear();
            }
        }
    }

    /** Visits each write, in order. */
    void each(FileChannel journal, Each each) throws IOException {
        RedoSection.each(journal, from, end, Long.MAX_VALUE, each);
    }

    /** Reads the write at {@code at}; the next one begins where its bytes end. */
    public Optional<Write> write(FileChannel journal, long at) throws IOException {
        ByteBuffer in = ByteBuffer.allocate(WRITE_HEAD);
        if (end - at < WRITE_HEAD || !Channels.read(journal, at, in)) {
            return Optional.empty();
        }
        return Optional.of(new Write(at + WRITE_HEAD, in.flip().getLong(), in.getLong()));
    }

    /** Returns whether all writes lie within the journal and the file. */
    private static boolean each(FileChannel journal, long from, long end, long size, Each each) throws IOException {
        ByteBuffer in = ByteBuffer.allocate(WRITE_HEAD);
        long at = from;
        while (at < end) {
            in.clear();
            if (end - at < WRITE_HEAD || !Channels.read(journal, at, in)) {
                return false;
            }
            long offset = in.flip().getLong();
            long length = in.getLong();
            at += WRITE_HEAD;
            if (length < 0 || length > end - at || offset < 0 || offset > size - length) {
                return false;
            }
            each.accept(new Write(at, offset, length));
            at += length;
        }
        return true;
    }
}
