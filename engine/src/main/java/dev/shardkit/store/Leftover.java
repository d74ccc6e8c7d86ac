package dev.shardkit.store;

import java.util.Optional;

/**
 * A file that a killed writer left in a place that the store reserves for itself. Immutable.
 *
 * @param kind its kind
 * @param name unique in the store; for messages and for {@link LeftoverCleanup#remove}
 * @param key the object that it belongs to, if known
 * @param bytes its size in bytes
 */
public record Leftover(Kind kind, String name, Optional<String> key, long bytes) {
    /** The kind of a leftover. */
    public enum Kind {
        /** An unfinished new value of an object, which was never published. It can be removed. */
        TEMPORARY,
        /**
         * The journal of an interrupted patch; {@link Patches#recover} completes or rolls back the patch and removes
         * it.
         */
        JOURNAL,
        /** An incomplete journal of a patch that never began; {@link Patches#recover} removes it. */
        UNBEGUN_JOURNAL,
        /**
         * A journal of an interrupted patch whose object another program has written since. shardkit does not apply it;
         * it can be removed manually.
         */
        JOURNAL_SET_ASIDE,
        /** A file that shardkit does not write there, such as a link or a directory. shardkit never removes it. */
        FOREIGN
    }
}
