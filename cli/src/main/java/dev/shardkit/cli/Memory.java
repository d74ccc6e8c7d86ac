package dev.shardkit.cli;

import dev.shardkit.ZarrArray;
import java.util.Arrays;
import java.util.Optional;

/** What is said where the heap is too small. Without state. */
final class Memory {
    /** How a message of ours begins that says what needs the memory. */
    static final String NEEDS = "writing shards of";

    private static final double MIB = 1 << 20;

    private Memory() {}

    /** The message, with what needs the memory where that is known. */
    static String full(Optional<String> needs) {
        return "not enough memory: the heap is " + mib(Runtime.getRuntime().maxMemory()) + " at most"
                + needs.map(n -> "; " + n).orElse("")
                + "; give more, for example JAVA_TOOL_OPTIONS=-Xmx4g, or choose smaller "
                + "shards, chunks or regions";
    }

    /** Does something that writes whole shards of {@code array}; where memory ends, the error says what they need. */
    static void writing(ZarrArray array, Runnable write) {
        try {
            write.run();
        } catch (OutOfMemoryError e) {
            throw withCause(new OutOfMemoryError(needs(array)), e);
        }
    }

    private static String needs(ZarrArray array) {
        long[] shape = array.storedChunkShape();
        double bytes = array.dataType().elementSize().orElse(16);
        for (int d = 0; d < shape.length; d++) {
            bytes *= Math.min(shape[d], Math.max(1, array.shape()[d]));
        }
        return NEEDS + " shape " + Arrays.toString(shape) + " takes up to " + mib(bytes) + " for each of "
                + array.options().parallelism()
                + " threads, since a shard is encoded in memory, and as much again where its "
                + "chunks are read";
    }

    private static OutOfMemoryError withCause(OutOfMemoryError error, OutOfMemoryError cause) {
        error.initCause(cause);
        return error;
    }

    private static String mib(double bytes) {
        return (long) Math.ceil(bytes / MIB) + " MiB";
    }
}
