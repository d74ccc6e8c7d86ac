package dev.shardkit.codec.blosc;

import dev.shardkit.spi.plan.Scratch;
import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.snappy.SnappyCompressor;
import io.airlift.compress.snappy.SnappyDecompressor;

/**
 * Expands and compresses streams of one block format, by the implementation that was measured to be the fastest on the
 * running JDK (docs/performance.md, "Block formats"). aircompressor's are faster, but work on {@code sun.misc.Unsafe},
 * which JDK 23 and later can deny and JDK 24 and later warn of. Not for use by two threads at a time.
 */
sealed interface BlockStreams permits AirliftStreams, Lz4Streams, SnappyStreams {
    /** The first JDK that can be told to deny {@code sun.misc.Unsafe}. */
    int FIRST_TO_DENY_UNSAFE = 23;

    /** Makes streams of lz4. */
    static BlockStreams lz4() {
        return Runtime.version().feature() < FIRST_TO_DENY_UNSAFE
                ? new AirliftStreams(new Lz4Compressor(), Lz4Decompressor::new)
                : new Lz4Streams();
    }

    /** Makes streams of snappy. */
    static BlockStreams snappy() {
        return Runtime.version().feature() < FIRST_TO_DENY_UNSAFE
                ? new AirliftStreams(new SnappyCompressor(), SnappyDecompressor::new)
                : new SnappyStreams();
    }

    /** Expands one stream into at most {@code size} bytes and returns their number. */
    int expand(byte[] in, int inAt, int length, byte[] out, int outAt, int size);

    /** Compresses into at most {@code room} bytes and returns the size, or {@link Streams#NO_ROOM}. */
    int compress(int level, byte[] in, int inAt, int length, byte[] out, int outAt, int room, Scratch scratch);
}
