package dev.shardkit.serve;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.CodecChain;
import dev.shardkit.spi.codec.ShardingLayout;
import java.util.Optional;

/** Estimates the memory that a read takes. */
final class ReadMemory {
    /** The assumed size of elements such as strings, which have no fixed size. */
    static final int VARIABLE_SIZE = 256;
    /** The elements, their encoded form, and the copy that is sent. */
    private static final long COPIES = 3;

    private ReadMemory() {}

    /**
     * Returns the memory in bytes that a read of {@code box} takes, at most: the result, and the encoded and decoded
     * chunks that are decoded at once. Chunks without compression are read in parts.
     */
    static long of(ZarrArray array, Box box) {
        long[] shape = unit(array);
        long chunk = elementSize(array);
        long result = chunk;
        long chunks = 1;
        for (int d = 0; d < shape.length; d++) {
            long first = box.origin()[d];
            long length = Math.max(1, box.shape()[d]);
            long side = Math.max(1, Math.min(shape[d], array.shape()[d]));
            chunk = times(chunk, side);
            result = times(result, length);
            chunks = times(chunks, (first + length - 1) / side - first / side + 1);
        }
        chunks = Math.min(chunks, Runtime.getRuntime().availableProcessors()); // decoded at once
        long decoding = isPlain(array) ? 0 : times(times(chunk, chunks), 2);
        return plus(times(result, COPIES), decoding);
    }

    /** Returns the shape of the boxes that are decoded as a whole: a shard if a codec encloses it. */
    private static long[] unit(ZarrArray array) {
        CodecChain codecs = array.metadata().codecs();
        boolean isEnclosed = array.isSharded() && !codecs.bytesToBytes().isEmpty();
        return isEnclosed ? array.storedChunkShape() : array.chunkShape();
    }

    private static boolean isPlain(ZarrArray array) {
        CodecChain codecs = array.metadata().codecs();
        boolean isPlain = true;
        for (Optional<ShardingLayout> shards = codecs.arrayToBytes().sharding();
                shards.isPresent();
                shards = codecs.arrayToBytes().sharding()) {
            isPlain &= codecs.codecs().size() == 1;
            codecs = shards.get().codecs();
        }
        return isPlain
                && codecs.codecs().size() == 1
                && codecs.arrayToBytes().name().equals("bytes");
    }

    static long elementSize(ZarrArray array) {
        return array.dataType().elementSize().orElse(VARIABLE_SIZE);
    }

    private static long times(long a, long b) {
        return Math.multiplyHigh(a, b) == 0 && a * b >= 0 ? a * b : Long.MAX_VALUE;
    }

    private static long plus(long a, long b) {
        return a + b >= 0 ? a + b : Long.MAX_VALUE;
    }
}
