package dev.shardkit.codec.blosc;

import dev.shardkit.codec.lz4.Lz4Decoder;
import dev.shardkit.codec.lz4.Lz4Encoder;
import dev.shardkit.spi.plan.Scratch;

/** Compresses and expands lz4 streams in plain Java. Not thread-safe. */
final class Lz4Streams implements BlockStreams {
    private final Lz4Encoder encoder = new Lz4Encoder();

    @Override
    public int expand(byte[] in, int inOffset, int length, byte[] out, int outOffset, int size) {
        return Lz4Decoder.decode(in, inOffset, length, out, outOffset, size);
    }

    /** Uses the same acceleration as c-blosc. */
    @Override
    public int compress(
            int level, byte[] in, int inOffset, int length, byte[] out, int outOffset, int capacity, Scratch scratch) {
        return encoder.encode(in, inOffset, length, out, outOffset, capacity, Math.max(1, 10 - level));
    }
}
