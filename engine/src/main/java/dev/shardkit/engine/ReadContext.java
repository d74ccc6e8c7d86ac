package dev.shardkit.engine;

import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.Reads;
import dev.shardkit.store.StoreListener;
import java.util.function.Supplier;

/**
 * What a run needs beside its plan. Immutable.
 *
 * @param reads where the bytes are
 * @param array the array's location, for errors
 * @param policy how reads are merged, asked again and again: a store learns
 * @param cache what is kept between calls
 * @param freshness whether kept values are checked against the store
 * @param listener receives events; exceptions that it throws are logged and ignored, an {@link Error} ends the run
 */
public record ReadContext(
        Reads reads,
        String array,
        Supplier<MergePolicy> policy,
        ValueCache cache,
        Freshness freshness,
        StoreListener listener) {
    /** Guards the listener. */
    public ReadContext {
        listener = QuietListener.of(listener);
    }

    /** How reads are merged now. */
    MergePolicy merge() {
        return policy.get();
    }

    /** The same with another view of the objects. */
    ReadContext with(Reads view) {
        return new ReadContext(view, array, policy, cache, freshness, listener);
    }

    /** The same, but what was kept is checked. */
    ReadContext revalidating() {
        return new ReadContext(reads, array, policy, cache, Freshness.REVALIDATE, listener);
    }

    /** The same, of which no listener is told. */
    public ReadContext quiet() {
        return new ReadContext(reads, array, policy, cache, freshness, StoreListener.NONE);
    }

    /** Whether what was kept is checked against the store before it is used. */
    public enum Freshness {
        /** By version, at every call (far stores: unless it was seen a moment ago, see FarReads.freshFor). */
        REVALIDATE,
        /** Never: the stored objects are known not to change. */
        IMMUTABLE
    }
}
