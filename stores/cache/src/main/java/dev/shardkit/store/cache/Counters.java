package dev.shardkit.store.cache;

import java.util.concurrent.atomic.LongAdder;

/** Counts the requests and hits of a cached store. Thread-safe. */
final class Counters {
    final LongAdder hits = new LongAdder();
    final LongAdder misses = new LongAdder();
    final LongAdder checks = new LongAdder();
    final LongAdder bytesFromCache = new LongAdder();
    final LongAdder bytesKept = new LongAdder();
    final LongAdder damaged = new LongAdder();
    final LongAdder notCached = new LongAdder();

    CacheMetrics metrics() {
        return new CacheMetrics(
                hits.sum(),
                misses.sum(),
                checks.sum(),
                bytesFromCache.sum(),
                bytesKept.sum(),
                damaged.sum(),
                notCached.sum());
    }
}
