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
 * The section of a journal with checksums of the file's content before the patch: of the first and last bytes (the
 * samples), and of the ranges to be overwritten (the spans), in blocks of 512 bytes, the sector size of disks. By these
 * checksums, recovery recognizes a file that another program has written since, even under the same inode. Computing
 * them costs no more than the patch itself. All numbers are big-endian; the type follows the name of a field:
 *
 * <pre>
 * before "SKJS", length of the rest without the checksum long, size of the file long, sample, sample, spans,
 *        CRC32C of all before it int
 *        sample: offset long, length int, CRC32C of these bytes, with overwritten bytes as zero, int
 *        span:   offset long, length long, CRC32C of each of its blocks int; blocks end at multiples of 512 in the file
 * </pre>
 *
 * @param spansOffset the offset of the spans in the journal
 * @param end the end of the spans
 * @param size the file's size; larger than the patch's old size if the patch first truncates the file
 */
public record BeforeImageChecksums(long spansOffset, long end, long size, Sample first, Sample last) {
    private static final int MAGIC = 0x534b4a53; // "SKJS"

    /** The size in bytes of the part before the spans: magic and length, size of the file, two samples. */
    private static final int FIXED = JournalFormat.SECTION_HEAD + 8 + 2 * 16;

    /** The size in bytes of a span's offset and length. */
    private static final int SPAN_HEAD = 16;
    /** The maximum size of one write, see {@link Channels}. */
    private static final int MAX_SPAN = 1 << 20;
    /** The size of a sample for a patch that changes the file's size. It covers most of a shard's index. */
    private static final int LONG_SAMPLE = 4096;
    /**
     * The size of a sample for a patch that keeps the file's size. It is short, because other writers may change inner
     * chunks there, but never the index.
     */
    private static final int SHORT_SAMPLE = 16;

    /** The first or last bytes of a file. */
    record Sample(long offset, int length, int crc) {}

    /** Says how much of a file is unchanged since the journal was written. */
    enum Match {
        /** All bytes that the journal covers are unchanged. */
        OLD,
        /** Some or all bytes of the spans have their new content; all others are unchanged. */
        PARTLY_NEW,
        /** Another program has written the file. */
        NOT
    }

    /** Handles the bytes of one write. */
    interface EachSpan {
        void accept(long offset, ByteBuffer bytes) throws IOException;
    }

    /** Visits all spans in order. A span is one call of the file system; a large {@link Edit.Write} has several. */
    static void eachSpan(Iterable<Edit.Write> writes, EachSpan visitor) throws IOException {
        for (Edit.Write write : writes) {
            long position = write.offset();
            for (ByteBuffer piece : write.bytes().pieces()) {
                for (int i = 0; i < piece.remaining(); i += MAX_SPAN) {
                    ByteBuffer span = piece.slice(piece.position() + i, Math.min(MAX_SPAN, piece.remaining() - i));
                    visitor.accept(position + i, span);
                }
                position += piece.remaining();
            }
        }
    }

    /** Returns the journal section for the content of {@code file} before {@code edit}. */
    public static ByteBuffer bytes(FileChannel file, Edit.Patch edit) throws IOException {
        int sampleLength = edit.appended().isEmpty() ? SHORT_SAMPLE : LONG_SAMPLE;
        ByteArrayOutputStream spans = new ByteArrayOutputStream();
        int length = (int) Math.min(sampleLength, edit.oldSize());
        Sampled first = new Sampled(file, 0, length);
        Sampled last = new Sampled(file, edit.oldSize() - length, length);
        ByteBuffer buffer = ByteBuffer.allocate(JournalFormat.PIECE);
        eachSpan(edit.overwritten(), (offset, bytes) -> {
            first.zero(offset, bytes.remaining());
            last.zero(offset, bytes.remaining());
            spans.write(
                    ByteBuffer.allocate(SPAN_HEAD)
                            .putLong(offset)
                            .putLong(bytes.remaining())
                            .array(),
                    0,
                    SPAN_HEAD);
            ByteBuffer checksums = ByteBuffer.allocate(4 * (int) BlockChecksums.count(offset, bytes.remaining()));
            long end = offset + bytes.remaining();
            for (long position = offset; position < end; position += buffer.limit()) {
                BlockChecksums.fill(file, position, end, buffer);
                for (ByteBuffer block = BlockChecksums.block(position, buffer, 0);
                        block.hasRemaining();
                        block = BlockChecksums.block(position, buffer, block.position() + block.remaining())) {
                    checksums.putInt(crc(block.duplicate()));
                }
            }
            spans.write(checksums.array(), 0, checksums.position());
        });
        ByteBuffer section = ByteBuffer.allocate(FIXED + spans.size() + 4);
        section.putInt(MAGIC)
                .putLong(FIXED - JournalFormat.SECTION_HEAD + spans.size())
                .putLong(file.size());
        putSample(section, first);
        putSample(section, last);
        section.put(spans.toByteArray());
        return section.putInt(crc(section.duplicate().flip())).flip();
    }

    private static void putSample(ByteBuffer out, Sampled sampled) throws EOFException {
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

        void zero(long start, long length) {
            long end = Math.min(start + length, offset + bytes.capacity());
            for (long position = Math.max(start, offset); position < end; position++) {
                bytes.put((int) (position - offset), (byte) 0);
            }
        }

        Optional<Sample> sample() {
            return complete
                    ? Optional.of(new Sample(
                            offset,
                            bytes.capacity(),
                            BeforeImageChecksums.crc(bytes.duplicate().flip())))
                    : Optional.empty();
        }
    }

    static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    /**
     * Reads the section at {@code sectionOffset} in a journal; empty if it is incomplete or invalid, or if the file's
     * size differs.
     */
    static Optional<BeforeImageChecksums> read(FileChannel journal, long sectionOffset, long oldSize)
            throws IOException {
        Optional<Long> end = JournalFormat.sectionEnd(journal, sectionOffset, MAGIC);
        ByteBuffer fixedPart = ByteBuffer.allocate(FIXED);
        if (end.isEmpty() || end.get() - sectionOffset < FIXED || !Channels.read(journal, sectionOffset, fixedPart)) {
            return Optional.empty();
        }
        fixedPart.position(JournalFormat.SECTION_HEAD);
        BeforeImageChecksums content = new BeforeImageChecksums(
                sectionOffset + FIXED, end.get(), fixedPart.getLong(), sample(fixedPart), sample(fixedPart));
        boolean valid = content.size >= oldSize
                && isInside(content.first, oldSize)
                && isInside(content.last, oldSize)
                && content.eachStoredSpan(journal, oldSize, (sums, offset, length) -> true); // checks only their limits
        return valid ? Optional.of(content) : Optional.empty();
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

    /** Checks a span, whose checksums begin at offset {@code sums} of the journal. Returns whether to continue. */
    private interface SpanCheck {
        boolean check(long sums, long offset, long length) throws IOException;
    }

    /** Returns whether all spans lie within the journal and the file, and {@code check} returns true for each. */
    private boolean eachStoredSpan(FileChannel journal, long size, SpanCheck check) throws IOException {
        ByteBuffer in = ByteBuffer.allocate(SPAN_HEAD);
        for (long position = spansOffset; position < end; ) {
            in.clear();
            if (end - position < SPAN_HEAD || !Channels.read(journal, position, in)) {
                return false;
            }
            long offset = in.flip().getLong();
            long length = in.getLong();
            position += SPAN_HEAD;
            if (offset < 0
                    || length < 0
                    || offset > size - length
                    || 4 * BlockChecksums.count(offset, length) > end - position
                    || !check.check(position, offset, length)) {
                return false;
            }
            position += 4 * BlockChecksums.count(offset, length);
        }
        return true;
    }

    /** Compares a file with its old content and with the result of the patch. */
    Match match(FileChannel file, FileChannel journal, JournalFormat journalContent) throws IOException {
        JournalFormat.Head patch = journalContent.head();
        Sampled head = new Sampled(file, first.offset(), first.length());
        Sampled tail = new Sampled(file, last.offset(), last.length());
        eachStoredSpan(journal, patch.oldSize(), (sums, offset, length) -> {
            head.zero(offset, length);
            tail.zero(offset, length);
            return true;
        });
        boolean firstMatches = head.sample().equals(Optional.of(first));
        boolean lastMatches = tail.sample().equals(Optional.of(last));
        // If the size stays, other writers may have changed inner chunks at one end, but not the index at the other.
        boolean samplesMatch =
                patch.newSize() > patch.oldSize() ? firstMatches && lastMatches : firstMatches || lastMatches;
        if (!samplesMatch) {
            return Match.NOT;
        }
        BlockChecksums blocks =
                new BlockChecksums(file, journal, journalContent.redo().orElse(null));
        return eachStoredSpan(journal, patch.oldSize(), blocks::compare) ? blocks.match() : Match.NOT;
    }
}
