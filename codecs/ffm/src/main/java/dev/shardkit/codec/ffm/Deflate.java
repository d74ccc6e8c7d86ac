package dev.shardkit.codec.ffm;

import dev.shardkit.spi.plan.Scratch;
import io.airlift.compress.v3.deflate.DeflateNativeCompressor;
import io.airlift.compress.v3.deflate.DeflateNativeDecompressor;
import java.util.HashMap;
import java.util.Map;

/** libdeflate's compressors and decompressor of one worker, freed together with it. Not thread-safe. */
final class Deflate implements AutoCloseable {
    private static final Object STATE = new Object();

    private final Map<Integer, DeflateNativeCompressor> compressors = new HashMap<>();
    private final DeflateNativeDecompressor decompressor = new DeflateNativeDecompressor();

    static Deflate of(Scratch scratch) {
        return scratch.state(STATE, Deflate::new);
    }

    private DeflateNativeCompressor compressor(int level) {
        return compressors.computeIfAbsent(level, DeflateNativeCompressor::new);
    }

    /** Returns the room that {@link #compress} needs. */
    int most(int level, int size) {
        return compressor(level).maxCompressedLength(size);
    }

    int compress(int level, byte[] in, int inAt, int length, byte[] out, int outAt, int room) {
        return compressor(level).compress(in, inAt, length, out, outAt, room);
    }

    /** Expands into exactly {@code size} bytes; returns whether that succeeded. */
    boolean expand(byte[] in, int inAt, int length, byte[] out, int outAt, int size) {
        try {
            return decompressor.decompress(in, inAt, length, out, outAt, size) == size;
        } catch (RuntimeException e) {
            return false;
        }
    }

    /**
     * Does nothing: the native memory is freed when the objects are garbage-collected; they have no method to free it.
     */
    @Override
    public void close() {
        compressors.clear();
    }
}
