package dev.shardkit.store;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Names its objects. A store whose calls return when they are done implements {@link BlockingLists}. Thread-safe. Names
 * that start with "__" are left out, with all that lies below them.
 */
public interface Lists extends Ability {
    /**
     * Names what lies below {@code prefix} (empty for the root), in no order; nothing is asked of the store before
     * {@link Names#next}.
     */
    Names list(String prefix, Depth depth);

    /** How far down. */
    enum Depth {
        /** What lies directly below: objects and prefixes. */
        ONE,
        /** All objects below, and nothing else but {@link Entry.Kind#OTHER}; names are relative to the prefix. */
        ALL
    }

    /** Entries that come batch by batch. Used by one thread at a time. */
    interface Names extends AutoCloseable {
        /** The next entries; none at the end, and only there. Called again when the last stage has completed. */
        CompletionStage<List<Entry>> next();

        /** Ends what is under way. */
        @Override
        default void close() {}
    }
}
