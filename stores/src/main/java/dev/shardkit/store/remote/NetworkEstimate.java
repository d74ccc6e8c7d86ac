package dev.shardkit.store.remote;

import dev.shardkit.store.MergePolicy;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * Measures the latency and bandwidth of a store's network. Derives from them how reads are merged and how many requests
 * run concurrently (the window). The latency is that of the quickest recent response, because others may have waited in
 * queues. The bandwidth is that of all bodies together, while at least one is being received. The window starts at one
 * request for each millisecond of latency. It doubles after each round of responses that took about as long as a single
 * request, because then neither the server nor the link made them queue. Thread-safe: the monitor guards all fields.
 */
public final class NetworkEstimate {
    /**
     * The number of parallel requests while the bandwidth is unknown. It is low, because reads that are sent later,
     * with a known bandwidth, are merged better.
     */
    private static final int PROBES = 8;

    /** The smallest window, unless the store's limit is lower. */
    private static final int PARALLEL = 24;
    /** The number of recent latencies that are kept. */
    private static final int REMEMBERED = 16;
    /** The largest window that the first latency alone can set. */
    private static final int MAX_AT_FIRST = 128;

    private static final long MILLISECOND = 1_000_000;
    /** The normal variation of a latency. */
    private static final long JITTER_NANOS = 5 * MILLISECOND;
    /** The minimum number of bytes of a measurement. Fewer bytes may come from buffers along the path. */
    private static final long TELLING_BYTES = 256 << 10;

    /** The minimum duration of a measurement. */
    private static final long TELLING_NANOS = 1_000_000;

    /** The merge policy while the network is unknown. */
    private static final MergePolicy UNKNOWN = new MergePolicy(64 << 10, 64 << 10, 16 << 20, PROBES);

    private final LongSupplier clock;
    /** The recent latencies, a ring buffer. */
    private final long[] latencies = new long[REMEMBERED];

    /** The number of latencies in the buffer. */
    private int remembered;

    /** The index of the next latency in the buffer. */
    private int next;
    /** The number of bodies that are being received. */
    private int bodies;
    /** The start of the current measurement of bandwidth, moved forward by the times without any body. */
    private long measurementStart;
    /** The time at which the last body ended; valid while {@code bodies} is 0. */
    private long idleSince;

    /** The number of bytes of the current measurement. */
    private long bytes;

    /** The measured bandwidth in bytes a second; 0 while it is unknown. */
    private double bandwidth;
    /** The number of requests that have not ended. */
    private int underWay;
    /** The number of responses, while the window was used fully, that were as quick as that to a single request. */
    private int promptResponses;
    /** The number of refusals that are ignored: they may be for requests sent before the window was halved. */
    private int oldRefusals;
    /** The latency of a single request: the shortest so far, which grows slowly with each response. */
    private double loneLatency = Double.MAX_VALUE;

    private final int maxRequests;
    private volatile int window;
    private volatile MergePolicy policy = UNKNOWN;

    /** Creates an estimate with the default limit on concurrent requests. {@code clock} returns nanoseconds. */
    NetworkEstimate(LongSupplier clock) {
        this(clock, PARALLEL);
    }

    /** Creates an estimate with a limit on concurrent requests. */
    NetworkEstimate(LongSupplier clock, int maxRequests) {
        this.clock = clock;
        this.maxRequests = maxRequests;
        this.window = Math.min(maxRequests, PARALLEL);
    }

    /** Returns the current limit on concurrent requests. */
    public int window() {
        return window;
    }

    /** Records that a request was sent. */
    synchronized void sent() {
        underWay++;
    }

    /**
     * Records that a request ended. A refusal by an overloaded server halves the window, once for each round: refusals
     * of requests that were sent before are ignored.
     */
    synchronized void requestEnded(Ending ending) {
        underWay--;
        if (ending == Ending.REFUSED && oldRefusals-- <= 0) {
            oldRefusals = window;
            window = Math.max(Math.min(maxRequests, PARALLEL), window / 2);
            promptResponses = 0;
        }
    }

    /** How a request ended. */
    enum Ending {
        /** The server, or the path to it, may have been overloaded. */
        REFUSED,
        /** The request succeeded, or failed for another reason. */
        OTHER
    }

    /** Returns the current policy for merging reads. */
    public MergePolicy policy() {
        return policy;
    }

    /** Records that a response began this long after its request; its body follows. */
    synchronized void responseBegan(long latencyNanos) {
        latencies[next] = Math.max(1, latencyNanos);
        next = (next + 1) % REMEMBERED;
        remembered = Math.min(remembered + 1, REMEMBERED);
        if (bodies++ == 0) {
            measurementStart += clock.getAsLong() - idleSince;
        }
        widen(latencyNanos);
    }

    /**
     * Enlarges the window. The first response sets it to one request for each millisecond of its latency. Later, a
     * round of prompt responses doubles it.
     */
    private void widen(long latencyNanos) {
        // The shortest latency grows slowly, so that an outdated one is forgotten.
        loneLatency = Math.min(latencyNanos, loneLatency * (1 + 1e-5));
        int worth = (int) Math.min(Math.min(MAX_AT_FIRST, maxRequests), latencyNanos / MILLISECOND);
        if (remembered == 1 && worth > window) {
            window = worth;
        } else if (underWay >= window
                && latencyNanos <= 2 * loneLatency + JITTER_NANOS
                && ++promptResponses >= window / 2) {
            window = Math.min(maxRequests, 2 * window);
            promptResponses = 0;
        }
    }

    private long latency() {
        return Arrays.stream(latencies, 0, remembered).min().orElse(1);
    }

    /** Records received body bytes. */
    synchronized void bodyReceived(long count) {
        bytes += count;
        long nanos = clock.getAsLong();
        if (bytes < TELLING_BYTES || nanos - measurementStart < TELLING_NANOS) {
            return;
        }
        double measured = bytes / ((nanos - measurementStart) / 1e9);
        bandwidth = bandwidth == 0 ? measured : 0.7 * bandwidth + 0.3 * measured; // smoothed over several measurements
        measurementStart = nanos;
        bytes = 0;
        learn();
    }

    /** Records that a body ended, successfully or not. */
    synchronized void bodyEnded() {
        if (--bodies == 0) {
            idleSince = clock.getAsLong();
        }
    }

    /** Updates the merge policy, but only after a significant change, because waiting reads are then merged again. */
    private void learn() {
        MergePolicy measured = MergePolicy.measured(latency() / 1e9, bandwidth, Math.max(window, PARALLEL));
        boolean isSimilar = policy.parallel() > PROBES
                && isWithinFactorTwo(measured.parallel(), policy.parallel())
                && isWithinFactorTwo(measured.widestGap(), policy.widestGap());
        if (!isSimilar) {
            policy = measured;
        }
    }

    private static boolean isWithinFactorTwo(long first, long second) {
        return first <= 2 * second && second <= 2 * first;
    }
}
