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
 * @param usesPermits whether a blocking call needs a permit to decode; other threads may then decode for it. Only for
 *     calls that run no code of the caller, because such code may hold locks and wait
 * @param check decides whether corrupt data and absent objects are those of the array that was opened
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
    /** Wraps the listener, so that its exceptions are logged and ignored. */
    public ReadContext {
        listener = QuietListener.of(listener);
    }

    /** Creates the context of a call that decodes without permits. */
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

    /** Returns a copy, for one call, with another check of corrupt data and absent objects. */
    public ReadContext checkedBy(ArrayIdentityCheck judge) {
        return new ReadContext(reads, array, policy, cache, freshness, listener, usesPermits, judge);
    }

    /** Whether cached values are checked against the store before use. */
    public enum Freshness {
        /**
         * Checks the version in each call. For a remote store, a version that was seen a moment ago
         * ({@code RemoteReads.freshFor}) is not checked.
         */
        REVALIDATE,
        /** Checks nothing: the stored objects are known not to change. */
        IMMUTABLE
    }
}
