package dev.shardkit.codec.sharding;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.plan.Bytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * What we leave at the beginning of bytes that were inner chunks' and become a shard's head or tail which no entry
 * names, so that they are not taken for others' later: eight bytes that say so and how many bytes it holds for. Fewer
 * bytes than a mark has become zeros. Stateless.
 */
final class Mark {
    /** How many bytes a mark has. */
    static final int SIZE = 16;

    private static final long MAGIC = 0x8f3a_66b1_d25c_0e97L;

    private Mark() {}

    /**
     * Marks for a patch that a journal guards.
     *
     * @param before what was named
     * @param after what will be
     * @param begin where our bytes begin if nothing was named
     * @param end where our bytes end
     * @param untouched the tail is not marked before this byte, as the patch writes there
     */
    static List<Edit.Write> of(Spans before, Spans after, long begin, long end, long untouched) {
        List<Edit.Write> marks = new ArrayList<>();
        add(marks, before.first(begin), Math.min(after.first(end), end));
        add(marks, Math.max(after.end(end), untouched), end);
        return marks;
    }

    /** Marks of bytes that were each an inner chunk's. */
    static List<Edit.Write> of(List<Extent> removed) {
        List<Edit.Write> marks = new ArrayList<>();
        removed.forEach(e -> add(marks, e.offset(), e.offset() + e.size()));
        return marks;
    }

    private static void add(List<Edit.Write> marks, long from, long to) {
        if (to - from >= SIZE) {
            ByteBuffer mark = ByteBuffer.allocate(SIZE)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(MAGIC)
                    .putLong(to - from);
            marks.add(new Edit.Write(from, Bytes.of(mark.flip())));
        } else if (to > from) {
            marks.add(new Edit.Write(from, Bytes.zeros(to - from)));
        }
    }

    /** The first byte behind what the mark at {@code at} holds for, if there is a mark. */
    static OptionalLong end(ByteBuffer bytes, int at) {
        if (bytes.limit() - at < SIZE || bytes.getLong(at) != MAGIC) {
            return OptionalLong.empty();
        }
        long held = bytes.getLong(at + Long.BYTES);
        return held >= SIZE && held <= Long.MAX_VALUE - at ? OptionalLong.of(at + held) : OptionalLong.empty();
    }
}
