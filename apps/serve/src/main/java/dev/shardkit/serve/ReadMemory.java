package dev.shardkit.serve;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.CodecChain;
import dev.shardkit.spi.codec.ShardingLayout;
import java.util.Optional;

/** Estimates how many bytes of memory a read will need, so that {@link BoundedWork} can keep to its budget. */
final class ReadMemory {
    /** The assumed size of elements such as strings, which have no fixed size. */
    static final int VARIABLE_SIZE = 256;
    /** The number of copies in memory: the elements, their encoded form, and the bytes that are sent. */
    private static final long COPIES = 3;

    private ReadMemory() {}

    /**
     * Returns the maximum memory in bytes that a read of {@code box} needs: the result, and the encoded and decoded
     * chunks that are decoded at the same time. Chunks without compression are read in parts.
     */
    static long estimate(ZarrArray array, Box box) {
        long[] unitShape = decodedUnit(array);
        long unitBytes = elementSize(array);
        long resultBytes = unitBytes;
        long touchedUnits = 1;
        for (int d = 0; d < unitShape.length; d++) {
            long first = box.origin()[d];
            long length = Math.max(1, box.shape()[d]);
            long unitLength = Math.max(1, unitShape[d]); // a chunk at the edge is stored and decoded as a whole
            unitBytes = saturatedMultiply(unitBytes, unitLength);
            resultBytes = saturatedMultiply(resultBytes, length);
            touchedUnits = saturatedMultiply(touchedUnits, (first + length - 1) / unitLength - first / unitLength + 1);
        }
        long parallelUnits = Math.min(touchedUnits, Runtime.getRuntime().availableProcessors());
        // Each unit that is decoded needs memory twice: encoded and decoded.
        long decoding = isUncompressed(array) ? 0 : saturatedMultiply(saturatedMultiply(unitBytes, parallelUnits), 2);
        return saturatedAdd(saturatedMultiply(resultBytes, COPIES), decoding);
    }

    /**
     * Returns the shape of the boxes that are decoded as a whole: inner chunks, or shards if a codec compresses the
     * whole shard.
     */
    private static long[] decodedUnit(ZarrArray array) {
        CodecChain codecs = array.metadata().codecs();
        boolean isEnclosed = array.isSharded() && !codecs.bytesToBytes().isEmpty();
        return isEnclosed ? array.storedChunkShape() : array.chunkShape();
    }

    /** Whether {@code bytes} is the only codec of chunks and, in shards, of inner chunks at all levels. */
    private static boolean isUncompressed(ZarrArray array) {
        CodecChain codecs = array.metadata().codecs();
        boolean isUncompressed = true;
        for (Optional<ShardingLayout> shards = codecs.arrayToBytes().sharding();
                shards.isPresent();
                shards = codecs.arrayToBytes().sharding()) {
            isUncompressed &= codecs.codecs().size() == 1;
            codecs = shards.get().codecs();
        }
        return isUncompressed
                && codecs.codecs().size() == 1
                && codecs.arrayToBytes().name().equals("bytes");
    }

    static long elementSize(ZarrArray array) {
        return array.dataType().elementSize().orElse(VARIABLE_SIZE);
    }

    /** Returns the product of two non-negative numbers, or {@code Long.MAX_VALUE} if it overflows. */
    private static long saturatedMultiply(long left, long right) {
        return Math.multiplyHigh(left, right) == 0 && left * right >= 0 ? left * right : Long.MAX_VALUE;
    }

    private static long saturatedAdd(long left, long right) {
        return left + right >= 0 ? left + right : Long.MAX_VALUE;
    }
}
