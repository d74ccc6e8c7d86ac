package dev.shardkit.blosc2;

import dev.shardkit.codec.blosc.Blosc2Streams;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.kernel.HeapBytes;
import dev.shardkit.spi.kernel.Words;
import dev.shardkit.spi.plan.Scratch;
import java.util.Arrays;

/**
 * A whole chunk in memory. Used by one thread.
 *
 * @param header its header
 * @param in its bytes
 */
record WholeChunk(ChunkHeader header, HeapBytes in) {
    private static final byte[] NONE = {};
    /** The largest dictionary that a version of c-blosc2 writes. */
    private static final int LARGEST_DICTIONARY = 128 << 10;

    static WholeChunk of(HeapBytes in) {
        ChunkHeader header = ChunkHeader.decode(in.array(), in.from(), in.size());
        if (header.cbytes() > in.size()) {
            throw new CorruptDataException("blosc2 chunk: expected " + header.cbytes() + " bytes, found " + in.size());
        }
        return new WholeChunk(header, in);
    }

    /** Returns one element of a chunk of equal elements. */
    byte[] value() {
        int typesize = header.typesize();
        if (header.special() != ChunkHeader.Special.VALUE) {
            return value(header.special(), typesize);
        }
        int from = in.from() + header.size();
        if (header.cbytes() < header.size() + typesize) {
            throw new CorruptDataException("blosc2 chunk: expected an element of " + typesize
                    + " bytes after the header, found " + (header.cbytes() - header.size()));
        }
        return Arrays.copyOfRange(in.array(), from, from + typesize);
    }

    /** Returns one of equal elements that are not stored: zeros, NaN, or elements without a value. */
    static byte[] value(ChunkHeader.Special special, int typesize) {
        byte[] value = new byte[typesize];
        if (special == ChunkHeader.Special.NANS) {
            if (typesize != Float.BYTES && typesize != Double.BYTES) {
                throw new CorruptDataException(
                        "blosc2 chunk: expected NaN of 4 or 8 bytes, found elements of " + typesize);
            }
            if (typesize == Float.BYTES) {
                Words.int32(value, 0, Float.floatToIntBits(Float.NaN));
            } else {
                Words.int64(value, 0, Double.doubleToLongBits(Double.NaN));
            }
        }
        return value;
    }

    /** Returns the decoded elements of a chunk, for indexes. */
    byte[] decoded(Scratch scratch) {
        byte[] out = new byte[header.nbytes()];
        if (header.special() != ChunkHeader.Special.NONE) {
            byte[] value = value();
            for (int i = 0; i < out.length; i++) {
                out[i] = value[i % value.length];
            }
            return out;
        }
        Blocks blocks = new Blocks(this, scratch);
        for (int block = 0; block < header.blocks(); block++) {
            int mark = scratch.mark();
            byte[] bytes = blocks.block(block);
            System.arraycopy(bytes, 0, out, block * header.blocksize(), header.sizeOf(block));
            scratch.reset(mark);
        }
        return out;
    }

    /** Returns what expands the streams of the blocks; reads the dictionary, which lies behind the starts of blocks. */
    private Blosc2Streams expander(Scratch scratch) {
        if (!header.hasDictionary() || header.isCopied()) {
            return Blosc2Streams.of(header.format());
        }
        long at = (long) in.from() + header.size() + (long) Integer.BYTES * header.blocks();
        long left = (long) in.from() + header.cbytes() - at - Integer.BYTES;
        int size = left < 0 ? 0 : Words.int32(in.array(), (int) at);
        if (size < 1 || size > Math.min(left, LARGEST_DICTIONARY)) {
            throw new CorruptDataException("blosc2 chunk: expected a dictionary of 1 to "
                    + Math.max(0, Math.min(left, LARGEST_DICTIONARY)) + " bytes, found " + size);
        }
        int from = (int) at + Integer.BYTES;
        HeapBytes dictionary = new HeapBytes(in.array(), from, from + size);
        return Blosc2Streams.of(header.format(), dictionary, Math.min(header.blocksize(), header.nbytes()), scratch);
    }

    /** The blocks of a chunk. The first one is kept if others refer to it. Used by one thread. */
    static final class Blocks {
        private final WholeChunk chunk;
        private final BlockReader reader;
        private byte[] first = NONE;

        Blocks(WholeChunk chunk, Scratch scratch) {
            this.chunk = chunk;
            this.reader = new BlockReader(chunk.header, chunk.expander(scratch), scratch);
        }

        /** Returns memory that begins with a decoded block, valid until the scratch takes it back. */
        byte[] block(int number) {
            ChunkHeader header = chunk.header;
            HeapBytes in = chunk.in;
            int end = in.from() + header.cbytes();
            int size = header.sizeOf(number);
            if (header.isCopied()) {
                long from = (long) in.from() + header.size() + (long) number * header.blocksize();
                if (from + size > end) {
                    throw new CorruptDataException("blosc2 chunk: expected " + header.nbytes() + " stored bytes, found "
                            + (header.cbytes() - header.size()));
                }
                return Arrays.copyOfRange(in.array(), (int) from, (int) from + size);
            }
            if (header.hasDelta() && number > 0 && first.length == 0) {
                first = Arrays.copyOf(streams(0, end, NONE), header.sizeOf(0));
            }
            return streams(number, end, first);
        }

        private byte[] streams(int number, int end, byte[] reference) {
            long at = (long) chunk.in.from() + chunk.header.size() + (long) Integer.BYTES * number;
            if (at > end - Integer.BYTES) {
                throw new CorruptDataException("blosc2 chunk: expected the starts of " + chunk.header.blocks()
                        + " blocks, found " + chunk.header.cbytes() + " bytes");
            }
            long from = (long) chunk.in.from() + Words.int32(chunk.in.array(), (int) at);
            if (from < at || from > end) {
                throw new CorruptDataException("blosc2 chunk: expected block " + number + " to start within "
                        + chunk.header.cbytes() + " bytes, found " + (from - chunk.in.from()));
            }
            return reader.decode(number, chunk.in.array(), (int) from, end, reference);
        }
    }
}
