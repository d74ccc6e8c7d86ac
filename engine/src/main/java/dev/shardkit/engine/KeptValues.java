package dev.shardkit.engine;

import dev.shardkit.spi.plan.Request;
import dev.shardkit.store.FarReads;
import java.time.Duration;
import java.util.Optional;

/**
 * What earlier calls kept of far objects, as one run may use it.
 *
 * @param store says how long ago a version may have been seen to be believed without asking
 * @param pins the versions of the run, guarded by its monitor, and so is {@link #find}
 */
record KeptValues(ReadContext context, FarReads store, Answering answering, Pins pins) {
    private static final String NO_VERSION = "";

    /** What was kept for a request, of the version that this run reads, or is to confirm. */
    Optional<Object> find(Request<?> request) {
        String key = request.key();
        Optional<Pins.Seen> pin = pins.get(key);
        if (pin.isPresent()) {
            return under(pin.get().version()).flatMap(v -> answering.kept(request, v));
        }
        // what was kept of an object without versions is of use only to those who know that it does not change
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
        return isImmutable() || age.compareTo(store.freshFor()) < 0;
    }

    /**
     * Takes in the version that an answer to another run has told; the request may have gone out before this run began.
     */
    void hear(String key, Optional<String> version, long nanos) {
        Pins.Seen seen = Pins.Seen.of(version);
        Optional<Pins.Seen> before = pins.get(key);
        if (version.isEmpty()
                || isFresh(nanos)
                || before.filter(b -> !b.equals(seen)).isPresent()) {
            pins.confirm(key, seen);
        } else if (before.isEmpty()) {
            pins.believe(key, version.get());
        }
    }

    /**
     * What values of a version are kept under; those of an object whose versions can't be told apart, only if it is
     * known not to change.
     */
    Optional<String> under(Optional<String> version) {
        return version.filter(v -> !v.equals(NO_VERSION))
                .or(() -> isImmutable() ? Optional.of(NO_VERSION) : Optional.empty());
    }

    private boolean isImmutable() {
        return context.freshness() == ReadContext.Freshness.IMMUTABLE;
    }
}
