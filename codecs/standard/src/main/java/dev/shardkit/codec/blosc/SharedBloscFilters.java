package dev.shardkit.codec.blosc;

import dev.shardkit.codec.support.ByteShuffle;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Scratch;

/**
 * The shuffles and compressors that chunks of Blosc2 and filters of HDF5 share with frames of blosc 1; see also
 * {@link Blosc2Streams}. Stateless and thread-safe.
 */
public final class SharedBloscFilters {
    /** The key of the streams in a {@link Scratch}. */
    private static final Object KEY = new Object();
    /** The number of snappy, which Blosc2 does not support. */
    private static final int SNAPPY = 2;

    private SharedBloscFilters() {}

    /**
     * Expands a stream to exactly {@code size} bytes.
     *
     * @param format the number of the compressor in a chunk's header: 0 blosclz, 1 lz4, 3 zlib, 4 zstd
     * @throws CorruptDataException if the stream is invalid, or the format has another number
     */
    public static void expand(
            int format, byte[] in, int inOffset, int length, byte[] out, int outOffset, int size, Scratch scratch) {
        if (format < 0 || format >= CompressedFormat.values().length || format == SNAPPY) {
            throw new CorruptDataException(
                    "blosc2: expected the compressor blosclz, lz4, zlib or zstd, found number " + format);
        }
        streams(scratch).expand(CompressedFormat.values()[format], in, inOffset, length, out, outOffset, size, size);
    }

    static CompressedStreams streams(Scratch scratch) {
        return scratch.state(KEY, () -> new CompressedStreams(NoKernels.NONE));
    }

    /** Reverses the byte shuffle of elements of {@code typesize} bytes. */
    public static void unshuffle(int typesize, int size, byte[] in, byte[] out) {
        ByteShuffle.unshuffle(typesize, size, in, 0, out, 0);
    }

    /**
     * Reverses the bit shuffle of elements of {@code typesize} bytes. Only whole groups of 8 elements are shuffled; the
     * bytes after them are copied.
     *
     * @param planes memory of at least {@code size} bytes
     */
    public static void bitUnshuffle(
            int typesize, int size, byte[] in, int inOffset, byte[] planes, byte[] out, int outOffset) {
        int wholeBytes = size / typesize / 8 * 8 * typesize;
        BitShuffle.unshuffle(typesize, wholeBytes, in, inOffset, planes, out, outOffset);
        System.arraycopy(in, inOffset + wholeBytes, out, outOffset + wholeBytes, size - wholeBytes);
    }

    /** Shuffles the bits of elements, whose number must be a multiple of 8. See {@link #bitUnshuffle}. */
    public static void bitShuffle(int typesize, int size, byte[] in, int inOffset, byte[] planes, byte[] out) {
        BitShuffle.shuffle(typesize, size, in, inOffset, planes, out, 0);
    }
}
