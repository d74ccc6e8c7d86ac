package dev.shardkit.store.http;

import dev.shardkit.store.MergePolicy;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * How long a store's answers take to come and how fast their bytes then flow, and what follows for merging reads. The
 * latency is the shortest of the last answers (others may have waited for their turn); the bandwidth is that of all
 * bodies together, while at least one is coming. Guarded by its own monitor.
 */
final class Traffic {
  /** While the bandwidth is not known, few requests are sent, for what is merged later is merged better. */
  private static final int PROBES = 8;
  private static final int PARALLEL = 24;
  private static final int REMEMBERED = 16;
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
  private volatile MergePolicy policy = UNKNOWN;

  /** By this clock, in nanoseconds. */
  Traffic(LongSupplier clock) {
    this.clock = clock;
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
    double latency = Arrays.stream(latencies, 0, remembered).min().orElse(1) / 1e9;
    MergePolicy now = MergePolicy.measured(latency, bandwidth, PARALLEL);
    boolean same = policy.parallel() == PARALLEL
        && now.widestGap() <= 2 * policy.widestGap() && policy.widestGap() <= 2 * now.widestGap();
    if (!same) {
      policy = now;
    }
  }
}
