package dev.shardkit.codec.blosc;

import dev.shardkit.codec.snappy.SnappyDecoder;
import dev.shardkit.codec.snappy.SnappyEncoder;
import dev.shardkit.spi.plan.Scratch;

/** Compresses and expands streams of snappy in plain Java. Not thread-safe. */
final class SnappyStreams implements BlockStreams {
    private final SnappyEncoder encoder = new SnappyEncoder();

    @Override
    public int expand(byte[] in, int inAt, int length, byte[] out, int outAt, int size) {
        return SnappyDecoder.decode(in, inAt, length, out, outAt, size);
    }

    @Override
    public int compress(int level, byte[] in, int inAt, int length, byte[] out, int outAt, int room, Scratch scratch) {
        return encoder.encode(in, inAt, length, out, outAt, room);
    }
}
