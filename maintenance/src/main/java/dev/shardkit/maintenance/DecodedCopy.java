package dev.shardkit.maintenance;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.error.UnsupportedException;
import java.util.Arrays;

/** Copies the elements of an array; chunks of another shape or encoding are decoded and encoded. Stateless. */
final class DecodedCopy {
    private static final double MIB = 1 << 20;
    private static final int VARIABLE_ELEMENT_BYTES = 16;

    private DecodedCopy() {}

    /** Copies the elements; with one thread, if the heap is too small for the shards of all threads. */
    static void run(ZarrArray from, ZarrArray to) {
        try {
            write(from, to);
        } catch (OutOfMemoryError e) {
            writeWithLess(from, to);
        }
    }

    private static void write(ZarrArray from, ZarrArray to) {
        long[] origin = new long[from.shape().length];
        to.write(to.domain(), LoadedFeed.of(from, from.domain()).copying(from, to, origin));
    }

    private static void writeWithLess(ZarrArray from, ZarrArray to) {
        try {
            write(from, to.with(options -> options.withParallelism(1)));
        } catch (OutOfMemoryError e) {
            throw new UnsupportedException(needs(to), e);
        }
    }

    private static String needs(ZarrArray to) {
        return "not enough memory: the heap is limited to "
                + mib(Runtime.getRuntime().maxMemory())
                + "; writing shards of shape " + Arrays.toString(to.storedChunkShape()) + " takes up to "
                + mib(shardBytes(to))
                + ", because each shard is encoded in memory, and as much again to read its chunks; raise the limit, "
                + "for example with JAVA_TOOL_OPTIONS=-Xmx4g, or choose smaller shards";
    }

    /** Returns the bytes of a decoded shard. */
    static long shardBytes(ZarrArray to) {
        long[] shape = to.storedChunkShape();
        double bytes = to.dataType().elementSize().orElse(VARIABLE_ELEMENT_BYTES);
        for (int d = 0; d < shape.length; d++) {
            bytes *= Math.min(shape[d], Math.max(1, to.shape()[d]));
        }
        return (long) bytes;
    }

    private static String mib(double bytes) {
        return (long) Math.ceil(bytes / MIB) + " MiB";
    }
}
