package dev.shardkit.store.reference;

import dev.shardkit.spi.error.MetadataException;

/**
 * Counts the references of a document, and the characters that its expressions produce, and throws when a limit is
 * exceeded. A small document could otherwise generate references until memory runs out. Used by one thread.
 */
final class Budget {
    /** The limit on the characters that all expressions of one document produce. */
    private static final long MAX_CHARACTERS = 256L << 20;

    /** The allowed average number of characters of a reference's key and URL, which stay in memory. */
    private static final long CHARACTERS_EACH = 512;

    private final long maximum;
    private final long maxCharacters;
    private long references;
    private long characters;

    Budget(long references) {
        this.maximum = references;
        // The inner minimum prevents an overflow; 2048 lets documents with few references produce 1 Mi characters.
        this.maxCharacters = Math.min(MAX_CHARACTERS, CHARACTERS_EACH * (Math.min(MAX_CHARACTERS, references) + 2048));
    }

    /** Counts characters, or steps of an evaluation. */
    void spend(long count) {
        characters += count;
        if (characters > maxCharacters) {
            throw new MetadataException(
                    "expected expressions that produce at most " + maxCharacters + " characters in all, found more");
        }
    }

    /** Counts references, before they are created. */
    void reference(long count) {
        if (count > maximum - references) {
            throw new MetadataException(
                    "expected at most " + maximum + " references (the store's mostReferences), found more");
        }
        references += count;
    }
}
