package dev.shardkit.store;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Lists objects by prefix. A store whose calls block implements {@link BlockingListings}. Listings leave out
 * {@linkplain OwnNames#isOwn shardkit's own names} and everything below them. Thread-safe.
 */
public interface Listings extends Ability {
    /**
     * Lists the entries below {@code prefix} (empty for the root), in no order. Sends no request before
     * {@link Names#next}.
     */
    Names list(String prefix, Depth depth);

    /** How deep a listing goes. */
    enum Depth {
        /** Objects and prefixes directly below the prefix. */
        ONE,
        /**
         * All objects below the prefix, and entries of kind {@link Entry.Kind#OTHER}; names are relative to the prefix.
         */
        ALL
    }

    /** A listing, batch by batch. Used by one thread at a time. */
    interface Names extends AutoCloseable {
        /**
         * Returns the next batch; it is empty only at the end. Call it again after the previous stage has completed.
         */
        CompletionStage<List<Entry>> next();

        /** Cancels running requests. */
        @Override
        default void close() {}
    }
}
