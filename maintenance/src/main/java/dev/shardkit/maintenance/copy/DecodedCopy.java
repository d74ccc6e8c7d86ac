package dev.shardkit.maintenance.copy;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.chunks.BoxWrites;
import dev.shardkit.maintenance.chunks.StoredBoxes;
import dev.shardkit.maintenance.chunks.UnchangedArrayReads;
import dev.shardkit.maintenance.destination.LazyFeed;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.UnsupportedException;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Copies the elements of an array to one with other chunks or codecs. Inner chunks of the same shape and encoding are
 * copied as they are; all others are decoded and encoded. Stateless.
 */
final class DecodedCopy {
    private static final double MIB = 1 << 20;
    /** The assumed size of an element of variable size. */
    private static final int VARIABLE_ELEMENT_BYTES = 16;

    private DecodedCopy() {}

    /**
     * Copies the elements. If the heap is too small for the shards of all threads, copies again with one thread.
     *
     * @param elementCounter receives the number of elements of each piece that was copied, on any thread
     */
    static void run(ZarrArray from, ZarrArray to, LongConsumer elementCounter) {
        try {
            write(from, to, elementCounter);
        } catch (OutOfMemoryError e) {
            writeWithOneThread(from, to, elementCounter);
        }
    }

    private static void write(ZarrArray from, ZarrArray to, LongConsumer elementCounter) {
        UnchangedArrayReads reads = UnchangedArrayReads.ofWhole(from);
        Optional<StoredBoxes> stored = StoredBoxes.madeOf(reads, to, box -> box);
        if (stored.isEmpty()) {
            to.write(to.domain(), newFeed(reads, to, to.domain(), elementCounter));
            return;
        }
        try (BoxWrites writes = new BoxWrites(to)) {
            // The target is new, so shards that the source does not store stay absent.
            stored.get()
                    .visit(
                            Long.MAX_VALUE,
                            box -> writes.write(box, newFeed(reads, to, box, elementCounter)),
                            absent -> {});
            writes.finish();
        }
    }

    private static LazyFeed newFeed(UnchangedArrayReads from, ZarrArray to, Box box, LongConsumer elementCounter) {
        return LazyFeed.of(from, box).forCopy(from, to, box.origin(), elementCounter);
    }

    private static void writeWithOneThread(ZarrArray from, ZarrArray to, LongConsumer elementCounter) {
        try {
            write(from, to.with(options -> options.withParallelism(1)), elementCounter);
        } catch (OutOfMemoryError e) {
            throw new UnsupportedException(memoryMessage(to), e);
        }
    }

    private static String memoryMessage(ZarrArray to) {
        return "not enough memory: the heap is limited to "
                + mib(Runtime.getRuntime().maxMemory())
                + "; writing shards of shape " + Arrays.toString(to.storedChunkShape()) + " takes up to "
                + mib(shardBytes(to))
                + ", because each shard is encoded in memory, and as much again to read its chunks; raise the limit, "
                + "for example with JAVA_TOOL_OPTIONS=-Xmx4g, or choose smaller shards";
    }

    /** Returns the size of a decoded shard in bytes. */
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
