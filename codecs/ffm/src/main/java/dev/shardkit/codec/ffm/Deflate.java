package dev.shardkit.codec.ffm;

import dev.shardkit.spi.plan.Scratch;
import io.airlift.compress.v3.deflate.DeflateNativeCompressor;
import io.airlift.compress.v3.deflate.DeflateNativeDecompressor;
import java.util.HashMap;
import java.util.Map;

/**
 * The compressors and the decompressor of libdeflate that a worker keeps in its {@link Scratch} from chunk to chunk.
 * Not thread-safe.
 */
final class Deflate implements AutoCloseable {
    /** The key of this state in a {@link Scratch}. */
    private static final Object STATE = new Object();

    private final Map<Integer, DeflateNativeCompressor> compressors = new HashMap<>();
    private final DeflateNativeDecompressor decompressor = new DeflateNativeDecompressor();

    static Deflate of(Scratch scratch) {
        return scratch.state(STATE, Deflate::new);
    }

    private DeflateNativeCompressor compressor(int level) {
        return compressors.computeIfAbsent(level, DeflateNativeCompressor::new);
    }

    /** Returns the output size in bytes that {@link #compress} needs. */
    int maxEncodedSize(int level, int size) {
        return compressor(level).maxCompressedLength(size);
    }

    int compress(int level, byte[] in, int inOffset, int length, byte[] out, int outOffset, int capacity) {
        return compressor(level).compress(in, inOffset, length, out, outOffset, capacity);
    }

    /** Expands into exactly {@code size} bytes; returns whether that succeeded. */
    boolean expand(byte[] in, int inOffset, int length, byte[] out, int outOffset, int size) {
        try {
            return decompressor.decompress(in, inOffset, length, out, outOffset, size) == size;
        } catch (RuntimeException e) {
            return false;
        }
    }

    /**
     * Drops the compressors. Their native memory is freed when they are garbage-collected, because they have no method
     * to free it.
     */
    @Override
    public void close() {
        compressors.clear();
    }
}
