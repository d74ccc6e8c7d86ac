package dev.shardkit.codec.blosc;

import dev.shardkit.codec.lz4.Lz4Decoder;
import dev.shardkit.codec.lz4.Lz4Encoder;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Scratch;
import io.airlift.compress.Compressor;
import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.lz4.Lz4Decompressor;

/** The two ways to handle lz4 streams. Not for use by two threads at a time. */
sealed interface Lz4Streams {
    /** Expands one stream into at most {@code size} bytes and gives their number. */
    int expand(byte[] in, int inAt, int length, byte[] out, int outAt, int size);

    /** Compresses into at most {@code room} bytes and gives the size, or {@link Streams#NO_ROOM}. */
    int compress(int level, byte[] in, int inAt, int length, byte[] out, int outAt, int room, Scratch scratch);

    /** Compresses by way of a buffer with the room that {@code compressor} wants. */
    static int byWayOf(
            Compressor compressor, byte[] in, int inAt, int length, byte[] out, int outAt, int room, Scratch scratch) {
        int mark = scratch.mark();
        byte[] stream = scratch.borrow(compressor.maxCompressedLength(length));
        int found = compressor.compress(in, inAt, length, stream, 0, stream.length);
        if (found <= room) {
            System.arraycopy(stream, 0, out, outAt, found);
        }
        scratch.reset(mark);
        return found <= room ? found : Streams.NO_ROOM;
    }

    /**
     * aircompressor's, where {@code sun.misc.Unsafe} may be used: faster on streams of many short matches (2.4 GB/s to
     * 1.9 for the upper bytes of noisy uint16), slower on long ones (10 to 14).
     */
    final class ByUnsafe implements Lz4Streams {
        private final Lz4Compressor compressor = new Lz4Compressor();
        private Lz4Decompressor decompressor = new Lz4Decompressor();

        @Override
        public int expand(byte[] in, int inAt, int length, byte[] out, int outAt, int size) {
            try {
                return decompressor.decompress(in, inAt, length, out, outAt, size);
            } catch (RuntimeException e) { // it throws index and state exceptions besides its own
                decompressor = new Lz4Decompressor();
                throw new CorruptDataException(String.valueOf(e.getMessage()), e);
            }
        }

        @Override
        public int compress(
                int level, byte[] in, int inAt, int length, byte[] out, int outAt, int room, Scratch scratch) {
            return byWayOf(compressor, in, inAt, length, out, outAt, room, scratch);
        }
    }

    /** Our own. */
    final class Plain implements Lz4Streams {
        private final Lz4Encoder encoder = new Lz4Encoder();

        @Override
        public int expand(byte[] in, int inAt, int length, byte[] out, int outAt, int size) {
            return Lz4Decoder.decode(in, inAt, length, out, outAt, size);
        }

        /** The acceleration is what c-blosc takes. */
        @Override
        public int compress(
                int level, byte[] in, int inAt, int length, byte[] out, int outAt, int room, Scratch scratch) {
            return encoder.encode(in, inAt, length, out, outAt, room, Math.max(1, 10 - level));
        }
    }
}
