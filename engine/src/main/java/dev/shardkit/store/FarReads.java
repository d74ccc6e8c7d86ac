package dev.shardkit.store;

import dev.shardkit.spi.plan.ByteRange;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Reads whose answers come later: HTTP, object stores. Many are under way at once. Thread-safe.
 *
 * <p>A future fails with a {@link dev.shardkit.spi.error.ZarrException} or an {@code IOException}, and with
 * {@link ObjectChangedException} where a pin does not hold. Cancelling it ends the exchange.
 */
public non-sealed interface FarReads extends Reads {
    /**
     * Reads a range of the object under {@code key}.
     *
     * @param pin the version that it must still have, from an earlier answer
     * @param listener is told of repeated tries
     */
    CompletableFuture<Fetched> fetch(String key, ByteRange range, Optional<String> pin, StoreListener listener);

    /**
     * Reads a range, and keeps the whole object if it has to come in place of the range and {@code room} holds it
     * ({@link Fetched.Found#whole}).
     */
    default CompletableFuture<Fetched> fetch(
            String key, ByteRange range, Optional<String> pin, StoreListener listener, Room room) {
        return fetch(key, range, pin, listener);
    }

    /** How long what was read may be used again without asking whether it has changed; zero to always ask. */
    default Duration freshFor() {
        return Duration.ZERO;
    }

    /**
     * Returns how many requests of one call may be under way at once, asked again and again: a store learns. Ranges of
     * one object that may still be merged wait for {@link MergePolicy#parallel} of its merge policy, which is also the
     * default.
     */
    default int mostRequests() {
        return mergePolicy().parallel();
    }

    @Override
    default MergePolicy mergePolicy() {
        return MergePolicy.remote();
    }
}
