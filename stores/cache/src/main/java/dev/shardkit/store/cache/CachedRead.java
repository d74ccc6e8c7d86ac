package dev.shardkit.store.cache;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.WholeBodyBudget;
import dev.shardkit.store.objects.LocalFetches;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One read of a cached store. Uses the cached files that cover the range, and requests the missing bytes from the
 * cached store. Cancelling it cancels its request. Used once.
 */
final class CachedRead extends CompletableFuture<FetchResult> {
    private final CachedReads reads;
    private final String key;
    private final ByteRange range;
    private final Optional<String> pin;
    private final StoreListener listener;
    private final WholeBodyBudget budget;

    CachedRead(
            CachedReads reads,
            String key,
            ByteRange range,
            Optional<String> pin,
            StoreListener listener,
            WholeBodyBudget budget) {
        this.reads = reads;
        this.key = key;
        this.range = range;
        this.pin = pin;
        this.listener = listener;
        this.budget = budget;
    }

    CachedRead start() {
        guarded(reads.mode() == CacheMode.OFFLINE ? this::readOffline : this::read);
        return this;
    }

    /** Runs a step of this read. An exception fails the read. */
    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            completeExceptionally(e);
        }
    }

    /** Reads from the cache only. */
    private void readOffline() {
        Optional<CachedState> state = reads.objects().state(key);
        if (state.isEmpty()) {
            throw missing("nothing of " + key + " is kept");
        } else if (state.get().isAbsent() && pin.isEmpty()) {
            reads.counters().hits.increment();
            complete(new FetchResult.Absent());
            return;
        } else if (pin.isPresent() && !pin.equals(state.get().version())) {
            throw new ObjectChangedException("expected version " + pin.get() + " of " + key + ", the cache holds "
                    + state.get().version().map(v -> "version " + v).orElse("that there is no object"));
        }
        ByteRange.Slice slice = LocalFetches.slice(range, state.get().size());
        RangeCover cover = reads.objects().coverOf(key, state.get().version().orElseThrow(), slice);
        if (!cover.isComplete() || !answeredFrom(state.get(), cover, null)) {
            throw missing((cover.isComplete() ? slice : cover.gap()) + " of " + key + " are not kept");
        }
    }

    private StoreException missing(String description) {
        return new StoreException(description + " in the cache of " + reads.described()
                + ", which is offline; read it once without the offline mode");
    }

    /** Reads from the cache, as far as it has the range, and requests the rest from the store. */
    private void read() {
        Optional<CachedState> cachedState = reads.objects().state(key).filter(state -> !state.isAbsent());
        Optional<ByteRange.Slice> slice = cachedState
                .filter(s -> pin.isEmpty() || pin.equals(s.version()))
                .flatMap(this::sliceOf);
        if (slice.isEmpty()) {
            askFor(range);
            return;
        }
        CachedState state = cachedState.get();
        String version = state.version().orElseThrow();
        RangeCover cover = reads.objects().coverOf(key, version, slice.get());
        if (cover.parts().isEmpty() && slice.get().length() > 0) {
            askFor(range);
        } else if (!cover.isComplete()) {
            askForGap(state, slice.get(), cover);
        } else if (needsCheck(version)) {
            check(state, cover);
        } else if (!answeredFrom(state, cover, null)) {
            askFor(range);
        }
    }

    /**
     * Returns the requested range as a slice of the cached version; empty if it does not fit that version. It may still
     * fit the current one.
     */
    private Optional<ByteRange.Slice> sliceOf(CachedState state) {
        try {
            return Optional.of(LocalFetches.slice(range, state.size()));
        } catch (CorruptDataException e) {
            return Optional.empty();
        }
    }

    private boolean needsCheck(String version) {
        return reads.mode() == CacheMode.CHECK
                && (pin.isEmpty() || !reads.confirmedVersions().isFresh(key, version, reads.freshFor()));
    }

    /**
     * Completes the read with cached bytes, and with received ones where the cache lacks some. Returns false if a
     * cached file is missing or damaged.
     *
     * @param gap the response with the missing bytes; null if the cover is complete
     */
    private boolean answeredFrom(CachedState state, RangeCover cover, FetchResult.@Nullable Found gap) {
        Optional<List<Bytes>> cachedParts = reads.objects().read(key, state, cover);
        if (cachedParts.isEmpty()) {
            return false;
        }
        Bytes bytes = gap == null ? Bytes.concat(cachedParts.get()) : joined(cover, cachedParts.get(), gap);
        if (gap == null) {
            reads.counters().hits.increment();
        }
        long receivedBytes = gap == null ? 0 : gap.received();
        complete(new FetchResult.Found(bytes, state.size(), state.version(), receivedBytes, Optional.empty()));
        return true;
    }

    /**
     * Joins cached and received parts in the order of their offsets. The gap is one range, so it may also hold cached
     * bytes between missing ones: these are skipped.
     */
    private static Bytes joined(RangeCover cover, List<Bytes> cachedParts, FetchResult.Found gap) {
        record At(long offset, Bytes bytes) {}
        List<At> pieces = new ArrayList<>();
        for (int i = 0; i < cachedParts.size(); i++) {
            pieces.add(new At(cover.parts().get(i).usedRange().offset(), cachedParts.get(i)));
        }
        long start = cover.gap().offset();
        cover.missing().forEach(m -> pieces.add(new At(m.offset(), gap.bytes().slice(m.offset() - start, m.length()))));
        pieces.sort(Comparator.comparingLong(At::offset));
        return Bytes.concat(pieces.stream().map(At::bytes).toList());
    }

    /** Reads one byte from the store to see the current version, then completes the read from cached files. */
    private void check(CachedState state, RangeCover cover) {
        // An empty object has no first byte.
        ByteRange probe = state.size() == 0 ? new ByteRange.Suffix(1) : new ByteRange.Slice(0, 1);
        reads.counters().checks.increment();
        follow(
                reads.request(key, probe, state.version(), reads.mayShare(pin), listener, WholeBodyBudget.NONE),
                found -> {
                    if (!isOf(state, found) || !answeredFrom(state, cover, null)) {
                        askFor(range);
                    }
                });
    }

    /** Requests one range with all missing bytes; the answer shows the version too. */
    private void askForGap(CachedState state, ByteRange.Slice requested, RangeCover cover) {
        reads.counters().misses.increment();
        follow(
                reads.request(key, cover.gap(), state.version(), reads.mayShare(pin), listener, WholeBodyBudget.NONE),
                found -> {
                    Optional<FetchResult.Found> gap = Optional.of(found)
                            .filter(f -> isOf(state, f))
                            .map(FetchResult.Found.class::cast)
                            .filter(f -> f.bytes().size() == cover.gap().length());
                    if (gap.isEmpty() || !answeredFrom(state, cover, gap.get())) {
                        askFor(range);
                    }
                });
    }

    private static boolean isOf(CachedState state, FetchResult fetched) {
        return fetched instanceof FetchResult.Found found && found.version().equals(state.version());
    }

    /** Requests the whole range from the store, without cached files. */
    private void askFor(ByteRange requestedRange) {
        reads.counters().misses.increment();
        CompletableFuture<FetchResult> request =
                reads.request(key, requestedRange, pin, reads.mayShare(pin), listener, budget);
        cancelWithThis(request);
        request.whenComplete((found, thrown) -> {
            if (thrown == null) {
                complete(found);
            } else {
                fail(thrown);
            }
        });
    }

    /**
     * Continues with an answer about the cached version. If the object has changed and the caller did not ask for a
     * certain version, reads the current one.
     */
    private void follow(CompletableFuture<FetchResult> request, Consumer<FetchResult> next) {
        cancelWithThis(request);
        request.whenComplete((found, thrown) -> guarded(() -> {
            if (isDone()) {
                return;
            } else if (thrown == null) {
                next.accept(found);
            } else if (pin.isEmpty() && saysThatItChanged(cause(thrown))) {
                askFor(range);
            } else {
                fail(thrown);
            }
        }));
    }

    /**
     * Returns whether a failure may mean that the object has changed since it was cached, as a range past its end may.
     */
    private static boolean saysThatItChanged(Throwable cause) {
        return cause instanceof ObjectChangedException || cause instanceof CorruptDataException;
    }

    /** Cancels a request when this read is cancelled. */
    private void cancelWithThis(CompletableFuture<FetchResult> request) {
        whenComplete((found, thrown) -> {
            if (isCancelled()) {
                request.cancel(true);
            }
        });
    }

    private void fail(Throwable thrown) {
        Throwable cause = cause(thrown);
        if (cause instanceof ObjectChangedException) {
            reads.confirmedVersions().forget(key);
        }
        completeExceptionally(cause);
    }

    private static Throwable cause(Throwable thrown) {
        Throwable cause = thrown;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
