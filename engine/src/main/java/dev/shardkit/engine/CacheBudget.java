package dev.shardkit.engine;

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
 * a thousand handles would otherwise fill any heap. When the budget is exceeded, the caches that were not used for the
 * longest time give up their oldest values. A cache that nobody reaches any more is forgotten with its handle.
 *
 * <p>Thread-safe. Guarded by its monitor, under which the monitor of one cache at a time is taken, never the other way
 * round.
 */
final class CacheBudget {
    /** A quarter of the heap. */
    static final CacheBudget OF_PROCESS = new CacheBudget(Runtime.getRuntime().maxMemory() / 4);

    private final long most;
    private final AtomicLong total = new AtomicLong();
    private final Set<Member> members = new HashSet<>();
    private final ReferenceQueue<ValueCache> gone = new ReferenceQueue<>();

    /** A budget of {@code most} bytes. */
    CacheBudget(long most) {
        this.most = most;
    }

    /** How many bytes one cache holds. It outlives the cache. Guarded by the cache's monitor. */
    static final class Held {
        private final AtomicLong total;
        private long bytes;

        private Held(AtomicLong total) {
            this.total = total;
        }

        void now(long now) {
            total.addAndGet(now - bytes);
            bytes = now;
        }
    }

    /** A cache, as long as anybody uses it. */
    private static final class Member extends WeakReference<ValueCache> {
        private final Held held;

        Member(ValueCache cache, ReferenceQueue<ValueCache> gone, Held held) {
            super(cache, gone);
            this.held = held;
        }
    }

    /** What a new cache holds. */
    Held nothing() {
        return new Held(total);
    }

    /** Takes in a cache that holds something. */
    synchronized void join(ValueCache cache, Held held) {
        forgetGone();
        members.add(new Member(cache, gone, held));
    }

    /** Makes room if the caches hold too much, an eighth more than is needed so that it is done now and then only. */
    void settle() {
        if (total.get() <= most) {
            return;
        }
        synchronized (this) {
            forgetGone();
            if (total.get() > most) {
                makeRoom();
            }
        }
    }

    private void makeRoom() {
        List<Used> caches = new ArrayList<>();
        members.forEach(m -> Optional.ofNullable(m.get()).ifPresent(c -> caches.add(new Used(c, c.used()))));
        long now = System.nanoTime();
        caches.sort(Comparator.comparingLong((Used u) -> now - u.nanos()).reversed());
        for (int i = 0; i < caches.size(); i++) {
            // the cache that was used last has a value that may need all of the budget
            long tooMuch = total.get() - (i + 1 < caches.size() ? most - most / 8 : most);
            ValueCache cache = caches.get(i).cache();
            if (tooMuch > 0) {
                cache.evict(Math.max(0, cache.weight() - tooMuch));
            }
        }
    }

    private record Used(ValueCache cache, long nanos) {}

    private void forgetGone() {
        for (var cache = gone.poll(); cache != null; cache = gone.poll()) {
            members.remove(cache);
            total.addAndGet(-((Member) cache).held.bytes);
        }
    }

    /** How many bytes the caches may hold. */
    long most() {
        return most;
    }

    /** How many bytes the caches hold. */
    long total() {
        return total.get();
    }
}
