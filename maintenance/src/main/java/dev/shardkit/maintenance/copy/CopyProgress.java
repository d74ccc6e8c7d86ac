package dev.shardkit.maintenance.copy;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.Progress;
import java.math.BigInteger;

/**
 * Counts the decoded bytes that a copy has copied, over all arrays, and reports them to a listener. Calls the listener
 * from one thread at a time. Thread-safe.
 */
final class CopyProgress {
    /** The assumed size of an element of variable size. */
    private static final int VARIABLE_ELEMENT_BYTES = 16;

    private final Progress listener;
    private final long total;
    /** Guarded by this object. */
    private long done;

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

    /** Returns a listener for the objects of arrays that several threads may call. */
    Progress listener() {
        return (path, objects, all) -> {
            synchronized (this) {
                listener.at(path, objects, all);
            }
        };
    }

    /** Starts counting an array. */
    ArrayProgress of(ZarrArray array) {
        return new ArrayProgress(bytes(array), elementBytes(array));
    }

    /** Counts the copied bytes of one array. */
    final class ArrayProgress {
        private final long size;
        private final int elementBytes;
        /** Guarded by the enclosing {@link CopyProgress}, like all fields of this object. */
        private long elements;

        private long reported;

        private ArrayProgress(long size, int elementBytes) {
            this.size = size;
            this.elementBytes = elementBytes;
        }

        /** Returns the listener of an array whose objects are copied unchanged. */
        Progress objectListener() {
            return (path, objects, all) -> {
                synchronized (CopyProgress.this) {
                    listener.at(path, objects, all);
                    report((long) (size * ((double) objects / Math.max(1, all))));
                }
            };
        }

        /** Counts decoded elements. */
        void add(long count) {
            synchronized (CopyProgress.this) {
                elements += count;
                report(elements * elementBytes);
            }
        }

        /** Reports the array as complete, regardless of the bytes counted so far. */
        void complete() {
            synchronized (CopyProgress.this) {
                report(size);
            }
        }

        /**
         * Reports that {@code bytes} of the array are copied. The reported number never decreases or exceeds the size.
         */
        private void report(long bytes) {
            long copied = Math.max(reported, Math.min(size, bytes));
            done += copied - reported;
            reported = copied;
            listener.bytes(Math.min(done, total), total);
        }
    }
}
