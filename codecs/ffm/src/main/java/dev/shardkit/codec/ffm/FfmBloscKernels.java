package dev.shardkit.codec.ffm;

import dev.shardkit.codec.blosc.BloscCompressor;
import dev.shardkit.codec.blosc.BloscKernels;
import io.airlift.compress.v3.Compressor;
import io.airlift.compress.v3.lz4.Lz4NativeCompressor;
import io.airlift.compress.v3.lz4.Lz4NativeDecompressor;
import io.airlift.compress.v3.snappy.SnappyNativeCompressor;
import io.airlift.compress.v3.snappy.SnappyNativeDecompressor;
import io.airlift.compress.v3.zstd.ZstdNativeCompressor;
import io.airlift.compress.v3.zstd.ZstdNativeDecompressor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.Adler32;

/**
 * Decodes and encodes the streams in blosc frames by native libraries: lz4, snappy, zstd and zlib (by libdeflate). Not
 * thread-safe.
 */
final class FfmBloscKernels implements BloscKernels {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    /** The size of a zlib stream's header (RFC 1950). */
    private static final int ZLIB_HEADER = 2;
    /** The size of the Adler-32 checksum at the end of a zlib stream. */
    private static final int ADLER = 4;
    /**
     * The highest level of zstd. Like c-blosc, this class uses zstd's level {@code 2 * level - 1} for the levels 1 to 8
     * of Blosc, and the highest level for 9.
     */
    private static final int HIGHEST_ZSTD = 22;

    private final Lz4NativeDecompressor lz4 = new Lz4NativeDecompressor();
    private final SnappyNativeDecompressor snappy = new SnappyNativeDecompressor();
    private final ZstdNativeDecompressor zstd = new ZstdNativeDecompressor();
    private final Deflate deflate = new Deflate();
    private final Map<Key, Compressor> compressors = new HashMap<>();
    /** Holds a compressed stream until its size is known to fit. */
    private byte[] buffer = new byte[0];

    /** The key of a compressor that is kept for the next streams. */
    private record Key(BloscCompressor cname, int level) {}

    @Override
    public boolean expand(
            BloscCompressor format, byte[] in, int inOffset, int length, byte[] out, int outOffset, int size) {
        try {
            return switch (format) {
                case LZ4, LZ4HC -> lz4.decompress(in, inOffset, length, out, outOffset, size) == size;
                case SNAPPY ->
                    snappy.getUncompressedLength(in, inOffset) == size
                            && snappy.decompress(in, inOffset, length, out, outOffset, size) == size;
                case ZSTD -> zstd.decompress(in, inOffset, length, out, outOffset, size) == size;
                case ZLIB -> expandZlib(in, inOffset, length, out, outOffset, size);
                case BLOSCLZ -> false;
            };
        } catch (RuntimeException e) { // the pure-Java decoder then reports the error
            return false;
        }
    }

    /** Expands a zlib stream by libdeflate, which knows only the DEFLATE stream inside it. */
    private boolean expandZlib(byte[] in, int inOffset, int length, byte[] out, int outOffset, int size) {
        int body = length - ZLIB_HEADER - ADLER;
        // method 8 (DEFLATE), no preset dictionary, and a header divisible by 31
        boolean plain = body > 0
                && (in[inOffset] & 0x0F) == 8
                && (in[inOffset + 1] & 0x20) == 0
                && ((in[inOffset] & 0xFF) << 8 | in[inOffset + 1] & 0xFF) % 31 == 0;
        return plain
                && deflate.expand(in, inOffset + ZLIB_HEADER, body, out, outOffset, size)
                && adler(out, outOffset, size) == (int) INT.get(in, inOffset + length - ADLER);
    }

    @Override
    public int compress(
            BloscCompressor cname,
            int level,
            byte[] in,
            int inOffset,
            int length,
            byte[] out,
            int outOffset,
            int maximum) {
        if (cname == BloscCompressor.BLOSCLZ) {
            return DECLINED;
        }
        int size = cname == BloscCompressor.ZLIB
                ? compressZlib(level, in, inOffset, length)
                : compressOther(cname, level, in, inOffset, length);
        if (size > maximum) {
            return NO_ROOM;
        }
        System.arraycopy(buffer, 0, out, outOffset, size);
        return size;
    }

    /** Compresses into {@link #buffer} by another library than libdeflate, and returns the size. */
    private int compressOther(BloscCompressor cname, int level, byte[] in, int inOffset, int length) {
        Compressor compressor = compressors.computeIfAbsent(new Key(cname, level), FfmBloscKernels::compressor);
        int maximum = compressor.maxCompressedLength(length);
        ensureCapacity(maximum);
        return compressor.compress(in, inOffset, length, buffer, 0, maximum);
    }

    /** Compresses into {@link #buffer} and returns the size of the zlib stream. */
    private int compressZlib(int level, byte[] in, int inOffset, int length) {
        int maximum = deflate.maxEncodedSize(level, length);
        ensureCapacity(ZLIB_HEADER + maximum + ADLER);
        buffer[0] = 0x78; // DEFLATE with a window of 32 KiB
        buffer[1] = (byte) (level < 6 ? 0x5E : level == 6 ? 0x9C : 0xDA); // the level, and check bits
        int end = ZLIB_HEADER + deflate.compress(level, in, inOffset, length, buffer, ZLIB_HEADER, maximum);
        INT.set(buffer, end, adler(in, inOffset, length));
        return end + ADLER;
    }

    private void ensureCapacity(int size) {
        if (buffer.length < size) {
            buffer = new byte[size];
        }
    }

    private static Compressor compressor(Key key) {
        return switch (key.cname()) {
            case LZ4 -> new Lz4NativeCompressor(Math.max(1, 10 - key.level())); // the acceleration that c-blosc uses
            case LZ4HC -> new Lz4NativeCompressor(1);
            case SNAPPY -> new SnappyNativeCompressor();
            case ZSTD -> new ZstdNativeCompressor(key.level() < 9 ? Math.max(1, 2 * key.level() - 1) : HIGHEST_ZSTD);
            case ZLIB, BLOSCLZ -> throw new IllegalArgumentException(key.cname() + " is not compressed here");
        };
    }

    private static int adler(byte[] in, int offset, int length) {
        Adler32 adler = new Adler32();
        adler.update(in, offset, length);
        return (int) adler.getValue();
    }

    @Override
    public void close() {
        deflate.close();
    }
}
