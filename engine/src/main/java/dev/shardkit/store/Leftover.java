package dev.shardkit.store;

import java.util.Optional;

/**
 * Something that a killed writer left in the places that a store keeps for itself. Immutable.
 *
 * @param kind what it is
 * @param name tells it from others of the store, for people and for {@link Sweeps#remove}
 * @param key the object that it is about, where that can be told
 * @param bytes its size
 */
public record Leftover(Kind kind, String name, Optional<String> key, long bytes) {
    /** What a leftover is. */
    public enum Kind {
        /** The new value of an object that never took its place. It can be removed. */
        TEMPORARY,
        /** What is known of a patch that was cut short; {@link Patches#recover} ends that and removes it. */
        JOURNAL,
        /** The beginning of a journal, of a patch that never began; {@link Patches#recover} removes it. */
        UNBEGUN_JOURNAL,
        /**
         * A journal of a patch that was cut short, whose object another program has written since. No program acts by
         * it; a person may remove it.
         */
        JOURNAL_SET_ASIDE,
        /** Something that no writer of ours leaves there: a link or a directory, say. It is left as it is. */
        FOREIGN
    }
}
