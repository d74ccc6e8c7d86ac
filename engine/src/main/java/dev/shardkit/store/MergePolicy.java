package dev.shardkit.store;

/**
 * How reads of neighbouring byte ranges become one request, and how many requests run at once. Immutable.
 *
 * @param gap ranges of one object that are at most this many bytes apart are merged
 * @param widestGap if there would be more requests than {@code parallel}, gaps up to this many bytes are read too, the
 *     narrowest first, until there are no more requests than that
 * @param largest the largest merged request, in bytes; a single range may be larger
 * @param parallel how many requests of one call run at once
 */
public record MergePolicy(long gap, long widestGap, long largest, int parallel) {
    /** The work of one request at both ends, in seconds. */
    private static final double WORK_SECONDS = 3e-4;
    // a constant, because in a container the JVM reads several files to find the number of processors
    private static final MergePolicy LOCAL =
            new MergePolicy(4 << 10, 1 << 20, Runtime.getRuntime().availableProcessors());

    /** Throws {@link IllegalArgumentException} if a number is below its least value, or widestGap below gap. */
    public MergePolicy {
        if (gap < 0 || widestGap < gap || largest < 1 || parallel < 1) {
            throw new IllegalArgumentException("gap >= 0, widestGap >= gap, largest >= 1, parallel >= 1; found " + gap
                    + ", " + widestGap + ", " + largest + ", " + parallel);
        }
    }

    /** Creates a policy with one width of gaps, regardless of the number of requests. */
    public MergePolicy(long gap, long largest, int parallel) {
        this(gap, gap, largest, parallel);
    }

    /** Returns the policy for files and memory: a request costs little, so gaps are small and work stays divisible. */
    public static MergePolicy local() {
        return LOCAL;
    }

    /** Returns the policy for networks that were not measured: a request costs as much as the bytes of its latency. */
    public static MergePolicy remote() {
        return new MergePolicy(64 << 10, 16 << 20, 16);
    }

    /** Returns the policy for servers that always send the whole object: one request for each object. */
    public static MergePolicy wholeObjects() {
        return new MergePolicy(Long.MAX_VALUE, Long.MAX_VALUE, 4);
    }

    /**
     * Returns the policy for a measured network. Its {@code widestGap} is max(2 x latency / parallel, 0.3 ms) x
     * bandwidth bytes, but at most 8 MiB: {@code parallel} requests share one latency, and a request costs about 0.3 ms
     * of work at both ends. Its {@code gap} is the same, but at most 64 KiB.
     *
     * @param latency from a request to its answer's first byte, in seconds
     * @param bandwidth bytes a second of all answers together
     */
    public static MergePolicy measured(double latency, double bandwidth, int parallel) {
        double secondsOfRequest = Math.max(2 * latency / parallel, WORK_SECONDS);
        long widest = (long) Math.min(8 << 20, Math.max(0, secondsOfRequest * bandwidth));
        return new MergePolicy(Math.min(widest, 64 << 10), widest, 16 << 20, parallel);
    }
}
