package dev.shardkit.store.keys;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Fair locks within the process, one for each key. They are not reentrant, and another thread than the one that
 * acquired a lock may release it. Unused keys take no memory. Thread-safe.
 *
 * @param <K> the keys
 */
public final class KeyLocks<K> {
    private final ConcurrentHashMap<K, Slot> slots = new ConcurrentHashMap<>();

    /** The state of one key's lock. */
    private static final class Slot {
        /** Has one permit while the lock is free; fair. */
        final Semaphore free = new Semaphore(1, true);

        volatile KeyLocks<?>.@Nullable Held holder;
        /** The number of threads that hold or wait for the lock. Changed only within computations of the map. */
        int users;
    }

    /** A held lock. It is created before the lock is acquired, so that no lock stays held if memory runs out. */
    public final class Held {
        private final K key;
        private final Slot slot;
        private final Thread thread = Thread.currentThread();
        private volatile long acquiredMillis;

        private Held(K key, Slot slot) {
            this.key = key;
            this.slot = slot;
        }

        private void markAcquired() {
            acquiredMillis = System.currentTimeMillis();
            slot.holder = this;
        }

        /** Returns whether other threads of this process wait for this lock. */
        public boolean isWantedByOthers() {
            return slot.free.hasQueuedThreads();
        }

        /** Releases the lock; call it once. */
        public void release() {
            slot.holder = null;
            slot.free.release();
            leave(key);
        }
    }

    /** Acquires the lock of {@code key}; empty if it was not available within {@code nanos} nanoseconds. */
    public Optional<Held> acquire(K key, long nanos) throws InterruptedException {
        Slot slot = slots.compute(key, (sameKey, old) -> {
            Slot used = old == null ? new Slot() : old;
            used.users++;
            return used;
        });
        boolean isAcquired = false;
        try {
            Held lock = new Held(key, slot);
            Optional<Held> result = Optional.of(lock);
            isAcquired = slot.free.tryAcquire(nanos, TimeUnit.NANOSECONDS);
            if (!isAcquired) {
                return Optional.empty();
            }
            lock.markAcquired();
            return result;
        } finally {
            if (!isAcquired) {
                leave(key);
            }
        }
    }

    /** Describes the thread of this process that holds the lock of {@code key}; empty if none does. */
    public Optional<String> holder(K key) {
        return Optional.ofNullable(slots.get(key))
                .map(slot -> slot.holder)
                .map(held -> "thread " + held.thread.getName() + " of this process ("
                        + ProcessHandle.current().pid() + "), which took it at "
                        + Instant.ofEpochMilli(held.acquiredMillis));
    }

    /** Returns whether a thread has acquired a lock that is still held. */
    public boolean isHolding(Thread thread) {
        return slots.values().stream().map(slot -> slot.holder).anyMatch(held -> held != null && held.thread == thread);
    }

    /** Returns the keys whose locks are held or awaited. */
    public Set<K> held() {
        return Set.copyOf(slots.keySet());
    }

    private void leave(K key) {
        slots.compute(key, (sameKey, slot) -> slot == null || --slot.users == 0 ? null : slot);
    }

    /** Returns a duration as text, such as {@code 0.02 s}. */
    public static String text(Duration duration) {
        return BigDecimal.valueOf(nanos(duration), 9).stripTrailingZeros().toPlainString() + " s";
    }

    /** Returns a duration in nanoseconds, limited to about a century. */
    public static long nanos(Duration duration) {
        Duration longest = Duration.ofDays(36_500);
        return duration.compareTo(longest) > 0 ? longest.toNanos() : Math.max(0, duration.toNanos());
    }
}
