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

/** Native lz4, snappy, zstd and zlib (by libdeflate) for streams in blosc frames. Not thread-safe. */
final class FfmBloscKernels implements BloscKernels {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final int ZLIB_HEADER = 2;
    private static final int ADLER = 4;
    /** c-blosc maps its levels 1 to 8 to every second level of zstd, and 9 to the highest one. */
    private static final int HIGHEST_ZSTD = 22;

    private final Lz4NativeDecompressor lz4 = new Lz4NativeDecompressor();
    private final SnappyNativeDecompressor snappy = new SnappyNativeDecompressor();
    private final ZstdNativeDecompressor zstd = new ZstdNativeDecompressor();
    private final Deflate deflate = new Deflate();
    private final Map<Key, Compressor> compressors = new HashMap<>();
    private byte[] buffer = new byte[0];

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
                case ZLIB -> zlib(in, inOffset, length, out, outOffset, size);
                case BLOSCLZ -> false;
            };
        } catch (RuntimeException e) { // the codec's own kernel reports the error
            return false;
        }
    }

    private boolean zlib(byte[] in, int inOffset, int length, byte[] out, int outOffset, int size) {
        int body = length - ZLIB_HEADER - ADLER;
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
                ? zlib(level, in, inOffset, length)
                : compressOther(cname, level, in, inOffset, length);
        if (size > maximum) {
            return NO_ROOM;
        }
        System.arraycopy(buffer, 0, out, outOffset, size);
        return size;
    }

    private int compressOther(BloscCompressor cname, int level, byte[] in, int inOffset, int length) {
        Compressor compressor = compressors.computeIfAbsent(new Key(cname, level), FfmBloscKernels::compressor);
        int maximum = compressor.maxCompressedLength(length);
        ensureCapacity(maximum);
        return compressor.compress(in, inOffset, length, buffer, 0, maximum);
    }

    private int zlib(int level, byte[] in, int inOffset, int length) {
        int maximum = deflate.maxEncodedSize(level, length);
        ensureCapacity(ZLIB_HEADER + maximum + ADLER);
        buffer[0] = 0x78;
        buffer[1] = (byte) (level < 6 ? 0x5E : level == 6 ? 0x9C : 0xDA);
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
            case LZ4 -> new Lz4NativeCompressor(Math.max(1, 10 - key.level())); // as in c-blosc
            case LZ4HC -> new Lz4NativeCompressor(1);
            case SNAPPY -> new SnappyNativeCompressor();
            case ZSTD -> new ZstdNativeCompressor(key.level() < 9 ? Math.max(1, 2 * key.level() - 1) : HIGHEST_ZSTD);
            case ZLIB, BLOSCLZ -> throw new IllegalArgumentException(key.cname() + " is not compressed here");
        };
    }

    private static int adler(byte[] in, int at, int length) {
        Adler32 adler = new Adler32();
        adler.update(in, at, length);
        return (int) adler.getValue();
    }

    @Override
    public void close() {
        deflate.close();
    }
}
