package dev.shardkit.codec.blosc;

import dev.shardkit.codec.snappy.SnappyDecoder;
import dev.shardkit.codec.snappy.SnappyEncoder;
import dev.shardkit.spi.plan.Scratch;

/** Compresses and expands snappy streams in plain Java; snappy has no levels. Not thread-safe. */
final class SnappyStreams implements BlockStreams {
    private final SnappyEncoder encoder = new SnappyEncoder();

    @Override
    public int expand(byte[] in, int inOffset, int length, byte[] out, int outOffset, int size) {
        return SnappyDecoder.decode(in, inOffset, length, out, outOffset, size);
    }

    @Override
    public int compress(
            int level, byte[] in, int inOffset, int length, byte[] out, int outOffset, int capacity, Scratch scratch) {
        return encoder.encode(in, inOffset, length, out, outOffset, capacity);
    }
}
