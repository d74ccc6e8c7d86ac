package dev.shardkit.engine.run;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.WholeBodyBudget;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Whole objects that servers sent instead of ranges, kept for one run so that each is downloaded once. All runs of the
 * process share one budget. A run that exceeds it drops its least recently used object, which is then downloaded again
 * when needed. Reads of an object that is being downloaded wait for it. Thread-safe.
 */
final class FullResponses {
    /** The free bytes of the budget of the process: at first an eighth of the heap. */
    private static final AtomicLong SHARED = new AtomicLong(Runtime.getRuntime().maxMemory() / 8);

    /** A whole object in memory, and its bytes of the budget. */
    private record Body(FetchResult.Found object, long reserved) {}

    private final AtomicLong budget;
    /** The whole objects by key; the least recently used one comes first. */
    private final Map<String, Body> bodies = new LinkedHashMap<>(16, 0.75f, true);
    /** The keys of the objects that requests are receiving. */
    private final Set<String> downloading = new HashSet<>();
    /** By key, the requests that wait for an object that another request receives. */
    private final Map<String, List<MergedRead>> parked = new HashMap<>();
    /** The number of parked requests. A run reads it at its end, even when no memory is left to count them. */
    private int parkedCount;

    /** The total size of {@link #bodies}. */
    private long keptBytes;
    /** Whether a server has sent a whole object instead of a range. */
    private boolean noRanges;

    private boolean closed;

    FullResponses() {
        this(SHARED);
    }

    /** Uses a budget of {@code budget} bytes, shared with other runs. */
    FullResponses(AtomicLong budget) {
        this.budget = budget;
    }

    /** The memory that one request may use if the server sends the whole object. */
    final class Reservation implements WholeBodyBudget {
        private final String key;
        private final long maxBytes;
        private long reserved;
        private boolean ended;

        private Reservation(String key, long maxBytes) {
            this.key = key;
            this.maxBytes = maxBytes;
        }

        @Override
        public long maxBytes() {
            return maxBytes;
        }

        @Override
        public boolean reserve(long bytes) {
            synchronized (FullResponses.this) {
                if (ended || closed) {
                    return false;
                }
                long additional = bytes - reserved;
                if (additional > 0 && !reserveOrEvict(additional)) {
                    return false;
                }
                reserved = Math.max(reserved, bytes);
                return true;
            }
        }

        /** Completes the request: keeps the whole object if it was received, and releases the unused memory. */
        void end(@Nullable FetchResult result) {
            synchronized (FullResponses.this) {
                if (ended) {
                    return;
                }
                ended = true;
                long usedBytes = 0;
                try {
                    usedBytes = keep(result);
                } finally {
                    budget.addAndGet(reserved - usedBytes); // also if memory ran out
                }
            }
        }

        /** Keeps the whole object of an answer. Returns how many reserved bytes it uses. */
        private long keep(@Nullable FetchResult result) {
            if (closed
                    || !(result instanceof FetchResult.Found found)
                    || found.whole().isEmpty()) {
                return 0;
            }
            Bytes whole = found.whole().get();
            noRanges = true;
            if (whole.size() > reserved || whole.size() != found.objectSize()) {
                return 0; // the store has broken its contract: it kept more bytes than were reserved, or not all
            }
            evict(key);
            boolean isKept = false;
            try {
                bodies.put(key, new Body(new FetchResult.Found(whole, whole.size(), found.version()), whole.size()));
                isKept = true;
            } finally {
                if (!isKept) {
                    bodies.remove(key); // put inserts the entry, and may then fail to grow the map
                }
            }
            keptBytes += whole.size();
            return whole.size();
        }
    }

    /** Takes bytes from the budget. Evicts objects of this run if necessary. Returns whether there was enough room. */
    private boolean reserveOrEvict(long additional) {
        // If evicting all kept objects would not make enough room, they stay, because other reads may use them.
        while (additional <= budget.get() + keptBytes) {
            long available = budget.get();
            if (additional > available) {
                Iterator<String> oldest = bodies.keySet().iterator();
                if (!oldest.hasNext()) {
                    return false;
                }
                evict(oldest.next());
            } else if (budget.compareAndSet(available, available - additional)) {
                return true;
            }
        }
        return false;
    }

    private void evict(String key) {
        Optional.ofNullable(bodies.remove(key)).ifPresent(body -> {
            keptBytes -= body.reserved();
            budget.addAndGet(body.reserved());
        });
    }

    private static boolean isPart(ByteRange range) {
        return !(range instanceof ByteRange.Whole);
    }

    /**
     * Returns the memory for the object of {@code merged}, which a server without ranges sends whole. Returns null for
     * a version check and for a request for a whole object, which do not use this memory.
     */
    @Nullable
    Reservation reservation(MergedRead merged) {
        return isPart(merged.range()) && !merged.tasks().isEmpty()
                ? new Reservation(merged.key(), merged.largest())
                : null;
    }

    /** Returns the memory for a request of a part of the object under {@code key}. */
    Reservation reservation(String key) {
        return new Reservation(key, Long.MAX_VALUE);
    }

    /** Returns the whole object under {@code key}, if it is kept and contains the range. */
    synchronized Optional<FetchResult.Found> find(String key, ByteRange range) {
        return isPart(range)
                ? Optional.ofNullable(bodies.get(key))
                        .map(Body::object)
                        .filter(found -> !(range instanceof ByteRange.Slice s) || s.end() <= found.objectSize())
                : Optional.empty();
    }

    /**
     * Sets {@code merged} aside and returns true if a server sends whole objects and another request is receiving this
     * one. Otherwise returns false; the caller sends the request, so the object counts as being downloaded from now on.
     */
    synchronized boolean park(MergedRead merged) {
        if (!isPart(merged.range()) || merged.tasks().isEmpty()) {
            return false;
        } else if (noRanges && downloading.contains(merged.key())) {
            parked.computeIfAbsent(merged.key(), k -> new ArrayList<>()).add(merged);
            parkedCount++;
            return true;
        }
        downloading.add(merged.key());
        return false;
    }

    /** Completes a request and returns the requests that waited for it. */
    synchronized List<MergedRead> arrived(MergedRead merged) {
        if (!isPart(merged.range()) || merged.tasks().isEmpty()) {
            return List.of();
        }
        downloading.remove(merged.key());
        List<MergedRead> released = parked.getOrDefault(merged.key(), List.of());
        parked.remove(merged.key());
        parkedCount -= released.size();
        return released;
    }

    /** Returns the number of waiting requests. */
    synchronized int parkedCount() {
        return parkedCount;
    }

    /** Drops all waiting requests. */
    synchronized void cancel() {
        parked.clear();
        parkedCount = 0;
    }

    /** Releases all memory. */
    synchronized void close() {
        closed = true;
        List.copyOf(bodies.keySet()).forEach(this::evict);
    }
}
