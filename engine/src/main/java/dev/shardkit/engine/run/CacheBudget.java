package dev.shardkit.engine.run;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that all value caches of a process may hold together. Each open handle has a cache with a limit of its own;
 * a thousand handles could otherwise fill any heap. If the budget is exceeded, the least recently used caches evict
 * their oldest values. A cache is removed from the budget when the garbage collector has found it unreachable.
 *
 * <p>Thread-safe. Guarded by its monitor. A thread that holds this monitor may enter the monitor of a cache. A thread
 * that holds the monitor of a cache never enters this one, so the two cannot deadlock.
 */
final class CacheBudget {
    /** A quarter of the heap. */
    static final CacheBudget OF_PROCESS = new CacheBudget(Runtime.getRuntime().maxMemory() / 4);

    private final long maxBytes;
    /** The number of bytes in all caches. */
    private final AtomicLong total = new AtomicLong();

    private final Set<Member> members = new HashSet<>();
    private final ReferenceQueue<Cache> unreachable = new ReferenceQueue<>();

    /** Creates a budget of {@code maxBytes} bytes. */
    CacheBudget(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** A cache that shares the budget. Thread-safe. */
    interface Cache {
        /** Evicts the oldest values until at most {@code maxBytes} bytes remain. */
        void evict(long maxBytes);

        /** Returns the time of the last use ({@link System#nanoTime}). */
        long lastUse();

        /** Returns the size of the cached values in bytes. */
        long weight();
    }

    /**
     * Counts the bytes in one cache. The counter outlives the cache, so that its bytes can be subtracted when the cache
     * is unreachable. Guarded by the cache's monitor.
     */
    static final class Held {
        private final AtomicLong total;
        private long bytes;

        private Held(AtomicLong total) {
            this.total = total;
        }

        void update(long size) {
            total.addAndGet(size - bytes);
            bytes = size;
        }
    }

    /** A weak reference to a cache, with its counter. */
    private static final class Member extends WeakReference<Cache> {
        private final Held held;

        Member(Cache cache, ReferenceQueue<Cache> unreachable, Held held) {
            super(cache, unreachable);
            this.held = held;
        }
    }

    /** Returns the counter of a new cache. */
    Held newCounter() {
        return new Held(total);
    }

    /** Adds a cache that holds values. */
    synchronized void join(Cache cache, Held held) {
        removeUnreachable();
        members.add(new Member(cache, unreachable, held));
    }

    /**
     * Evicts values if the caches exceed the budget. Frees an eighth of the budget more than needed, so that evictions
     * are rare.
     */
    void settle() {
        if (total.get() <= maxBytes) {
            return;
        }
        synchronized (this) {
            removeUnreachable();
            if (total.get() > maxBytes) {
                evictOldest();
            }
        }
    }

    /** Evicts values, from the least recently used cache first. */
    private void evictOldest() {
        List<Used> caches = new ArrayList<>();
        members.forEach(m -> Optional.ofNullable(m.get()).ifPresent(c -> caches.add(new Used(c, c.lastUse()))));
        long now = System.nanoTime(); // times are compared as ages, because nanoTime may overflow
        caches.sort(Comparator.comparingLong((Used used) -> now - used.nanos()).reversed());
        for (int i = 0; i < caches.size(); i++) {
            // The most recently used cache, the last one, is only evicted down to the budget: it holds the newest
            // value, which may need the whole budget.
            long excess = total.get() - (i + 1 < caches.size() ? maxBytes - maxBytes / 8 : maxBytes);
            Cache cache = caches.get(i).cache();
            if (excess > 0) {
                cache.evict(Math.max(0, cache.weight() - excess));
            }
        }
    }

    /** A cache and the time of its last use, which does not change while the caches are sorted. */
    private record Used(Cache cache, long nanos) {}

    private void removeUnreachable() {
        for (var cache = unreachable.poll(); cache != null; cache = unreachable.poll()) {
            members.remove(cache);
            total.addAndGet(-((Member) cache).held.bytes);
        }
    }

    /** Returns the budget. */
    long maxBytes() {
        return maxBytes;
    }

    /** Returns the number of bytes in all caches. */
    long total() {
        return total.get();
    }
}
