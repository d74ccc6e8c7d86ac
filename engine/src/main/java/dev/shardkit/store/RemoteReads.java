package dev.shardkit.store;

import dev.shardkit.spi.plan.ByteRange;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Reads of a remote store, such as HTTP or an object store. Calls return futures; many run at once. Thread-safe.
 *
 * <p>A future fails with a {@link dev.shardkit.spi.error.ZarrException} or an {@code IOException}, and with
 * {@link ObjectChangedException} if the object no longer has the pinned version. Cancelling it ends the request.
 */
public non-sealed interface RemoteReads extends Reads {
    /** Reads a range of an object. */
    CompletableFuture<FetchResult> fetch(FetchRequest request);

    /** Reads a range of the object under {@code key}; see {@link FetchRequest#of}. */
    default CompletableFuture<FetchResult> fetch(
            String key, ByteRange range, Optional<String> pin, StoreListener listener) {
        return fetch(FetchRequest.of(key, range, pin, listener));
    }

    /** Returns how long cached values may be used without checking the object's version; zero to check always. */
    default Duration freshFor() {
        return Duration.ZERO;
    }

    /**
     * Returns how many requests of one call may run at once. The engine asks repeatedly, because a store may measure.
     * The default is {@link MergePolicy#parallel} of the merge policy. Ranges that could still be merged are always
     * limited to that number.
     */
    default int maxRequests() {
        return mergePolicy().parallel();
    }

    /**
     * Returns whether the engine may request a whole object and its index at once, and decode the object's parts while
     * it arrives: the store passes the bytes of whole objects to a {@link PartialResponseReceiver}, and the server is
     * known to answer ranges and to give versions. Must not block. By default false.
     */
    default boolean reportsProgress() {
        return false;
    }

    /**
     * Returns the reads for callers that are about to change the object. A store that answers from its own copies (a
     * cache) overrides this method, so that these reads see the current object. By default returns this.
     */
    default RemoteReads forWriters() {
        return this;
    }

    @Override
    default MergePolicy mergePolicy() {
        return MergePolicy.remote();
    }
}
