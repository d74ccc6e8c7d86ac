package dev.shardkit.store.remote;

import dev.shardkit.store.MergePolicy;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * Measures latency and bandwidth, and derives from them how reads are merged and how many requests run concurrently.
 * The latency is the shortest of the last responses, because others may have queued. The bandwidth is that of all
 * bodies together while at least one is received. The number of concurrent requests starts at one for each millisecond
 * of latency. It doubles after each round of responses that took about as long as a single request, because then
 * neither the server nor the link made them queue. Guarded by its own monitor.
 */
public final class NetworkEstimate {
    /** While the bandwidth is unknown, only a few requests are sent, because later ones are merged better. */
    private static final int PROBES = 8;

    private static final int PARALLEL = 24;
    private static final int REMEMBERED = 16;
    /** The maximum number of requests that the latency alone justifies. */
    private static final int MAX_AT_FIRST = 128;

    private static final long MILLISECOND = 1_000_000;
    /** The normal variation of a latency. */
    private static final long JITTER_NANOS = 5 * MILLISECOND;
    /** Smaller bodies do not measure bandwidth: buffers along the path hold as much. */
    private static final long TELLING_BYTES = 256 << 10;

    private static final long TELLING_NANOS = 1_000_000;
    private static final MergePolicy UNKNOWN = new MergePolicy(64 << 10, 64 << 10, 16 << 20, PROBES);

    private final LongSupplier clock;
    private final long[] latencies = new long[REMEMBERED];
    private int remembered;
    private int next;
    /** The number of bodies that are being received. */
    private int bodies;
    /** When the bytes of the current measurement began to arrive; moved forward by times without any body. */
    private long measurementStart;
    /** When the last body ended; valid while {@code bodies} is 0. */
    private long idleSince;

    private long bytes;
    private double bandwidth;
    /** The number of requests that have not ended. */
    private int underWay;
    /** The number of responses as fast as a single one while the number of concurrent requests was at its limit. */
    private int prompt;
    /** The number of refusals still to be ignored: they may answer requests from before the limit was halved. */
    private int oldRefusals;
    /** The latency of a single request: the shortest so far, slowly growing with each response. */
    private double lone = Double.MAX_VALUE;

    private final int maxRequests;
    private volatile int window;
    private volatile MergePolicy policy = UNKNOWN;

    /** Uses this clock, in nanoseconds. */
    NetworkEstimate(LongSupplier clock) {
        this(clock, PARALLEL);
    }

    /** Uses a limit on concurrent requests. */
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
     * Records that a request ended. A refusal by an overloaded server halves the limit on concurrent requests, once for
     * each round: refusals of requests that were sent before are ignored.
     */
    synchronized void requestEnded(Ending ending) {
        underWay--;
        if (ending == Ending.REFUSED && oldRefusals-- <= 0) {
            oldRefusals = window;
            window = Math.max(Math.min(maxRequests, PARALLEL), window / 2);
            prompt = 0;
        }
    }

    /** How a request ended. */
    enum Ending {
        /** The server, or the path to it, may have been overloaded. */
        REFUSED,
        /** Not refused for overload; it may have failed otherwise. */
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

    private void widen(long latencyNanos) {
        lone = Math.min(latencyNanos, lone * (1 + 1e-5));
        int worth = (int) Math.min(Math.min(MAX_AT_FIRST, maxRequests), latencyNanos / MILLISECOND);
        if (remembered == 1 && worth > window) {
            window = worth;
        } else if (underWay >= window && latencyNanos <= 2 * lone + JITTER_NANOS && ++prompt >= window / 2) {
            window = Math.min(maxRequests, 2 * window);
            prompt = 0;
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
        bandwidth = bandwidth == 0 ? measured : 0.7 * bandwidth + 0.3 * measured;
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

    /** Updates the policy only for significant changes; otherwise waiting reads would be merged again and again. */
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
