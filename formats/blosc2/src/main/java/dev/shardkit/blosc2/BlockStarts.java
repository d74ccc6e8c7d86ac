package dev.shardkit.blosc2;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.kernel.Words;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import java.util.Arrays;

/**
 * The header of a chunk and where its blocks start. Immutable.
 *
 * @param header the header
 * @param starts the first byte of each block, in their order in the chunk
 */
record BlockStarts(ChunkHeader header, int[] starts) {
    static BlockStarts decode(Bytes bytes, long chunkSize, int blocks) {
        byte[] in = bytes.toArray();
        ChunkHeader header = ChunkHeader.decode(in, 0, in.length);
        if (header.cbytes() > chunkSize) {
            throw new CorruptDataException("blosc2 chunk: expected " + header.cbytes() + " bytes, found " + chunkSize);
        }
        int known = Math.min(blocks, (in.length - header.size()) / Integer.BYTES);
        int[] starts = new int[header.isCopied() ? 0 : known];
        for (int i = 0; i < starts.length; i++) {
            starts[i] = Words.int32(in, header.size() + i * Integer.BYTES);
        }
        return new BlockStarts(header, starts);
    }

    /** Returns whether each block can be decoded from its own bytes. */
    boolean isSeparable() {
        return header.special() == ChunkHeader.Special.NONE
                && !header.isCopied()
                && !header.hasDictionary()
                && !header.hasDelta();
    }

    /** Returns the bytes of a block: up to the start of the next one in the chunk. Blocks lie in any order. */
    ByteRange.Slice range(int number) {
        int first = header.size() + Integer.BYTES * starts.length;
        int from = number < starts.length ? starts[number] : -1;
        if (from < first || from > header.cbytes()) {
            throw new CorruptDataException("blosc2 chunk: expected block " + number + " to start within "
                    + header.cbytes() + " bytes, found " + from);
        }
        int to = Arrays.stream(starts)
                .filter(start -> start > from && start <= header.cbytes())
                .min()
                .orElse(header.cbytes());
        return new ByteRange.Slice(from, to - from);
    }
}
