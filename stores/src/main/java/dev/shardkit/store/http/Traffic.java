package dev.shardkit.store.http;

import dev.shardkit.store.MergePolicy;
import java.util.Arrays;

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
  /** Smaller amounts say nothing of bandwidth. */
  private static final long TELLING_BYTES = 128 << 10;
  private static final MergePolicy UNKNOWN = new MergePolicy(64 << 10, 64 << 10, 16 << 20, PROBES);

  private final long[] latencies = new long[REMEMBERED];
  private int answers;
  private int bodies;
  private long since;
  private long bytes;
  private double bandwidth;
  private volatile MergePolicy policy = UNKNOWN;

  /** How reads are best merged, by what is known now. */
  MergePolicy policy() {
    return policy;
  }

  /** An answer has begun so long after its request; its body follows. */
  synchronized void begun(long latencyNanos) {
    latencies[answers++ % REMEMBERED] = Math.max(1, latencyNanos);
    if (bodies++ == 0) {
      since = System.nanoTime();
      bytes = 0;
    }
  }

  /** A body has ended after so many bytes, well or not. */
  synchronized void ended(long size) {
    bodies--;
    bytes += size;
    if (bytes < TELLING_BYTES) {
      return;
    }
    double seconds = Math.max(1, System.nanoTime() - since) / 1e9;
    bandwidth = bandwidth == 0 ? bytes / seconds : 0.7 * bandwidth + 0.3 * bytes / seconds;
    since = System.nanoTime();
    bytes = 0;
    double latency = Arrays.stream(latencies, 0, Math.min(answers, REMEMBERED)).min().orElse(1) / 1e9;
    // In steps of two, or what waits would be merged anew with every answer.
    policy = MergePolicy.measured(step(latency), step(bandwidth), PARALLEL);
  }

  private static double step(double measured) {
    return Math.pow(2, Math.rint(Math.log(measured) / Math.log(2)));
  }
}
