package dev.shardkit.engine.run;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.BodyBudget;
import dev.shardkit.store.FetchResult;
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
final class WholeBodies {
    private static final AtomicLong SHARED = new AtomicLong(Runtime.getRuntime().maxMemory() / 8);

    private record Body(FetchResult.Found found, long reserved) {}

    private final AtomicLong budget;
    private final Map<String, Body> bodies = new LinkedHashMap<>(16, 0.75f, true);
    private final Set<String> onTheirWay = new HashSet<>();
    private final Map<String, List<MergedRead>> parked = new HashMap<>();
    /** The number of parked requests: a run asks for it at its end, also if there is no memory to count them. */
    private int waiting;

    private long kept;
    private boolean noRanges;
    private boolean closed;

    WholeBodies() {
        this(SHARED);
    }

    /** Uses a budget of {@code budget} bytes, shared with other runs. */
    WholeBodies(AtomicLong budget) {
        this.budget = budget;
    }

    /** The memory of one request. */
    final class Reservation implements BodyBudget {
        private final String key;
        private final long maxBytes;
        private long reserved;
        private boolean over;

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
            synchronized (WholeBodies.this) {
                if (over || closed) {
                    return false;
                }
                long more = bytes - reserved;
                if (more > 0 && !take(more)) {
                    return false;
                }
                reserved = Math.max(reserved, bytes);
                return true;
            }
        }

        /** Completes the request: keeps the whole object if it was received, and releases the unused memory. */
        void end(@Nullable FetchResult answer) {
            synchronized (WholeBodies.this) {
                if (over) {
                    return;
                }
                over = true;
                long used = keep(answer);
                budget.addAndGet(reserved - used);
            }
        }

        private long keep(@Nullable FetchResult answer) {
            if (closed
                    || !(answer instanceof FetchResult.Found found)
                    || found.whole().isEmpty()) {
                return 0;
            }
            Bytes whole = found.whole().get();
            noRanges = true;
            if (whole.size() > reserved || whole.size() != found.objectSize()) {
                return 0; // the store kept more than it was granted
            }
            drop(key);
            bodies.put(key, new Body(new FetchResult.Found(whole, whole.size(), found.version()), whole.size()));
            kept += whole.size();
            return whole.size();
        }
    }

    private boolean take(long more) {
        // still useful if other reads need all of it
        while (more <= budget.get() + kept) {
            long left = budget.get();
            if (more > left) {
                Iterator<String> oldest = bodies.keySet().iterator();
                if (!oldest.hasNext()) {
                    return false;
                }
                drop(oldest.next());
            } else if (budget.compareAndSet(left, left - more)) {
                return true;
            }
        }
        return false;
    }

    private void drop(String key) {
        Optional.ofNullable(bodies.remove(key)).ifPresent(body -> {
            kept -= body.reserved();
            budget.addAndGet(body.reserved());
        });
    }

    private static boolean isPart(ByteRange range) {
        return !(range instanceof ByteRange.Whole);
    }

    /**
     * Returns the memory for the whole object of {@code merged}; null for a version check, and for requests of whole
     * objects.
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

    /** Returns the range from the whole object, if it is here and contains it. */
    synchronized Optional<FetchResult.Found> find(String key, ByteRange range) {
        return isPart(range)
                ? Optional.ofNullable(bodies.get(key))
                        .map(Body::found)
                        .filter(found -> !(range instanceof ByteRange.Slice s) || s.end() <= found.objectSize())
                : Optional.empty();
    }

    /**
     * Returns whether {@code merged} must wait because its object is being downloaded. If not, the object counts as
     * being downloaded from now on.
     */
    synchronized boolean park(MergedRead merged) {
        if (!isPart(merged.range()) || merged.tasks().isEmpty()) {
            return false;
        } else if (noRanges && onTheirWay.contains(merged.key())) {
            parked.computeIfAbsent(merged.key(), k -> new ArrayList<>()).add(merged);
            waiting++;
            return true;
        }
        onTheirWay.add(merged.key());
        return false;
    }

    /** Completes a request and returns the requests that waited for it. */
    synchronized List<MergedRead> arrived(MergedRead merged) {
        if (!isPart(merged.range()) || merged.tasks().isEmpty()) {
            return List.of();
        }
        onTheirWay.remove(merged.key());
        List<MergedRead> ended = parked.getOrDefault(merged.key(), List.of());
        parked.remove(merged.key());
        waiting -= ended.size();
        return ended;
    }

    /** Returns the number of waiting requests. */
    synchronized int waiting() {
        return waiting;
    }

    /** Drops all waiting requests. */
    synchronized void cancel() {
        parked.clear();
        waiting = 0;
    }

    /** Releases all memory. */
    synchronized void close() {
        closed = true;
        List.copyOf(bodies.keySet()).forEach(this::drop);
    }
}
