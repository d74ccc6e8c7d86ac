package dev.shardkit.store.file.patch;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.store.file.disk.Channels;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The content of a file before a patch, as checksums in the patch's journal: of its first and last bytes, and of the
 * bytes to be overwritten, in blocks of a device's sector size. By them, recovery recognizes a file that another
 * program has written since, even under the same inode. The checksums cost no more than the patch itself. Big-endian:
 *
 * <pre>
 * before "SKJS", length of the rest without the checksum long, size of the file long, sample, sample, spans,
 *        CRC32C of all before it int
 *        sample: offset long, length int, CRC32C of these bytes, with overwritten bytes as zero, int
 *        span:   offset long, length long, CRC32C of each of its blocks int; blocks end at multiples of 512 in the file
 * </pre>
 *
 * @param spans the offset of the spans in the journal
 * @param end the end of the spans
 * @param size the file's size; more than the patch's old size if the patch first truncates the file
 */
public record ContentBefore(long spans, long end, long size, Sample first, Sample last) {
    private static final int MAGIC = 0x534b4a53;
    private static final int FIXED = 12 + 8 + 2 * 16;
    private static final int SPAN_HEAD = 16;
    /** The maximum size of one write, see {@link Channels}. */
    private static final int MAX_SPAN = 1 << 20;
    /** For a patch that changes the size: it covers most of the index. */
    private static final int LONG_SAMPLE = 4096;
    /** For a patch that keeps the size: other writers may change inner chunks there, but never the index. */
    private static final int SHORT_SAMPLE = 16;

    /** The first or last bytes of a file. */
    record Sample(long offset, int length, int crc) {}

    /** How much of a file is unchanged. */
    enum Match {
        /** All bytes that the journal covers. */
        OLD,
        /** All bytes except the overwritten ones; of those, some or all may be new. */
        PARTLY_NEW,
        /** Neither: another program has written the file. */
        NOT
    }

    /** Handles the bytes of one write. */
    interface EachSpan {
        void accept(long offset, ByteBuffer bytes) throws IOException;
    }

    /** Visits all overwritten spans in order, divided into the actual writes. */
    static void eachSpan(Iterable<Edit.Write> writes, EachSpan each) throws IOException {
        for (Edit.Write w : writes) {
            long at = w.offset();
            for (ByteBuffer piece : w.bytes().pieces()) {
                for (int i = 0; i < piece.remaining(); i += MAX_SPAN) {
                    ByteBuffer span = piece.slice(piece.position() + i, Math.min(MAX_SPAN, piece.remaining() - i));
                    each.accept(at + i, span);
                }
                at += piece.remaining();
            }
        }
    }

    /** Returns the journal section for the content of {@code file} before {@code edit}. */
    public static ByteBuffer bytes(FileChannel file, Edit.Patch edit) throws IOException {
        int most = edit.appended().isEmpty() ? SHORT_SAMPLE : LONG_SAMPLE;
        ByteArrayOutputStream spans = new ByteArrayOutputStream();
        int length = (int) Math.min(most, edit.oldSize());
        Sampled first = new Sampled(file, 0, length);
        Sampled last = new Sampled(file, edit.oldSize() - length, length);
        ByteBuffer piece = ByteBuffer.allocate(JournalFormat.PIECE);
        eachSpan(edit.overwritten(), (offset, bytes) -> {
            first.overwritten(offset, bytes.remaining());
            last.overwritten(offset, bytes.remaining());
            spans.write(
                    ByteBuffer.allocate(SPAN_HEAD)
                            .putLong(offset)
                            .putLong(bytes.remaining())
                            .array(),
                    0,
                    SPAN_HEAD);
            ByteBuffer sums = ByteBuffer.allocate(4 * (int) BlockChecksums.count(offset, bytes.remaining()));
            long end = offset + bytes.remaining();
            for (long at = offset; at < end; at += piece.limit()) {
                BlockChecksums.fill(file, at, end, piece);
                for (ByteBuffer block = BlockChecksums.block(at, piece, 0);
                        block.hasRemaining();
                        block = BlockChecksums.block(at, piece, block.position() + block.remaining())) {
                    sums.putInt(crc(block.duplicate()));
                }
            }
            spans.write(sums.array(), 0, sums.position());
        });
        ByteBuffer out = ByteBuffer.allocate(FIXED + spans.size() + 4);
        out.putInt(MAGIC).putLong(FIXED - 12 + spans.size()).putLong(file.size());
        put(out, first);
        put(out, last);
        out.put(spans.toByteArray());
        return out.putInt(crc(out.duplicate().flip())).flip();
    }

    private static void put(ByteBuffer out, Sampled sampled) throws EOFException {
        Sample sample = sampled.sample().orElseThrow(() -> new EOFException("the file became shorter"));
        out.putLong(sample.offset()).putInt(sample.length()).putInt(sample.crc());
    }

    /** The first or last bytes of a file, with overwritten bytes as zero. */
    private static final class Sampled {
        private final long offset;
        private final ByteBuffer bytes;
        private final boolean complete;

        Sampled(FileChannel file, long offset, int length) throws IOException {
            this.offset = offset;
            this.bytes = ByteBuffer.allocate(length);
            this.complete = Channels.read(file, offset, bytes);
        }

        void overwritten(long from, long length) {
            long end = Math.min(from + length, offset + bytes.capacity());
            for (long at = Math.max(from, offset); at < end; at++) {
                bytes.put((int) (at - offset), (byte) 0);
            }
        }

        Optional<Sample> sample() {
            return complete
                    ? Optional.of(new Sample(
                            offset,
                            bytes.capacity(),
                            ContentBefore.crc(bytes.duplicate().flip())))
                    : Optional.empty();
        }
    }

    static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    /**
     * Reads the section at {@code at} in a journal; empty if it is incomplete or invalid, or if the file's size
     * differs.
     */
    static Optional<ContentBefore> read(FileChannel journal, long at, long oldSize) throws IOException {
        Optional<Long> end = JournalFormat.sectionEnd(journal, at, MAGIC);
        ByteBuffer in = ByteBuffer.allocate(FIXED);
        if (end.isEmpty() || end.get() - at < FIXED || !Channels.read(journal, at, in)) {
            return Optional.empty();
        }
        in.position(12);
        ContentBefore before = new ContentBefore(at + FIXED, end.get(), in.getLong(), sample(in), sample(in));
        boolean valid = before.size >= oldSize
                && isInside(before.first, oldSize)
                && isInside(before.last, oldSize)
                && before.eachSpan(journal, oldSize, (sums, offset, length) -> true);
        return valid ? Optional.of(before) : Optional.empty();
    }

    private static Sample sample(ByteBuffer in) {
        return new Sample(in.getLong(), in.getInt(), in.getInt());
    }

    private static boolean isInside(Sample sample, long size) {
        return sample.length() >= 0
                && sample.length() <= LONG_SAMPLE
                && sample.offset() >= 0
                && sample.offset() <= size - sample.length();
    }

    /** Checks a span, whose checksums are at {@code sums}; returns whether to continue. */
    private interface Look {
        boolean at(long sums, long offset, long length) throws IOException;
    }

    /** Returns whether all spans lie within the journal and the file, and {@code look} continues to the end. */
    private boolean eachSpan(FileChannel journal, long size, Look look) throws IOException {
        ByteBuffer in = ByteBuffer.allocate(SPAN_HEAD);
        for (long at = spans; at < end; ) {
            in.clear();
            if (end - at < SPAN_HEAD || !Channels.read(journal, at, in)) {
                return false;
            }
            long offset = in.flip().getLong();
            long length = in.getLong();
            at += SPAN_HEAD;
            if (offset < 0
                    || length < 0
                    || offset > size - length
                    || 4 * BlockChecksums.count(offset, length) > end - at
                    || !look.at(at, offset, length)) {
                return false;
            }
            at += 4 * BlockChecksums.count(offset, length);
        }
        return true;
    }

    /** Compares a file with its old content and with the result of the patch. */
    Match match(FileChannel file, FileChannel journal, JournalFormat read) throws IOException {
        JournalFormat.Head head = read.head();
        Sampled start = new Sampled(file, first.offset(), first.length());
        Sampled tail = new Sampled(file, last.offset(), last.length());
        eachSpan(journal, head.oldSize(), (sums, offset, length) -> {
            start.overwritten(offset, length);
            tail.overwritten(offset, length);
            return true;
        });
        boolean one = start.sample().equals(Optional.of(first));
        boolean other = tail.sample().equals(Optional.of(last));
        if (head.newSize() > head.oldSize() ? !(one && other) : !(one || other)) {
            return Match.NOT;
        }
        BlockChecksums blocks = new BlockChecksums(file, journal, read.redo().orElse(null));
        return eachSpan(journal, head.oldSize(), blocks::compare) ? blocks.match() : Match.NOT;
    }
}
