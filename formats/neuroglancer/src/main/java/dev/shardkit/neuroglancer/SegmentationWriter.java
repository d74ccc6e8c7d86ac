package dev.shardkit.neuroglancer;

import dev.shardkit.spi.bytes.Words;
import dev.shardkit.spi.plan.Bytes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes the format that {@link SegmentationChunk} describes into a growing array of words. Blocks with the same values
 * share a table. Used once.
 */
final class SegmentationWriter {
    private static final int WORD_BYTES = Integer.BYTES;
    private static final int HEADER_WORDS = 2;
    private static final int TABLE_BITS = 24;

    private byte[] output = new byte[1 << 12];
    private int wordCount;
    /** The position of the current channel in words. */
    private int channelStart;
    /** The offsets of the tables of the current channel, by their values. */
    private final Map<List<Long>, Integer> tables = new HashMap<>();

    SegmentationWriter(int channels) {
        reserve(channels);
    }

    /** Begins a channel and reserves the headers of its blocks. */
    void beginChannel(int number, int blocks) {
        tables.clear();
        channelStart = wordCount;
        Words.int32(output, number * WORD_BYTES, channelStart);
        reserve(Math.multiplyExact(blocks, HEADER_WORDS));
    }

    /**
     * Writes a block.
     *
     * @param values the values of all voxels of the block
     * @param maxTable the maximum offset of a table
     */
    void writeBlock(int number, long[] values, int elementSize, int maxTable) {
        long[] table = Arrays.stream(values).sorted().distinct().toArray();
        int bits = bitsFor(table.length);
        int valuesOffset = wordCount - channelStart;
        int firstWord = wordCount;
        reserve((int) (((long) values.length * bits + Integer.SIZE - 1) / Integer.SIZE));
        if (bits > 0) {
            for (int i = 0; i < values.length; i++) {
                int index = Arrays.binarySearch(table, values[i]);
                long bit = (long) i * bits;
                int position = (firstWord + (int) (bit >> 5)) * WORD_BYTES;
                Words.int32(output, position, Words.int32(output, position) | index << (int) (bit & 31));
            }
        }
        int tableOffset = writeTable(table, elementSize);
        if (tableOffset > maxTable) {
            throw SegmentationChunk.tooLarge();
        }
        int headerOffset = (channelStart + number * HEADER_WORDS) * WORD_BYTES;
        Words.int32(output, headerOffset, tableOffset | bits << TABLE_BITS);
        Words.int32(output, headerOffset + WORD_BYTES, valuesOffset);
    }

    /** Writes a table unless the channel already has it. Returns its offset in the channel. */
    private int writeTable(long[] table, int elementSize) {
        List<Long> tableKey = Arrays.stream(table).boxed().toList();
        Integer existing = tables.get(tableKey);
        if (existing != null) {
            return existing;
        }
        int position = wordCount;
        reserve(Math.multiplyExact(table.length, elementSize / WORD_BYTES));
        for (int i = 0; i < table.length; i++) {
            if (elementSize == WORD_BYTES) {
                Words.int32(output, (position + i) * WORD_BYTES, (int) table[i]);
            } else {
                Words.int64(output, position * WORD_BYTES + i * elementSize, table[i]);
            }
        }
        tables.put(tableKey, position - channelStart);
        return position - channelStart;
    }

    /** Returns how many bits an index into a table of this size needs: 0 or a power of two. */
    private static int bitsFor(int values) {
        int minBits = Integer.SIZE - Integer.numberOfLeadingZeros(values - 1);
        int bits = 0;
        while (bits < minBits) {
            bits = bits == 0 ? 1 : 2 * bits;
        }
        return bits;
    }

    /** Appends words of zeros. */
    private void reserve(int additionalWords) {
        int minBytes = Math.multiplyExact(Math.addExact(wordCount, additionalWords), WORD_BYTES);
        if (minBytes > output.length) {
            output = Arrays.copyOf(
                    output, (int) Math.max(minBytes, Math.min(Integer.MAX_VALUE - 8L, 2L * output.length)));
        }
        wordCount += additionalWords;
    }

    /** Returns the encoded chunk. */
    Bytes finish() {
        return Bytes.of(Arrays.copyOf(output, wordCount * WORD_BYTES));
    }
}
