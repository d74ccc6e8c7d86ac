package dev.shardkit.engine.run;

import dev.shardkit.engine.threads.QuietListener;
import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.Reads;
import dev.shardkit.store.StoreListener;
import java.util.function.Supplier;

/**
 * The settings of a run that reads: the store, the merge policy, the cache and the listener. Immutable.
 *
 * @param reads the store's reads
 * @param array the array's location, for errors
 * @param policy the current merge policy; called repeatedly, because a store measures
 * @param cache the values that are kept between calls
 * @param freshness whether cached values are checked against the store
 * @param listener receives events; exceptions that it throws are logged and ignored, an {@link Error} ends the run
 * @param usesPermits whether blocking calls decode with permits, which other threads may then do for them. Only for
 *     calls that run no code of the caller, because such code may hold locks and wait
 * @param check decides about data that look corrupt, and about absent objects
 */
public record ReadContext(
        Reads reads,
        String array,
        Supplier<MergePolicy> policy,
        ValueCache cache,
        Freshness freshness,
        StoreListener listener,
        boolean usesPermits,
        ArrayIdentityCheck check) {
    /** Wraps the listener. */
    public ReadContext {
        listener = QuietListener.of(listener);
    }

    /** Creates the context of a call that decodes at once. */
    public ReadContext(
            Reads reads,
            String array,
            Supplier<MergePolicy> policy,
            ValueCache cache,
            Freshness freshness,
            StoreListener listener) {
        this(reads, array, policy, cache, freshness, listener, false, ArrayIdentityCheck.NONE);
    }

    /** Returns the current merge policy. */
    MergePolicy merge() {
        return policy.get();
    }

    /** Returns a copy with another view of the objects. */
    public ReadContext with(Reads view) {
        return new ReadContext(view, array, policy, cache, freshness, listener, usesPermits, check);
    }

    /** Returns a copy that checks cached values. */
    public ReadContext revalidating() {
        return new ReadContext(reads, array, policy, cache, Freshness.REVALIDATE, listener, usesPermits, check);
    }

    /** Returns a copy without a listener. */
    public ReadContext quiet() {
        return new ReadContext(reads, array, policy, cache, freshness, StoreListener.NONE, usesPermits, check);
    }

    /** Returns a copy for calls that decode with permits. */
    public ReadContext withDecodePermits() {
        return new ReadContext(reads, array, policy, cache, freshness, listener, true, check);
    }

    /** Returns a copy with another check of what a run finds; to be used for one call. */
    public ReadContext checkedBy(ArrayIdentityCheck judge) {
        return new ReadContext(reads, array, policy, cache, freshness, listener, usesPermits, judge);
    }

    /** Whether cached values are checked against the store before use. */
    public enum Freshness {
        /**
         * By version, at every call (remote stores: unless the version was seen a moment ago, see
         * RemoteReads.freshFor).
         */
        REVALIDATE,
        /** Never: the stored objects are known not to change. */
        IMMUTABLE
    }
}
