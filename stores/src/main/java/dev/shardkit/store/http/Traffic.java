package dev.shardkit.store.http;

import dev.shardkit.store.MergePolicy;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * How long a store's answers take to come and how fast their bytes then flow, and what follows for merging reads and
 * for the number of requests. The latency is the shortest of the last answers (others may have waited for their turn);
 * the bandwidth is that of all bodies together, while at least one is coming. As many requests may be under way as the
 * latency has milliseconds, and twice as many after each round of answers that came about as soon as a lone one does:
 * then neither the server nor the link has made them wait for each other. Guarded by its own monitor.
 */
final class Traffic {
    /** While the bandwidth is not known, few requests are sent, for what is merged later is merged better. */
    private static final int PROBES = 8;

    private static final int PARALLEL = 24;
    private static final int REMEMBERED = 16;
    /** How many requests the latency alone may speak for. */
    private static final int MOST_AT_FIRST = 128;

    private static final long MILLISECOND = 1_000_000;
    /** What a latency may vary by without a reason. */
    private static final long JITTER_NANOS = 5 * MILLISECOND;
    /** Less says nothing of bandwidth: buffers on the way hold as much. */
    private static final long TELLING_BYTES = 256 << 10;

    private static final long TELLING_NANOS = 1_000_000;
    private static final MergePolicy UNKNOWN = new MergePolicy(64 << 10, 64 << 10, 16 << 20, PROBES);

    private final LongSupplier clock;
    private final long[] latencies = new long[REMEMBERED];
    private int remembered;
    private int next;
    private int bodies;
    /** Since when bytes are counted, and how long of it no body was coming. */
    private long since;

    private long idleSince;
    private long bytes;
    private double bandwidth;
    private int underWay;
    /** How many answers came as soon as a lone one while as many requests were under way as may be. */
    private int prompt;
    /** So many more refusals say nothing new. */
    private int oldRefusals;
    /** The latency of a lone request: the shortest so far, and a little longer with each answer. */
    private double lone = Double.MAX_VALUE;

    private final int most;
    private volatile int window;
    private volatile MergePolicy policy = UNKNOWN;

    /** By this clock, in nanoseconds. */
    Traffic(LongSupplier clock) {
        this(clock, PARALLEL);
    }

    /** With at most so many requests under way. */
    Traffic(LongSupplier clock, int most) {
        this.clock = clock;
        this.most = most;
        this.window = Math.min(most, PARALLEL);
    }

    /** How many requests may be under way at once, by what is known now. */
    int window() {
        return window;
    }

    /** A request is sent. */
    synchronized void sent() {
        underWay++;
    }

    /** A request has ended; perhaps the server, or the way to it, had too many. */
    synchronized void over(Ending ending) {
        underWay--;
        if (ending == Ending.REFUSED && oldRefusals-- <= 0) {
            oldRefusals = window;
            window = Math.max(Math.min(most, PARALLEL), window / 2);
            prompt = 0;
        }
    }

    /** How a request ended. */
    enum Ending {
        WELL,
        REFUSED
    }

    /** How reads are best merged, by what is known now. */
    MergePolicy policy() {
        return policy;
    }

    /** An answer has begun so long after its request; its body follows. */
    synchronized void begun(long latencyNanos) {
        latencies[next] = Math.max(1, latencyNanos);
        next = (next + 1) % REMEMBERED;
        remembered = Math.min(remembered + 1, REMEMBERED);
        if (bodies++ == 0) {
            since += clock.getAsLong() - idleSince;
        }
        widen(latencyNanos);
    }

    private void widen(long latencyNanos) {
        lone = Math.min(latencyNanos, lone * (1 + 1e-5));
        int worth = (int) Math.min(Math.min(MOST_AT_FIRST, most), latencyNanos / MILLISECOND);
        if (remembered == 1 && worth > window) {
            window = worth;
        } else if (underWay >= window && latencyNanos <= 2 * lone + JITTER_NANOS && ++prompt >= window / 2) {
            window = Math.min(most, 2 * window);
            prompt = 0;
        }
    }

    private long latency() {
        return Arrays.stream(latencies, 0, remembered).min().orElse(1);
    }

    /** So many bytes of a body have come. */
    synchronized void came(long count) {
        bytes += count;
        long now = clock.getAsLong();
        if (bytes < TELLING_BYTES || now - since < TELLING_NANOS) {
            return;
        }
        double seen = bytes / ((now - since) / 1e9);
        bandwidth = bandwidth == 0 ? seen : 0.7 * bandwidth + 0.3 * seen;
        since = now;
        bytes = 0;
        learn();
    }

    /** A body has ended, well or not. */
    synchronized void ended() {
        if (--bodies == 0) {
            idleSince = clock.getAsLong();
        }
    }

    /** Only what makes a difference, or what waits to be sent would be merged anew all the time. */
    private void learn() {
        MergePolicy now = MergePolicy.measured(latency() / 1e9, bandwidth, Math.max(window, PARALLEL));
        boolean same = policy.parallel() > PROBES
                && isNear(now.parallel(), policy.parallel())
                && isNear(now.widestGap(), policy.widestGap());
        if (!same) {
            policy = now;
        }
    }

    private static boolean isNear(long one, long other) {
        return one <= 2 * other && other <= 2 * one;
    }
}
