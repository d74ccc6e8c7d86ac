package dev.shardkit.engine.run;

import dev.shardkit.spi.plan.ByteRange;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Caches decoded values, such as shard indexes and whole shards, by object, version, byte range and decoder. Evicts the
 * least recently used values beyond a budget in bytes. All caches of the process together stay within
 * {@link CacheBudget}. Also remembers the newest known version of each object. Thread-safe: guarded by its own monitor,
 * which is held for look-ups only.
 */
public final class ValueCache implements CacheBudget.Cache {
    /** The approximate memory of an entry without its value, in bytes. */
    private static final long OVERHEAD = 128;
    /** The maximum number of remembered versions, which bounds their memory. */
    private static final int MAX_VERSIONS = 100_000;

    /** The key of a value; {@code identity} is that of its decoder. */
    record Key(String object, String version, ByteRange range, Object identity) {}

    /** The newest known version of an object, and when it was last seen ({@link System#nanoTime}). */
    record Known(String version, long seenNanos) {}

    private record Entry(Object value, long weight) {}

    private final long budget;
    private final CacheBudget shared;
    private final CacheBudget.Held counter;
    /** Whether this cache takes part in the shared budget; it joins with its first value. */
    private final AtomicBoolean joined = new AtomicBoolean();

    private final InFlightReads inFlight = new InFlightReads();
    private final Map<Key, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<String, Known> versions = new LinkedHashMap<>(16, 0.75f, true);
    private long weight;
    private volatile long lastUseNanos;
    /** Versions that were seen before this time ({@link System#nanoTime}) need confirmation ({@link #distrust}). */
    private volatile long trustedFrom = System.nanoTime();

    /** Creates a cache of at most {@code budget} bytes; 0 disables it. */
    public ValueCache(long budget) {
        this(budget, CacheBudget.OF_PROCESS);
    }

    /** Creates a cache of at most {@code budget} bytes that shares {@code shared} with others. */
    ValueCache(long budget, CacheBudget shared) {
        this.budget = Math.min(budget, shared.maxBytes());
        this.shared = shared;
        this.counter = shared.newCounter();
    }

    /** Returns whether caching is enabled. */
    boolean isKeeping() {
        return budget > 0;
    }

    /** Returns the reads in progress whose values will be cached here. */
    InFlightReads inFlight() {
        return inFlight;
    }

    /** Returns a cached value. */
    Optional<Object> get(Key key) {
        Entry entry;
        synchronized (this) {
            entry = entries.get(key);
        }
        lastUseNanos = System.nanoTime();
        return Optional.ofNullable(entry).map(Entry::value);
    }

    /** Caches a value of {@code bytes} bytes, unless it is larger than the budget. */
    void put(Key key, Object value, long bytes) {
        if (bytes > budget - OVERHEAD) {
            return;
        }
        long weighed = Math.max(0, bytes) + OVERHEAD;
        synchronized (this) {
            Entry old = entries.put(key, new Entry(value, weighed));
            weight += weighed - (old == null ? 0 : old.weight());
            evict(budget);
        }
        lastUseNanos = System.nanoTime();
        if (joined.compareAndSet(false, true)) {
            shared.join(this, counter);
        }
        shared.settle(); // outside the monitor, because it may evict from other caches, under their monitors
    }

    @Override
    public synchronized void evict(long maxBytes) {
        var oldest = entries.entrySet().iterator();
        while (weight > maxBytes && oldest.hasNext()) {
            weight -= oldest.next().getValue().weight();
            oldest.remove();
        }
        counter.update(weight);
    }

    @Override
    public long lastUse() {
        return lastUseNanos;
    }

    /** Returns the version in which {@code object} was last seen. */
    synchronized Optional<Known> known(String object) {
        return Optional.ofNullable(versions.get(object));
    }

    /** Records that an answer at that time showed {@code version} of an object. */
    synchronized void seen(String object, String version, long nanos) {
        if (budget > 0) {
            versions.put(object, new Known(version, nanos));
            if (versions.size() > MAX_VERSIONS) {
                versions.remove(versions.keySet().iterator().next());
            }
        }
    }

    /**
     * Makes every version that was seen until now need confirmation, however recently it was seen. This includes
     * versions in answers that are still to come: a version counts as seen when its request was sent.
     */
    public void distrust() {
        trustedFrom = System.nanoTime();
    }

    /**
     * Returns whether a version that was seen at that time ({@link System#nanoTime}) may be trusted while it is fresh.
     */
    boolean isTrusted(long seenNanos) {
        return seenNanos - trustedFrom >= 0;
    }

    /** Forgets in which version an object was last seen. */
    synchronized void forget(String object) {
        versions.remove(object);
    }

    /** Removes all values. */
    public synchronized void clear() {
        versions.clear();
        evict(0);
    }

    @Override
    public synchronized long weight() {
        return weight;
    }
}
