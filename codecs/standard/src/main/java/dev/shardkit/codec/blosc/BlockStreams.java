package dev.shardkit.codec.blosc;

import dev.shardkit.spi.plan.Scratch;
import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.snappy.SnappyCompressor;
import io.airlift.compress.snappy.SnappyDecompressor;
import java.nio.ByteOrder;

/**
 * Expands and compresses the lz4 or snappy streams in the blocks of a frame, for {@link CompressedStreams}, which does
 * so for all compressors. Chooses the fastest measured implementation for the running JDK (benchmarks/RESULTS.md,
 * "Block formats"). aircompressor is faster than plain Java, but uses {@code sun.misc.Unsafe}, which JDK 23 and later
 * can deny and JDK 24 and later warn about. It also does not run on big-endian platforms. Not thread-safe.
 */
sealed interface BlockStreams permits AirliftStreams, Lz4Streams, SnappyStreams {
    /** The first JDK with an option to deny {@code sun.misc.Unsafe}. */
    int FIRST_TO_DENY_UNSAFE = 23;

    /** Creates streams of lz4. */
    static BlockStreams lz4() {
        return lz4(Runtime.version().feature(), ByteOrder.nativeOrder());
    }

    static BlockStreams lz4(int jdk, ByteOrder order) {
        return canUseAirlift(jdk, order)
                ? new AirliftStreams(new Lz4Compressor(), Lz4Decompressor::new)
                : new Lz4Streams();
    }

    /** Creates streams of snappy. */
    static BlockStreams snappy() {
        return snappy(Runtime.version().feature(), ByteOrder.nativeOrder());
    }

    static BlockStreams snappy(int jdk, ByteOrder order) {
        return canUseAirlift(jdk, order)
                ? new AirliftStreams(new SnappyCompressor(), SnappyDecompressor::new)
                : new SnappyStreams();
    }

    private static boolean canUseAirlift(int jdk, ByteOrder order) {
        return jdk < FIRST_TO_DENY_UNSAFE && order == ByteOrder.LITTLE_ENDIAN;
    }

    /**
     * Expands one stream into at most {@code size} bytes and returns their number.
     *
     * @throws dev.shardkit.spi.error.CorruptDataException if the stream is malformed, or longer than {@code size}
     */
    int expand(byte[] in, int inOffset, int length, byte[] out, int outOffset, int size);

    /** Compresses into at most {@code capacity} bytes and returns the size, or {@link CompressedStreams#NO_ROOM}. */
    int compress(
            int level, byte[] in, int inOffset, int length, byte[] out, int outOffset, int capacity, Scratch scratch);
}
