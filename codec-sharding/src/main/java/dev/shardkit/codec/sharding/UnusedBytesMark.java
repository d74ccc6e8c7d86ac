package dev.shardkit.codec.sharding;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.plan.Bytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * A mark at the start of the bytes of former inner chunks, which are now unused. Without it, {@link ForeignBytes} would
 * take such bytes at the beginning or end of a shard for a header or footer of another program. A mark has 16 bytes: a
 * magic number and the number of bytes that it covers, including itself. Ranges shorter than a mark become zeros.
 * Stateless.
 */
final class UnusedBytesMark {
    /** The size of a mark in bytes. */
    static final int SIZE = 16;

    /** The magic number of a mark. None of its bytes is zero, so a search may skip eight zeros at once. */
    private static final long MAGIC = 0x8f3a_66b1_d25c_0e97L;

    private UnusedBytesMark() {}

    /**
     * Returns the marks to write in a patch that a journal protects.
     *
     * @param before the bytes that the old index refers to
     * @param after the bytes that the new index refers to
     * @param begin the start of shardkit's bytes if the old index refers to none
     * @param end the end of shardkit's bytes
     * @param writtenEnd the end of the inner chunks that the patch writes; the tail is marked only after it
     */
    static List<Edit.Write> of(ReferencedRanges before, ReferencedRanges after, long begin, long end, long writtenEnd) {
        List<Edit.Write> marks = new ArrayList<>();
        add(marks, before.first(begin), Math.min(after.first(end), end));
        add(marks, Math.max(after.end(end), writtenEnd), end);
        return marks;
    }

    /** Returns marks for byte ranges that were each an inner chunk. */
    static List<Edit.Write> of(List<Extent> removed) {
        List<Edit.Write> marks = new ArrayList<>();
        removed.forEach(e -> add(marks, e.offset(), e.offset() + e.size()));
        return marks;
    }

    /** Adds the mark of the bytes from {@code begin} to {@code end}, or zeros if they are too few for a mark. */
    private static void add(List<Edit.Write> marks, long begin, long end) {
        if (end - begin >= SIZE) {
            ByteBuffer mark = ByteBuffer.allocate(SIZE)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(MAGIC)
                    .putLong(end - begin);
            marks.add(new Edit.Write(begin, Bytes.of(mark.flip())));
        } else if (end > begin) {
            marks.add(new Edit.Write(begin, Bytes.zeros(end - begin)));
        }
    }

    /**
     * Returns how many bytes a search may advance from {@code offset}, where no mark begins, without missing a mark.
     */
    static int distance(ByteBuffer bytes, int offset) {
        return bytes.getLong(offset) == 0 ? Long.BYTES : 1;
    }

    /** Returns the end of the bytes that the mark at {@code offset} covers; empty if there is no mark. */
    static OptionalLong end(ByteBuffer bytes, int offset) {
        if (bytes.limit() - offset < SIZE || bytes.getLong(offset) != MAGIC) {
            return OptionalLong.empty();
        }
        long covered = bytes.getLong(offset + Long.BYTES);
        return covered >= SIZE && covered <= Long.MAX_VALUE - offset
                ? OptionalLong.of(offset + covered)
                : OptionalLong.empty();
    }
}
