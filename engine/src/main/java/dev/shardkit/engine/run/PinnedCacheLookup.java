package dev.shardkit.engine.run;

import dev.shardkit.spi.plan.ReadRequest;
import dev.shardkit.store.RemoteReads;
import java.time.Duration;
import java.util.Optional;

/**
 * Looks up decoded values of remote objects in the {@link ValueCache} for one run, which may use a value only in the
 * version that the run has pinned. It holds no values.
 *
 * @param store defines for how long a version is trusted without a request
 * @param pins the versions of the run; its monitor guards them, and {@link #find}
 */
record PinnedCacheLookup(ReadContext context, RemoteReads store, TaskRunner runner, PinnedVersions pins) {
    /** Stands in the cache for the version of an object whose store reports none. */
    private static final String NO_VERSION = "";

    /** Returns the cached value of a request, of the version that this run reads or will confirm. */
    Optional<Object> find(ReadRequest<?> request) {
        String key = request.key();
        Optional<PinnedVersions.Seen> pin = pins.get(key);
        if (pin.isPresent()) {
            return cacheVersion(pin.get().version()).flatMap(v -> runner.cached(request, v));
        }
        // a cached value of an object without versions is usable only if the objects are known not to change
        Optional<ValueCache.Known> lastSeen = context.cache()
                .known(key)
                .filter(k -> isImmutable() || !k.version().equals(NO_VERSION));
        Optional<Object> value = lastSeen.flatMap(k -> runner.cached(request, k.version()));
        if (value.isPresent() && !lastSeen.get().version().equals(NO_VERSION)) {
            if (isFresh(lastSeen.get().seenNanos())) {
                pins.assumeConfirmed(key, lastSeen.get().version());
            } else {
                pins.assumeUnconfirmed(key, lastSeen.get().version());
            }
        }
        return value;
    }

    private boolean isFresh(long seenNanos) {
        Duration age = Duration.ofNanos(System.nanoTime() - seenNanos);
        return isImmutable() || context.cache().isTrusted(seenNanos) && age.compareTo(store.freshFor()) < 0;
    }

    /**
     * Records the version in another run's answer. The request for it may have been sent before this run began, so an
     * answer that is not fresh does not confirm the version. But another version than the pinned one shows a change.
     *
     * @param nanos the time of the answer
     */
    void recordOthersVersion(String key, Optional<String> version, long nanos) {
        PinnedVersions.Seen state = PinnedVersions.Seen.of(version);
        Optional<PinnedVersions.Seen> pinned = pins.get(key);
        if (version.isEmpty()
                || isFresh(nanos)
                || pinned.filter(seen -> !seen.equals(state)).isPresent()) {
            pins.confirm(key, state);
        } else if (pinned.isEmpty()) {
            pins.assumeUnconfirmed(key, version.get());
        }
    }

    /**
     * Returns the version for caching values. An object without versions is cacheable only if it is known not to
     * change.
     */
    Optional<String> cacheVersion(Optional<String> version) {
        return version.filter(v -> !v.equals(NO_VERSION))
                .or(() -> isImmutable() ? Optional.of(NO_VERSION) : Optional.empty());
    }

    private boolean isImmutable() {
        return context.freshness() == ReadContext.Freshness.IMMUTABLE;
    }
}
