package dev.shardkit.blosc2;

import dev.shardkit.spi.bytes.Words;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import java.util.Arrays;

/**
 * The start of a Blosc2 chunk: its header and the offsets of its blocks. With it, a read of a part of a chunk reads
 * only the blocks that it needs. Immutable.
 *
 * @param header the header
 * @param starts the offset of each block, in the order of blocks
 */
record BlockStarts(ChunkHeader header, int[] starts) {
    /**
     * Decodes the start of a chunk.
     *
     * @param bytes the first bytes of the chunk
     * @param chunkSize the size of the whole chunk
     * @param blocks the number of blocks according to the metadata
     */
    static BlockStarts decode(Bytes bytes, long chunkSize, int blocks) {
        byte[] input = bytes.toArray();
        ChunkHeader header = ChunkHeader.decode(input, 0, input.length);
        if (header.cbytes() > chunkSize) {
            throw new CorruptDataException("blosc2 chunk: expected " + header.cbytes() + " bytes, found " + chunkSize);
        }
        int blockCount = Math.min(blocks, (input.length - header.size()) / Integer.BYTES);
        int[] starts = new int[header.isCopied() ? 0 : blockCount];
        for (int i = 0; i < starts.length; i++) {
            starts[i] = Words.int32(input, header.size() + i * Integer.BYTES);
        }
        return new BlockStarts(header, starts);
    }

    /** Returns whether each block can be decoded from its own bytes. */
    boolean isSeparable() {
        return header.specialKind() == ChunkHeader.Special.NONE
                && !header.isCopied()
                && !header.hasDictionary()
                && !header.hasDelta();
    }

    /**
     * Returns the range of a block. A block ends where another one starts, or with the chunk. The blocks may be stored
     * in any order.
     */
    ByteRange.Slice range(int number) {
        int minStart = header.size() + Integer.BYTES * starts.length;
        int start = number < starts.length ? starts[number] : -1;
        if (start < minStart || start > header.cbytes()) {
            throw new CorruptDataException("blosc2 chunk: expected block " + number + " to start within "
                    + header.cbytes() + " bytes, found " + start);
        }
        int end = Arrays.stream(starts)
                .filter(other -> other > start && other <= header.cbytes())
                .min()
                .orElse(header.cbytes());
        return new ByteRange.Slice(start, end - start);
    }
}
