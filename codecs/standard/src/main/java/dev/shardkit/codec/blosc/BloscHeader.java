package dev.shardkit.codec.blosc;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The 16-byte header of a c-blosc 1 frame. Its fields have been checked against each other and against the length of
 * the frame.
 *
 * @param format the compressed format of the streams
 * @param shuffle the filter, which is skipped for blocks of some sizes ({@link Shuffle#forBlock})
 * @param memcpyed whether all the data is stored uncompressed and unfiltered; the name is that of c-blosc
 * @param split whether full blocks are divided into one stream for each byte of an element
 * @param typesize the size of an element in bytes, 1 to 255
 * @param nbytes the decoded size in bytes; untrusted until the frame is decoded
 * @param blocksize the decoded size in bytes of each block except the last
 * @param cbytes the size of the frame in bytes
 */
record BloscHeader(
        CompressedFormat format,
        Shuffle shuffle,
        boolean memcpyed,
        boolean split,
        int typesize,
        int nbytes,
        int blocksize,
        int cbytes) {

    /** The size of the header in bytes. */
    static final int SIZE = 16;
    /** The container version that c-blosc 1 writes. */
    static final int VERSION = 2;
    /** The maximum size of an element. Larger elements are treated as single bytes. */
    static final int MAX_TYPESIZE = 255;
    /** The largest decoded size in bytes: the header counts the size of the frame in 31 bits. */
    static final int MAX_BYTES = Integer.MAX_VALUE - SIZE;
    /** The largest block that c-blosc reads. */
    static final int MAX_BLOCKSIZE = (Integer.MAX_VALUE - MAX_TYPESIZE * 4) / 3;

    // The flags in the third byte of the header. Its upper three bits are the compressed format.

    private static final int FLAG_SHUFFLE = 0x01;

    private static final int FLAG_MEMCPYED = 0x02;
    private static final int FLAG_BITSHUFFLE = 0x04;
    private static final int FLAG_RESERVED = 0x08;
    private static final int FLAG_NOT_SPLIT = 0x10;
    private static final int FORMAT_SHIFT = 5;

    /** The largest element whose blocks c-blosc splits, in bytes. */
    private static final int MAX_SPLITS = 16;
    /** The smallest stream of a split block in c-blosc, in bytes. */
    private static final int MIN_STREAM = 128;
    /** The last container version of blosc 2 that is recognized, to say that blosc 2 is not supported here. */
    private static final int MAX_BLOSC2_VERSION = 5;
    /** The magic number of a contiguous frame of blosc 2, which a file may contain in place of a frame of blosc 1. */
    private static final byte[] CONTIGUOUS_FRAME = {'b', '2', 'f', 'r', 'a', 'm', 'e'};
    /** The offset of the magic number. Two bytes precede it: in MessagePack, the marks of an array and of a string. */
    private static final int CONTIGUOUS_FRAME_OFFSET = 2;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    /** Reads a little-endian integer. */
    static int int32(byte[] in, int offset) {
        return (int) INT.get(in, offset);
    }

    /** Writes a little-endian integer. */
    static void int32(byte[] out, int offset, int value) {
        INT.set(out, offset, value);
    }

    /** Reads and checks the header at {@code offset} of a frame of {@code length} bytes. */
    static BloscHeader parse(byte[] in, int offset, int length) {
        if (length < SIZE) {
            throw corrupt("a header of 16 bytes", length + " bytes");
        }
        int flags = in[offset + 2] & 0xFF;
        checkVersions(in, offset, flags);
        int typesize = in[offset + 3] & 0xFF;
        int nbytes = int32(in, offset + 4);
        int blocksize = int32(in, offset + 8);
        int cbytes = int32(in, offset + 12);
        if (cbytes != length) {
            throw corrupt("a frame of " + length + " bytes", "a header that says " + cbytes);
        }
        if (nbytes < 0 || nbytes > MAX_BYTES || typesize == 0) {
            throw corrupt("sizes of blosc 1", "decoded size " + nbytes + ", typesize " + typesize);
        }
        if (nbytes > 0 && (blocksize <= 0 || blocksize > nbytes)) {
            throw corrupt("a block size of 1 to " + nbytes, Integer.toString(blocksize));
        }
        boolean memcpyed = (flags & FLAG_MEMCPYED) != 0;
        if (memcpyed && cbytes - SIZE != nbytes) {
            throw corrupt(nbytes + " stored bytes", cbytes - SIZE + " bytes");
        }
        BloscHeader header = new BloscHeader(
                format(flags),
                shuffle(flags),
                memcpyed,
                (flags & FLAG_NOT_SPLIT) == 0,
                typesize,
                nbytes,
                blocksize,
                cbytes);
        if (!memcpyed && header.blocks() > (cbytes - SIZE) / 4) {
            throw corrupt("room for the starts of " + header.blocks() + " blocks", cbytes + " bytes in all");
        }
        return header;
    }

    /** Rejects frames of blosc 2 and of unknown versions. */
    private static void checkVersions(byte[] in, int offset, int flags) {
        int version = in[offset] & 0xFF;
        // Chunks of blosc 2 have a later version. They set both shuffle flags, which marks their longer header.
        int bothShuffles = FLAG_SHUFFLE | FLAG_BITSHUFFLE;
        boolean isBlosc2Chunk =
                version > VERSION && version <= MAX_BLOSC2_VERSION && (flags & bothShuffles) == bothShuffles;
        int magic = offset + CONTIGUOUS_FRAME_OFFSET;
        boolean isBlosc2Frame =
                Arrays.equals(in, magic, magic + CONTIGUOUS_FRAME.length, CONTIGUOUS_FRAME, 0, CONTIGUOUS_FRAME.length);
        if (isBlosc2Chunk || isBlosc2Frame) {
            throw new UnsupportedException("blosc: this is a frame of blosc 2; frames of blosc 1 are read");
        }
        if (version != VERSION) {
            throw corrupt("container version " + VERSION, Integer.toString(version));
        }
        if (in[offset + 1] != 1 && (flags & FLAG_MEMCPYED) == 0) {
            throw corrupt("stream format version 1", Integer.toString(in[offset + 1] & 0xFF));
        }
    }

    private static CompressedFormat format(int flags) {
        int code = flags >>> FORMAT_SHIFT;
        CompressedFormat[] formats = CompressedFormat.values();
        if (code >= formats.length) {
            throw corrupt("a stream format of 0 to 4", Integer.toString(code));
        }
        return formats[code];
    }

    private static Shuffle shuffle(int flags) {
        if ((flags & FLAG_RESERVED) != 0 || (flags & FLAG_SHUFFLE) != 0 && (flags & FLAG_BITSHUFFLE) != 0) {
            throw corrupt("flags of blosc 1", "0x" + Integer.toHexString(flags));
        }
        if ((flags & FLAG_SHUFFLE) != 0) {
            return Shuffle.SHUFFLE;
        }
        return (flags & FLAG_BITSHUFFLE) != 0 ? Shuffle.BITSHUFFLE : Shuffle.NOSHUFFLE;
    }

    /** Returns this header for a frame of {@code bytes} bytes. */
    BloscHeader withLength(int bytes) {
        return new BloscHeader(format, shuffle, memcpyed, split, typesize, nbytes, blocksize, bytes);
    }

    /** Writes the header to the start of {@code frame}. */
    void write(byte[] frame) {
        int flags = format.ordinal() << FORMAT_SHIFT;
        flags |= shuffle == Shuffle.SHUFFLE ? FLAG_SHUFFLE : 0;
        flags |= shuffle == Shuffle.BITSHUFFLE ? FLAG_BITSHUFFLE : 0;
        flags |= memcpyed ? FLAG_MEMCPYED : 0;
        flags |= split ? 0 : FLAG_NOT_SPLIT;
        frame[0] = VERSION;
        frame[1] = 1; // stream format version
        frame[2] = (byte) flags;
        frame[3] = (byte) typesize;
        int32(frame, 4, nbytes);
        int32(frame, 8, blocksize);
        int32(frame, 12, cbytes);
    }

    /** Returns the number of blocks. */
    int blocks() {
        return nbytes == 0 ? 0 : (nbytes - 1) / blocksize + 1;
    }

    /** Returns the decoded size of a block. */
    int sizeOf(int block) {
        return Math.min(blocksize, nbytes - block * blocksize);
    }

    /** Returns the number of streams in a block of this decoded size; a shorter last block always has one. */
    int streams(int size) {
        boolean isSplit = split && size == blocksize && splittable(typesize, blocksize);
        return isSplit ? typesize : 1;
    }

    /** Returns whether a full block may be divided into streams. */
    static boolean splittable(int typesize, int blocksize) {
        return typesize <= MAX_SPLITS && blocksize / typesize >= MIN_STREAM;
    }

    static CorruptDataException corrupt(String expected, String actual) {
        return new CorruptDataException("blosc: expected " + expected + ", found " + actual);
    }
}
