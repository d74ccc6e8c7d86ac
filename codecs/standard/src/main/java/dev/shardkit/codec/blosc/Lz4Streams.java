package dev.shardkit.codec.blosc;

import dev.shardkit.codec.lz4.Lz4Decoder;
import dev.shardkit.codec.lz4.Lz4Encoder;
import dev.shardkit.spi.plan.Scratch;

/** Compresses and expands streams of lz4 in plain Java. Not thread-safe. */
final class Lz4Streams implements BlockStreams {
    private final Lz4Encoder encoder = new Lz4Encoder();

    @Override
    public int expand(byte[] in, int inAt, int length, byte[] out, int outAt, int size) {
        return Lz4Decoder.decode(in, inAt, length, out, outAt, size);
    }

    /** Uses the same acceleration as c-blosc. */
    @Override
    public int compress(int level, byte[] in, int inAt, int length, byte[] out, int outAt, int room, Scratch scratch) {
        return encoder.encode(in, inAt, length, out, outAt, room, Math.max(1, 10 - level));
    }
}
