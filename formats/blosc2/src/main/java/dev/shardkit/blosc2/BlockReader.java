package dev.shardkit.blosc2;

import dev.shardkit.codec.blosc.Blosc2Blocks;
import dev.shardkit.codec.blosc.Blosc2Streams;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.kernel.Words;
import dev.shardkit.spi.plan.Scratch;
import java.util.Arrays;

/**
 * Decodes the blocks of a chunk (README_CHUNK_FORMAT.rst, "Blocks"). Used by one thread.
 *
 * @param header the header of the chunk
 * @param expander expands its streams
 * @param scratch lends memory
 */
record BlockReader(ChunkHeader header, Blosc2Streams expander, Scratch scratch) {
    private static final int RUN = 1;
    private static final int LARGEST_BYTE = 255;
    private static final int WORD = Integer.BYTES;

    /**
     * Decodes a block.
     *
     * @param from the index of the first byte of its streams
     * @param to the end of the bytes that may belong to it
     * @param first the decoded first block, which the filter delta refers to; for the first block itself, no bytes
     * @return memory borrowed from the scratch, which begins with the decoded block
     */
    byte[] decode(int block, byte[] in, int from, int to, byte[] first) {
        int size = header.sizeOf(block);
        byte[] bytes = scratch.borrow(size);
        int streams = header.streams(size);
        if (size % streams != 0) {
            throw corrupt("blocks of whole elements of " + header.typesize() + " bytes", size + " bytes", block);
        }
        int at = from;
        for (int s = 0; s < streams; s++) {
            at = stream(block, in, at, to, bytes, s * (size / streams), size / streams);
        }
        return unfiltered(block, size, bytes, first);
    }

    /** Expands a stream; returns its end. */
    private int stream(int block, byte[] in, int at, int to, byte[] out, int outAt, int size) {
        if (at < 0 || at > to - WORD) {
            throw corrupt("a stream within the chunk", "one at byte " + at + " of " + to, block);
        }
        int length = Words.int32(in, at);
        int data = at + WORD;
        if (length == 0) {
            Arrays.fill(out, outAt, outAt + size, (byte) 0);
            return data;
        } else if (length < 0) {
            if (data >= to || (in[data] & RUN) == 0 || length < -LARGEST_BYTE) {
                throw corrupt("a run of one byte", "length " + length, block);
            }
            Arrays.fill(out, outAt, outAt + size, (byte) -length);
            return data + 1;
        } else if (length > to - data) {
            throw corrupt("a stream within the chunk", length + " bytes at byte " + at + " of " + to, block);
        } else if (length == size) {
            System.arraycopy(in, data, out, outAt, size);
        } else {
            expander.expand(in, data, length, out, outAt, size, scratch);
        }
        return data + length;
    }

    /** Reverses the filters, the last one first. */
    private byte[] unfiltered(int block, int size, byte[] bytes, byte[] first) {
        byte[] now = bytes;
        byte[] other = scratch.borrow(size);
        for (int i = header.filters().length - 1; i >= 0; i--) {
            int meta = header.metas()[i] & 0xff;
            int typesize = meta == 0 ? header.typesize() : meta;
            switch (header.filters()[i]) {
                case ChunkHeader.SHUFFLE -> Blosc2Blocks.unshuffle(typesize, size, now, other);
                case ChunkHeader.BITSHUFFLE -> {
                    boolean whole = header.version() > 2 || size / typesize % 8 == 0;
                    if (whole) {
                        Blosc2Blocks.bitUnshuffle(typesize, size, now, 0, scratch.borrow(size), other, 0);
                    } else {
                        System.arraycopy(now, 0, other, 0, size);
                    }
                }
                case ChunkHeader.DELTA -> delta(block, size, now, first);
                default -> {} // nothing, or trunc_prec, which only loses bits
            }
            if (header.filters()[i] == ChunkHeader.SHUFFLE || header.filters()[i] == ChunkHeader.BITSHUFFLE) {
                byte[] spare = now;
                now = other;
                other = spare;
            }
        }
        return now;
    }

    /**
     * Reverses the differences to the element before, in the first block, or to the first block. Bytes after the last
     * whole element stay as they are, as c-blosc2 leaves them.
     */
    private void delta(int block, int size, byte[] bytes, byte[] first) {
        int typesize = header.typesize();
        int step = typesize == 2 || typesize == 4 || typesize % 8 == 0 ? Math.min(typesize, 8) : 1;
        int whole = size - size % step;
        if (block == 0) {
            for (int i = step; i < whole; i++) {
                bytes[i] ^= bytes[i - step];
            }
        } else {
            for (int i = 0; i < whole; i++) {
                bytes[i] ^= first[i];
            }
        }
    }

    private static CorruptDataException corrupt(String expected, String found, int block) {
        return new CorruptDataException("blosc2, block " + block + ": expected " + expected + ", found " + found);
    }
}
