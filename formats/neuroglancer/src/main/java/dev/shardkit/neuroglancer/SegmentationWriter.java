package dev.shardkit.neuroglancer;

import dev.shardkit.spi.kernel.Words;
import dev.shardkit.spi.plan.Bytes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes compressed segmentation: a growing array of words. Blocks with the same values share a table. Used once. */
final class SegmentationWriter {
    private static final int WORD = Integer.BYTES;
    private static final int HEADER_WORDS = 2;
    private static final int TABLE_BITS = 24;

    private byte[] out = new byte[1 << 12];
    private int words;
    private int channel;
    private final Map<List<Long>, Integer> tables = new HashMap<>();

    SegmentationWriter(int channels) {
        reserve(channels);
    }

    void beginChannel(int number, int blocks) {
        tables.clear();
        channel = words;
        Words.int32(out, number * WORD, channel);
        reserve(Math.multiplyExact(blocks, HEADER_WORDS));
    }

    void block(int number, long[] values, int elementSize, int maxTable) {
        long[] table = Arrays.stream(values).sorted().distinct().toArray();
        int bits = bits(table.length);
        int valuesAt = words - channel;
        int first = words;
        reserve((int) (((long) values.length * bits + Integer.SIZE - 1) / Integer.SIZE));
        if (bits > 0) {
            for (int i = 0; i < values.length; i++) {
                int index = Arrays.binarySearch(table, values[i]);
                long bit = (long) i * bits;
                int at = (first + (int) (bit >> 5)) * WORD;
                Words.int32(out, at, Words.int32(out, at) | index << (int) (bit & 31));
            }
        }
        int tableAt = table(table, elementSize);
        if (tableAt > maxTable) {
            throw SegmentationChunk.tooLarge();
        }
        int header = (channel + number * HEADER_WORDS) * WORD;
        Words.int32(out, header, tableAt | bits << TABLE_BITS);
        Words.int32(out, header + WORD, valuesAt);
    }

    /** Returns the place of the table in the channel. */
    private int table(long[] table, int elementSize) {
        List<Long> key = Arrays.stream(table).boxed().toList();
        Integer known = tables.get(key);
        if (known != null) {
            return known;
        }
        int at = words;
        reserve(Math.multiplyExact(table.length, elementSize / WORD));
        for (int i = 0; i < table.length; i++) {
            if (elementSize == WORD) {
                Words.int32(out, (at + i) * WORD, (int) table[i]);
            } else {
                Words.int64(out, at * WORD + i * elementSize, table[i]);
            }
        }
        tables.put(key, at - channel);
        return at - channel;
    }

    private static int bits(int values) {
        int needed = Integer.SIZE - Integer.numberOfLeadingZeros(values - 1);
        int bits = 0;
        while (bits < needed) {
            bits = bits == 0 ? 1 : 2 * bits;
        }
        return bits;
    }

    private void reserve(int more) {
        int needed = Math.multiplyExact(Math.addExact(words, more), WORD);
        if (needed > out.length) {
            out = Arrays.copyOf(out, (int) Math.max(needed, Math.min(Integer.MAX_VALUE - 8L, 2L * out.length)));
        }
        words += more;
    }

    Bytes finish() {
        return Bytes.of(Arrays.copyOf(out, words * WORD));
    }
}
