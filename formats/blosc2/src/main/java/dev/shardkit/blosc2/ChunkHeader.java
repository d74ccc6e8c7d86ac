package dev.shardkit.blosc2;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.kernel.Words;
import java.util.Arrays;

/**
 * The header of a chunk (README_CHUNK_FORMAT.rst, "Header"). Immutable.
 *
 * @param size the size of the header in bytes
 * @param version the version of the format
 * @param flags the flags of blosc
 * @param typesize the size of an element in bytes
 * @param nbytes the decoded size in bytes
 * @param blocksize the decoded size of a block in bytes
 * @param cbytes the encoded size in bytes
 * @param filters the codes of the filters, in the order of encoding
 * @param metas a parameter of each filter
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
    static final int EXTENDED = 32;

    static final int SHUFFLE = 1;
    static final int BITSHUFFLE = 2;
    static final int DELTA = 3;
    static final int TRUNC_PREC = 4;
    static final int MEMCPY = 2;

    private static final int PLAIN = 16;
    private static final int MAX_VERSION = 6;
    private static final int SHUFFLES = 5;
    private static final int FILTERS = 6;
    private static final int NOT_SPLIT = 16;
    private static final int DICTIONARY = 1;
    private static final int UNKNOWN_FLAGS = 0x0e | 0x80;

    /** The content of a chunk without blocks. */
    enum Special {
        NONE,
        ZEROS,
        NANS,
        VALUE,
        UNINIT
    }

    static ChunkHeader decode(byte[] in, int at, int length) {
        if (length < PLAIN) {
            throw corrupt("a header of at least " + PLAIN + " bytes", length + " bytes");
        }
        int flags = in[at + 2] & 0xff;
        boolean extended = (flags & SHUFFLES) == SHUFFLES;
        int size = extended ? EXTENDED : PLAIN;
        if (length < size) {
            throw corrupt("a header of " + size + " bytes", length + " bytes");
        }
        if (in[at] < 1 || in[at] > MAX_VERSION) {
            throw new UnsupportedException("blosc2: version " + (in[at] & 0xff)
                    + " of the chunk format is not supported; known are 1 to " + MAX_VERSION);
        }
        byte[] filters = new byte[FILTERS];
        byte[] metas = new byte[FILTERS];
        if (extended) {
            System.arraycopy(in, at + PLAIN, filters, 0, FILTERS);
            System.arraycopy(in, at + PLAIN + Long.BYTES, metas, 0, FILTERS);
        } else {
            filters[FILTERS - 1] = (byte) ((flags & 1) != 0 ? SHUFFLE : (flags & 4) != 0 ? BITSHUFFLE : 0);
        }
        ChunkHeader header = new ChunkHeader(
                size,
                in[at],
                flags,
                in[at + 3] & 0xff,
                Words.int32(in, at + 4),
                Words.int32(in, at + 8),
                Words.int32(in, at + 12),
                filters,
                metas,
                extended ? in[at + EXTENDED - 1] & 0xff : 0);
        header.check();
        return header;
    }

    private void check() {
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
        if (special() == Special.NONE && !isCopied() && format() > 4) {
            throw new UnsupportedException("blosc2: compressor " + format()
                    + " is not supported; known are blosclz, lz4, lz4hc, zlib and zstd");
        }
    }

    private static CorruptDataException corrupt(String expected, String found) {
        return new CorruptDataException("blosc2 chunk: expected " + expected + ", found " + found);
    }

    Special special() {
        int number = flags2 >> 4 & 7;
        if (number >= Special.values().length) {
            throw new UnsupportedException("blosc2: special value " + number + " is not supported");
        }
        return Special.values()[number];
    }

    /** Returns whether the elements are stored as they are. */
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

    /** Returns the number of the compressor. */
    int format() {
        return flags >> 5;
    }

    /** Returns the number of streams of a block of {@code bytes} bytes. */
    int streams(int bytes) {
        return (flags & NOT_SPLIT) != 0 || bytes != blocksize ? 1 : typesize;
    }

    /** Returns the number of blocks. */
    int blocks() {
        return nbytes == 0 ? 0 : (nbytes - 1) / blocksize + 1;
    }

    /** Returns the decoded size of a block. */
    int sizeOf(int block) {
        return Math.min(blocksize, nbytes - block * blocksize);
    }

    @Override
    public String toString() {
        return "typesize " + typesize + ", nbytes " + nbytes + ", blocksize " + blocksize + ", cbytes " + cbytes
                + ", filters " + Arrays.toString(filters);
    }
}
