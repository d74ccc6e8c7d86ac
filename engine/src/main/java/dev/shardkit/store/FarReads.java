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
public non-sealed interface FarReads extends Reads {
    /**
     * Reads a range of the object under {@code key}.
     *
     * @param pin the version that the object must still have, from an earlier answer; empty for any version
     * @param listener is notified of retries
     */
    CompletableFuture<Fetched> fetch(String key, ByteRange range, Optional<String> pin, StoreListener listener);

    /**
     * Reads a range. If the server sends the whole object instead, the answer keeps it, provided that {@code room}
     * holds it ({@link Fetched.Found#whole}). By default reads the range only.
     */
    default CompletableFuture<Fetched> fetch(
            String key, ByteRange range, Optional<String> pin, StoreListener listener, Room room) {
        return fetch(key, range, pin, listener);
    }

    /**
     * Reads a range, and passes its bytes to {@code arrival} while they arrive. By default passes nothing before the
     * complete answer.
     */
    default CompletableFuture<Fetched> fetch(
            String key, ByteRange range, Optional<String> pin, StoreListener listener, Room room, Arrival arrival) {
        return fetch(key, range, pin, listener, room);
    }

    /**
     * Reads a range for a caller whose code that depends on the future never blocks and takes microseconds. So the
     * store may complete the future on a thread that must not block, such as an I/O thread. A store that handles the
     * answers of another store must not pass such a call on, unless its own code never blocks either. By default reads
     * as {@link #fetch}.
     */
    default CompletableFuture<Fetched> fetchDirectly(
            String key, ByteRange range, Optional<String> pin, StoreListener listener, Room room, Arrival arrival) {
        return fetch(key, range, pin, listener, room, arrival);
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
    default int mostRequests() {
        return mergePolicy().parallel();
    }

    /**
     * Whether the engine may request a whole object and its index at once, and decode the object's parts while it
     * arrives: the store passes the bytes of whole objects to an {@link Arrival}, and the server is known to answer
     * ranges and to give versions. Must not block. By default false.
     */
    default boolean passesBeginnings() {
        return false;
    }

    /**
     * Returns the reads for callers that are about to change the object. A store that answers from its own copies (a
     * cache) overrides it, so that these reads see the current object. By default returns this.
     */
    default FarReads forWriters() {
        return this;
    }

    @Override
    default MergePolicy mergePolicy() {
        return MergePolicy.remote();
    }
}
