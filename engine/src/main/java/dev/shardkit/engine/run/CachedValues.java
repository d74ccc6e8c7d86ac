package dev.shardkit.engine.run;

import dev.shardkit.spi.plan.ReadRequest;
import dev.shardkit.store.FarReads;
import java.time.Duration;
import java.util.Optional;

/**
 * Looks up cached values of far objects for one run, which may use a value only in the version that the run has pinned.
 *
 * @param store defines for how long a version is trusted without a request
 * @param pins the versions of the run; its monitor guards them, and {@link #find}
 */
record CachedValues(ReadContext context, FarReads store, TaskRunner answering, PinnedVersions pins) {
    private static final String NO_VERSION = "";

    /** Returns the cached value of a request, of the version that this run reads or will confirm. */
    Optional<Object> find(ReadRequest<?> request) {
        String key = request.key();
        Optional<PinnedVersions.Seen> pin = pins.get(key);
        if (pin.isPresent()) {
            return under(pin.get().version()).flatMap(v -> answering.kept(request, v));
        }
        // a cached value of an object without versions is usable only if the objects are known not to change
        Optional<ValueCache.Known> known = context.cache()
                .known(key)
                .filter(k -> isImmutable() || !k.version().equals(NO_VERSION));
        Optional<Object> value = known.flatMap(k -> answering.kept(request, k.version()));
        if (value.isPresent() && !known.get().version().equals(NO_VERSION)) {
            if (isFresh(known.get().seenNanos())) {
                pins.trust(key, known.get().version());
            } else {
                pins.believe(key, known.get().version());
            }
        }
        return value;
    }

    private boolean isFresh(long seenNanos) {
        Duration age = Duration.ofNanos(System.nanoTime() - seenNanos);
        return isImmutable() || context.cache().isTrusted(seenNanos) && age.compareTo(store.freshFor()) < 0;
    }

    /** Records the version in an answer to another run; its request may have been sent before this run began. */
    void hear(String key, Optional<String> version, long nanos) {
        PinnedVersions.Seen seen = PinnedVersions.Seen.of(version);
        Optional<PinnedVersions.Seen> before = pins.get(key);
        if (version.isEmpty()
                || isFresh(nanos)
                || before.filter(b -> !b.equals(seen)).isPresent()) {
            pins.confirm(key, seen);
        } else if (before.isEmpty()) {
            pins.believe(key, version.get());
        }
    }

    /**
     * Returns the version for caching values. An object without versions is cacheable only if it is known not to
     * change.
     */
    Optional<String> under(Optional<String> version) {
        return version.filter(v -> !v.equals(NO_VERSION))
                .or(() -> isImmutable() ? Optional.of(NO_VERSION) : Optional.empty());
    }

    private boolean isImmutable() {
        return context.freshness() == ReadContext.Freshness.IMMUTABLE;
    }
}
