package dev.shardkit.maintenance;

import dev.shardkit.ZarrArray;
import java.math.BigInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the decoded bytes of a copy for its listener. Thread-safe. */
final class CopyProgress {
    private static final int VARIABLE_ELEMENT_BYTES = 16;

    private final Progress listener;
    private final long total;
    private final AtomicLong done = new AtomicLong();
    private volatile long end;
    private volatile long size;

    CopyProgress(Progress listener, long total) {
        this.listener = listener;
        this.total = total;
    }

    /** Returns the decoded size of an array in bytes. */
    static long bytes(ZarrArray array) {
        BigInteger bytes = BigInteger.valueOf(elementBytes(array));
        for (long length : array.shape()) {
            bytes = bytes.multiply(BigInteger.valueOf(length));
        }
        return bytes.min(BigInteger.valueOf(Long.MAX_VALUE / 2)).longValue();
    }

    private static int elementBytes(ZarrArray array) {
        return array.dataType().elementSize().orElse(VARIABLE_ELEMENT_BYTES);
    }

    /** Notes that the next array begins. */
    void begin(ZarrArray array) {
        size = bytes(array);
        end = done.get() + size;
    }

    /** Notes that the array is complete, whatever was counted. */
    void end() {
        done.set(end);
        tell(end);
    }

    /** Returns the listener for an array whose objects are copied as they are. */
    Progress ofObjects() {
        return (path, objects, all) -> {
            listener.at(path, objects, all);
            tell(end - size + (long) (size * ((double) objects / Math.max(1, all))));
        };
    }

    /** Counts decoded elements of the array. */
    void add(ZarrArray array, long elements) {
        tell(Math.min(end, done.addAndGet(elements * elementBytes(array))));
    }

    private void tell(long bytes) {
        listener.bytes(Math.min(bytes, total), total);
    }
}
