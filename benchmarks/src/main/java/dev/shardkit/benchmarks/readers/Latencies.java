package dev.shardkit.benchmarks.readers;

import java.util.Arrays;

/** What the readers of one level have seen: how many reads a second, and how long single ones took. */
public final class Latencies {
    private long[] nanos = new long[1024];
    private int count;

    /** For one reader. */
    public Latencies() {}

    /** Adds a read that began at {@code begun}, by {@link System#nanoTime}. */
    public void add(long begun) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = System.nanoTime() - begun;
    }

    /** Adds those of another reader. */
    public void addAll(Latencies other) {
        int sum = count + other.count;
        nanos = Arrays.copyOf(nanos, Math.max(sum, 1));
        System.arraycopy(other.nanos, 0, nanos, count, other.count);
        count = sum;
    }

    /** A row: reads a second, the median and the 99th percentile in microseconds. */
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
