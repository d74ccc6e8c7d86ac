package dev.shardkit.blosc2;

import dev.shardkit.spi.bytes.Words;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import java.util.Arrays;

/**
 * The header of a Blosc2 chunk (README_CHUNK_FORMAT.rst of C-Blosc2, "Header"). Members and constants have the names
 * that the format gives them. Immutable.
 *
 * @param size the size of the header in bytes
 * @param version the version of the format
 * @param flags the flags of blosc
 * @param typesize the size of an element in bytes
 * @param nbytes the decoded size in bytes
 * @param blocksize the decoded size of a block in bytes
 * @param cbytes the encoded size in bytes
 * @param filters the codes of the filters, in the order of encoding
 * @param metas the parameter of each filter
 * @param flags2 the flags of Blosc2
 */
record ChunkHeader(
        int size,
        int version,
        int flags,
        int typesize,
        int nbytes,
        int blocksize,
        int cbytes,
        byte[] filters,
        byte[] metas,
        int flags2) {
    /** The size of a header with filters. */
    static final int EXTENDED_SIZE = 32;

    // The codes of filters.
    static final int SHUFFLE = 1;
    static final int BITSHUFFLE = 2;
    static final int DELTA = 3;
    static final int TRUNC_PREC = 4;
    /** The bit of {@code flags} of a chunk that is stored without filters and compression. */
    static final int MEMCPY = 2;

    /** The size of a header of blosc 1. */
    private static final int PLAIN_SIZE = 16;

    private static final int MAX_VERSION = 6;
    private static final int MAX_COMPRESSOR = 4;
    /** The bits of shuffle (1) and bitshuffle (4) in {@code flags}. Both together mark an extended header. */
    private static final int SHUFFLES = 5;
    /** The number of filters that an extended header can hold. */
    private static final int FILTERS = 6;
    /**
     * The bit of {@code flags} of a chunk whose blocks have one stream (a sequence of compressed bytes). Otherwise a
     * block has a stream for each byte of an element.
     */
    private static final int NOT_SPLIT = 16;

    /** The bit of {@code flags2} of a chunk that was compressed with a dictionary. */
    private static final int DICTIONARY = 1;
    /** The bits of {@code flags2} that this decoder does not know. */
    private static final int UNKNOWN_FLAGS = 0x0e | 0x80;

    /**
     * The kind of a chunk that consists of equal elements and has no blocks. The order is that of the numbers in the
     * format.
     */
    enum Special {
        NONE,
        ZEROS,
        NANS,
        VALUE,
        UNINIT
    }

    /**
     * Decodes and checks a header.
     *
     * @param offset the offset of the chunk in {@code input}
     * @param length the number of bytes from there on, which may be only the start of the chunk
     */
    static ChunkHeader decode(byte[] input, int offset, int length) {
        if (length < PLAIN_SIZE) {
            throw corrupt("a header of at least " + PLAIN_SIZE + " bytes", length + " bytes");
        }
        int flags = input[offset + 2] & 0xff;
        boolean isExtended = (flags & SHUFFLES) == SHUFFLES;
        int size = isExtended ? EXTENDED_SIZE : PLAIN_SIZE;
        if (length < size) {
            throw corrupt("a header of " + size + " bytes", length + " bytes");
        }
        if (input[offset] < 1 || input[offset] > MAX_VERSION) {
            throw new UnsupportedException("blosc2: version " + (input[offset] & 0xff)
                    + " of the chunk format is not supported; known are 1 to " + MAX_VERSION);
        }
        byte[] filters = new byte[FILTERS];
        byte[] metas = new byte[FILTERS];
        if (isExtended) {
            System.arraycopy(input, offset + PLAIN_SIZE, filters, 0, FILTERS);
            System.arraycopy(input, offset + PLAIN_SIZE + Long.BYTES, metas, 0, FILTERS);
        } else {
            // a header of blosc 1 has no list of filters, only the bits of the two shuffles
            boolean isShuffled = (flags & 1) != 0;
            boolean isBitShuffled = (flags & 4) != 0;
            filters[FILTERS - 1] = (byte) (isShuffled ? SHUFFLE : isBitShuffled ? BITSHUFFLE : 0);
        }
        ChunkHeader header = new ChunkHeader(
                size,
                input[offset],
                flags,
                input[offset + 3] & 0xff,
                Words.int32(input, offset + 4),
                Words.int32(input, offset + 8),
                Words.int32(input, offset + 12),
                filters,
                metas,
                isExtended ? input[offset + EXTENDED_SIZE - 1] & 0xff : 0);
        header.requireSupported();
        return header;
    }

    private void requireSupported() {
        if (typesize == 0 || nbytes < 0 || cbytes < size || blocksize <= 0 && nbytes > 0) {
            throw corrupt("valid sizes", toString());
        }
        if ((flags2 & UNKNOWN_FLAGS) != 0) {
            throw new UnsupportedException(
                    "blosc2: expected no flags but those of dictionaries and special values," + " found " + flags2);
        }
        for (byte filter : filters) {
            if (filter < 0 || filter > TRUNC_PREC) {
                throw new UnsupportedException("blosc2: filter " + (filter & 0xff)
                        + " is not supported; known are shuffle, bitshuffle, delta and trunc_prec");
            }
        }
        if (specialKind() == Special.NONE && !isCopied() && compressorNumber() > MAX_COMPRESSOR) {
            throw new UnsupportedException("blosc2: compressor " + compressorNumber()
                    + " is not supported; known are blosclz, lz4, lz4hc, zlib and zstd");
        }
    }

    private static CorruptDataException corrupt(String expected, String found) {
        return new CorruptDataException("blosc2 chunk: expected " + expected + ", found " + found);
    }

    /** Returns the kind of a chunk without blocks; {@code NONE} for a chunk with blocks. */
    Special specialKind() {
        int kind = flags2 >> 4 & 7;
        if (kind >= Special.values().length) {
            throw new UnsupportedException("blosc2: special value " + kind + " is not supported");
        }
        return Special.values()[kind];
    }

    /** Returns whether the elements are stored without filters and compression. */
    boolean isCopied() {
        return (flags & MEMCPY) != 0;
    }

    boolean hasDictionary() {
        return (flags2 & DICTIONARY) != 0;
    }

    boolean hasDelta() {
        for (byte filter : filters) {
            if (filter == DELTA) {
                return true;
            }
        }
        return false;
    }

    /** Returns the number of the compressor: 0 blosclz, 1 lz4 or lz4hc, 3 zlib, 4 zstd. */
    int compressorNumber() {
        return flags >> 5;
    }

    /** Returns the number of streams of a block of {@code blockBytes} bytes. A shorter last block is never split. */
    int streamCount(int blockBytes) {
        return (flags & NOT_SPLIT) != 0 || blockBytes != blocksize ? 1 : typesize;
    }

    /** Returns the number of blocks. */
    int blockCount() {
        return nbytes == 0 ? 0 : (nbytes - 1) / blocksize + 1;
    }

    /** Returns the decoded size of a block. */
    int blockSize(int block) {
        return Math.min(blocksize, nbytes - block * blocksize);
    }

    @Override
    public String toString() {
        return "typesize " + typesize + ", nbytes " + nbytes + ", blocksize " + blocksize + ", cbytes " + cbytes
                + ", filters " + Arrays.toString(filters);
    }
}
