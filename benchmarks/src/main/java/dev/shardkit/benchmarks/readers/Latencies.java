package dev.shardkit.benchmarks.readers;

import java.util.Arrays;

/** Collects the latencies of reads, first of one reader, then of all that read concurrently. Not thread-safe. */
public final class Latencies {
    private long[] nanos = new long[1024];
    private int count;

    /** Creates an empty collection. */
    public Latencies() {}

    /** Adds a read that has just ended and began at {@code begun}, by {@link System#nanoTime}. */
    public void add(long begun) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = System.nanoTime() - begun;
    }

    /** Adds the latencies of another reader. */
    public void addAll(Latencies other) {
        int sum = count + other.count;
        nanos = Arrays.copyOf(nanos, Math.max(sum, 1));
        System.arraycopy(other.nanos, 0, nanos, count, other.count);
        count = sum;
    }

    /** Returns a table row: the name, reads per second, the median and the 99th percentile in microseconds. */
    String row(String name, double seconds) {
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        if (count == 0) {
            return "| " + name + " | 0 | | |";
        }
        return String.format(
                "| %s | %,.0f | %,.0f | %,.0f |",
                name, count / seconds, sorted[count / 2] / 1e3, sorted[(int) (count * 99L / 100)] / 1e3);
    }
}
