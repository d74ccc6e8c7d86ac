package dev.shardkit.blosc2;

import dev.shardkit.codec.blosc.Blosc2Streams;
import dev.shardkit.codec.blosc.SharedBloscFilters;
import dev.shardkit.spi.bytes.Words;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Scratch;
import java.util.Arrays;

/**
 * Decodes the blocks of a Blosc2 chunk (README_CHUNK_FORMAT.rst, "Blocks"). A block consists of one compressed stream,
 * or of one stream for each byte of an element. Used by one thread.
 *
 * @param header the header of the chunk
 * @param expander decompresses the streams of the chunk
 * @param scratch provides temporary memory
 */
record BlockReader(ChunkHeader header, Blosc2Streams expander, Scratch scratch) {
    /** The bit after a negative length that marks a run: a stream of equal bytes. The length is minus the byte. */
    private static final int RUN_FLAG = 1;

    private static final int MAX_BYTE = 255;
    /** The size of the length before each stream. */
    private static final int SIZE_BYTES = Integer.BYTES;

    /**
     * Decodes a block.
     *
     * @param start the index of the first byte of the block's streams
     * @param end the end of the bytes that may belong to the block
     * @param firstBlock the decoded first block, which the filter delta needs; empty for the first block itself
     * @return memory borrowed from the scratch, which starts with the decoded block
     */
    byte[] decode(int block, byte[] input, int start, int end, byte[] firstBlock) {
        int size = header.blockSize(block);
        byte[] bytes = scratch.borrow(size);
        int streams = header.streamCount(size);
        if (size % streams != 0) {
            throw corrupt("blocks of whole elements of " + header.typesize() + " bytes", size + " bytes", block);
        }
        int offset = start;
        for (int streamIndex = 0; streamIndex < streams; streamIndex++) {
            offset = decodeStream(block, input, offset, end, bytes, streamIndex * (size / streams), size / streams);
        }
        return reverseFilters(block, size, bytes, firstBlock);
    }

    /** Decompresses a stream and returns its end. */
    private int decodeStream(int block, byte[] input, int offset, int end, byte[] output, int outputOffset, int size) {
        if (offset < 0 || offset > end - SIZE_BYTES) {
            throw corrupt("a stream within the chunk", "one at byte " + offset + " of " + end, block);
        }
        int length = Words.int32(input, offset);
        int dataOffset = offset + SIZE_BYTES;
        if (length == 0) {
            Arrays.fill(output, outputOffset, outputOffset + size, (byte) 0);
            return dataOffset;
        } else if (length < 0) {
            if (dataOffset >= end || (input[dataOffset] & RUN_FLAG) == 0 || length < -MAX_BYTE) {
                throw corrupt("a run of one byte", "length " + length, block);
            }
            Arrays.fill(output, outputOffset, outputOffset + size, (byte) -length);
            return dataOffset + 1;
        } else if (length > end - dataOffset) {
            throw corrupt("a stream within the chunk", length + " bytes at byte " + offset + " of " + end, block);
        } else if (length == size) {
            System.arraycopy(input, dataOffset, output, outputOffset, size);
        } else {
            expander.expand(input, dataOffset, length, output, outputOffset, size, scratch);
        }
        return dataOffset + length;
    }

    /** Reverses the filters, the last one first. */
    private byte[] reverseFilters(int block, int size, byte[] bytes, byte[] firstBlock) {
        byte[] current = bytes;
        byte[] other = scratch.borrow(size);
        for (int i = header.filters().length - 1; i >= 0; i--) {
            int parameter = header.metas()[i] & 0xff;
            int typesize = parameter == 0 ? header.typesize() : parameter;
            switch (header.filters()[i]) {
                case ChunkHeader.SHUFFLE -> SharedBloscFilters.unshuffle(typesize, size, current, other);
                case ChunkHeader.BITSHUFFLE -> {
                    // Version 2 of the format and older ones filter only blocks whose elements form groups of 8.
                    boolean hasWholeGroups = header.version() > 2 || size / typesize % 8 == 0;
                    if (hasWholeGroups) {
                        SharedBloscFilters.bitUnshuffle(typesize, size, current, 0, scratch.borrow(size), other, 0);
                    } else {
                        System.arraycopy(current, 0, other, 0, size);
                    }
                }
                case ChunkHeader.DELTA -> reverseDelta(block, size, current, firstBlock);
                default -> {} // no filter, or trunc_prec, which has no inverse
            }
            if (header.filters()[i] == ChunkHeader.SHUFFLE || header.filters()[i] == ChunkHeader.BITSHUFFLE) {
                byte[] swapped = current;
                current = other;
                other = swapped;
            }
        }
        return current;
    }

    /**
     * Reverses differences: in the first block, to the previous element; in other blocks, to the first block. Like
     * c-blosc2, keeps bytes after the last whole element unchanged.
     */
    private void reverseDelta(int block, int size, byte[] bytes, byte[] firstBlock) {
        int typesize = header.typesize();
        // Words of 2, 4 or 8 bytes are compared if the size of an element allows it, otherwise bytes.
        int step = typesize == 2 || typesize == 4 || typesize % 8 == 0 ? Math.min(typesize, 8) : 1;
        int wholeBytes = size - size % step;
        if (block == 0) {
            for (int i = step; i < wholeBytes; i++) {
                bytes[i] ^= bytes[i - step];
            }
        } else {
            for (int i = 0; i < wholeBytes; i++) {
                bytes[i] ^= firstBlock[i];
            }
        }
    }

    private static CorruptDataException corrupt(String expected, String found, int block) {
        return new CorruptDataException("blosc2, block " + block + ": expected " + expected + ", found " + found);
    }
}
