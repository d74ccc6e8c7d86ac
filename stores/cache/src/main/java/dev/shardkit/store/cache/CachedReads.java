package dev.shardkit.store.cache;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.FetchRequest;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.ObjectPart;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.WholeBodyBudget;
import dev.shardkit.store.keys.Keys;
import dev.shardkit.store.objects.LocalFetches;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The reads of a {@link CachedStore}. They use cached ranges if the remote store behind it (here: the other store)
 * confirms that the object still has their version. The folder is read and written on the thread of the caller, or on
 * the thread that delivers a response. Thread-safe.
 */
final class CachedReads implements RemoteReads {
    /**
     * The maximum gap between merged ranges in bytes. It is fixed, so that a repeated read requests the same ranges and
     * finds them in the cache.
     */
    private static final long GAP = 64 << 10;

    /** The maximum size of a merged range in bytes. */
    private static final long LARGEST = 16 << 20;

    /** The reads of the other store. */
    private final RemoteReads reads;

    private final String described;
    private final boolean mayChangeHere;
    private final CacheMode mode;
    private final CachedObjects objects;
    private final Counters counters;
    private final ConfirmedVersions confirmedVersions = new ConfirmedVersions();
    private final SharedFetches shared = new SharedFetches();
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * @param mayChangeHere whether the other store can be written. Then a read without a version shares no request that
     *     was sent before it: its caller may hold a lock, and must see the newest content
     */
    CachedReads(
            RemoteReads reads,
            String described,
            boolean mayChangeHere,
            CacheMode mode,
            CachedObjects objects,
            Counters counters) {
        this.reads = reads;
        this.described = described;
        this.mayChangeHere = mayChangeHere;
        this.mode = mode;
        this.objects = objects;
        this.counters = counters;
    }

    CacheMode mode() {
        return mode;
    }

    CachedObjects objects() {
        return objects;
    }

    String described() {
        return described;
    }

    Counters counters() {
        return counters;
    }

    ConfirmedVersions confirmedVersions() {
        return confirmedVersions;
    }

    /**
     * Removes the cached ranges of an object after a change. The result of a read that was sent before the change is
     * not cached either, because it may have the old content.
     */
    void invalidate(String key) {
        confirmedVersions.change(key);
        objects.drop(key);
    }

    boolean close() {
        return closed.compareAndSet(false, true);
    }

    @Override
    public CompletableFuture<FetchResult> fetch(FetchRequest request) {
        Keys.check(request.key());
        if (closed.get()) {
            throw new IllegalStateException("closed: " + described);
        }
        return new CachedRead(this, request.key(), request.range(), request.pin(), request.listener(), request.budget())
                .start();
    }

    /** Reads from the other store, and caches the result. Never throws. */
    CompletableFuture<FetchResult> request(
            String key,
            ByteRange range,
            Optional<String> pin,
            boolean mayShare,
            StoreListener listener,
            WholeBodyBudget budget) {
        return mayShare
                ? shared.fetch(key, range, pin, () -> send(key, range, pin, listener, budget))
                : send(key, range, pin, listener, budget);
    }

    /** Returns whether a read may use the response to a request that was sent before the read began. */
    boolean mayShare(Optional<String> pin) {
        return pin.isPresent() || (!mayChangeHere && !reads.freshFor().isZero());
    }

    private CompletableFuture<FetchResult> send(
            String key, ByteRange range, Optional<String> pin, StoreListener listener, WholeBodyBudget budget) {
        long sent = System.nanoTime();
        long changes = confirmedVersions.changes();
        CompletableFuture<FetchResult> request;
        try {
            request = reads.fetch(FetchRequest.of(key, range, pin, listener).withBudget(budget));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
        // Completed after the result is cached, so that the next read finds it.
        CompletableFuture<FetchResult> response = new CompletableFuture<>();
        request.whenComplete((fetched, thrown) -> {
            if (thrown == null) {
                if (changes == confirmedVersions.changes()) {
                    tryToKeep(key, range, fetched, sent);
                }
                response.complete(fetched);
            } else {
                response.completeExceptionally(thrown);
            }
        });
        response.whenComplete((fetched, thrown) -> {
            if (response.isCancelled()) {
                request.cancel(true);
            }
        });
        return response;
    }

    /** Caches a result. Ignores failures, because the result is valid whether it can be cached or not. */
    private void tryToKeep(String key, ByteRange range, FetchResult fetched, long sent) {
        try {
            cache(key, range, fetched, sent);
        } catch (RuntimeException | OutOfMemoryError e) {
            counters.notCached.increment();
        }
    }

    /**
     * Caches a result. A single byte of a longer object is not cached, because such reads only check the version
     * ({@link CachedRead}).
     */
    private void cache(String key, ByteRange range, FetchResult fetched, long sent) {
        if (fetched instanceof FetchResult.Absent) {
            confirmedVersions.forget(key);
            objects.learn(key, CachedState.ABSENT);
            return;
        }
        FetchResult.Found found = (FetchResult.Found) fetched;
        if (found.version().isEmpty()) {
            return; // without versions, old and new content could not be told apart
        }
        String version = found.version().get();
        confirmedVersions.add(key, version, sent);
        if (found.whole().isPresent()) {
            ByteRange.Slice whole = new ByteRange.Slice(0, found.objectSize());
            objects.keep(key, version, found.objectSize(), whole, found.whole().get());
        } else if (found.bytes().size() > 1 || found.objectSize() <= 1) {
            ByteRange.Slice slice = LocalFetches.slice(range, found.objectSize());
            if (slice.length() == found.bytes().size()) {
                objects.keep(key, version, found.objectSize(), slice, found.bytes());
            }
        } else {
            objects.learn(key, new CachedState(found.version(), found.objectSize()));
        }
    }

    /**
     * Returns half of the other store's time. A read from the folder may rely on a version that was confirmed up to
     * that half ago, so both together do not exceed the other store's time.
     */
    @Override
    public Duration freshFor() {
        return mode == CacheMode.CHECK ? reads.freshFor().dividedBy(2) : Duration.ofDays(1);
    }

    /** Returns the reads of the other store: a writer must not use cached state. */
    @Override
    public RemoteReads forWriters() {
        return reads.forWriters();
    }

    @Override
    public MergePolicy mergePolicy() {
        MergePolicy policy = reads.mergePolicy();
        // A server that always sends whole objects keeps its policy: one request for each object.
        return policy.gap() > LARGEST ? policy : new MergePolicy(GAP, LARGEST, policy.parallel());
    }

    @Override
    public int maxRequests() {
        return reads.maxRequests();
    }

    @Override
    public Optional<List<ObjectPart>> parts(String key) {
        return reads.parts(key);
    }
}
