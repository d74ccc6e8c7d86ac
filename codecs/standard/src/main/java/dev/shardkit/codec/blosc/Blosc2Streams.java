package dev.shardkit.codec.blosc;

import dev.shardkit.codec.zstd.decoder.ZstdDictionary;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Scratch;

/**
 * Expands the streams of a chunk of Blosc2, which may refer to the chunk's dictionary (README_CHUNK_FORMAT.rst,
 * "Dictionary"). Used by one thread.
 */
public abstract sealed class Blosc2Streams {
    private Blosc2Streams() {}

    /** Returns the streams of a chunk without a dictionary. */
    public static Blosc2Streams of(int format) {
        return new Plain(format);
    }

    /**
     * Returns the streams of a chunk with a dictionary.
     *
     * @param format the number of the compressor in the chunk's header
     * @param dictionary the bytes of the dictionary, which must not change
     * @param maximum the largest decoded size of a stream
     * @param scratch lends memory for the content of the dictionary and, directly after it, a decoded stream
     * @throws CorruptDataException if the dictionary is invalid, or the compressor is neither lz4 nor zstd
     * @throws UnsupportedException if an array cannot hold dictionary and stream
     */
    public static Blosc2Streams of(int format, HeapBytes dictionary, int maximum, Scratch scratch) {
        if (maximum > Limits.LARGEST_CHUNK - dictionary.size()) {
            throw new UnsupportedException("blosc2: expected a dictionary and a block of at most "
                    + Limits.LARGEST_CHUNK + " bytes, found " + dictionary.size() + " and " + maximum);
        }
        if (format == CompressedFormat.LZ4.ordinal()) {
            byte[] memory = scratch.borrow(dictionary.size() + maximum);
            System.arraycopy(dictionary.array(), dictionary.from(), memory, 0, dictionary.size());
            return new Lz4(dictionary.size(), memory);
        } else if (format == CompressedFormat.ZSTD.ordinal()) {
            ZstdDictionary parsed = ZstdDictionary.of(dictionary);
            byte[] memory = scratch.borrow(parsed.contentSize() + maximum);
            parsed.copyContent(memory, 0);
            return new Zstd(parsed, memory);
        }
        throw new CorruptDataException("blosc2: expected lz4 or zstd with a dictionary, found compressor " + format);
    }

    /**
     * Expands a stream to exactly {@code size} bytes.
     *
     * @throws CorruptDataException if the stream is invalid
     */
    public abstract void expand(
            byte[] in, int inOffset, int length, byte[] out, int outOffset, int size, Scratch scratch);

    /** Streams that refer only to themselves. */
    private static final class Plain extends Blosc2Streams {
        private final int format;

        Plain(int format) {
            this.format = format;
        }

        @Override
        public void expand(byte[] in, int inOffset, int length, byte[] out, int outOffset, int size, Scratch scratch) {
            SharedBloscFilters.expand(format, in, inOffset, length, out, outOffset, size, scratch);
        }
    }

    /** Streams of lz4. The memory begins with the dictionary, and has room for a stream after it. */
    private static final class Lz4 extends Blosc2Streams {
        private final int dictionarySize;
        private final byte[] memory;

        Lz4(int dictionarySize, byte[] memory) {
            this.dictionarySize = dictionarySize;
            this.memory = memory;
        }

        @Override
        public void expand(byte[] in, int inOffset, int length, byte[] out, int outOffset, int size, Scratch scratch) {
            CompressedStreams.lz4After(dictionarySize, in, inOffset, length, memory, size);
            System.arraycopy(memory, dictionarySize, out, outOffset, size);
        }
    }

    /** Streams of zstd. The memory begins with the content of the dictionary, and has room for a stream after it. */
    private static final class Zstd extends Blosc2Streams {
        private final ZstdDictionary dictionary;
        private final byte[] memory;

        Zstd(ZstdDictionary dictionary, byte[] memory) {
            this.dictionary = dictionary;
            this.memory = memory;
        }

        @Override
        public void expand(byte[] in, int inOffset, int length, byte[] out, int outOffset, int size, Scratch scratch) {
            HeapBytes stream = new HeapBytes(in, inOffset, inOffset + length);
            SharedBloscFilters.streams(scratch).zstdAfter(dictionary, stream, memory, size);
            System.arraycopy(memory, dictionary.contentSize(), out, outOffset, size);
        }
    }
}
