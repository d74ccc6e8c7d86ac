package dev.shardkit.store.reference;

import dev.shardkit.spi.error.MetadataException;

/**
 * The limits that remain for a document: the number of references, and the characters that expressions produce. Used by
 * one thread.
 */
final class Budget {
    /** The limit on the characters that all expressions of one document produce. */
    private static final long MAX_CHARACTERS = 256L << 20;

    /** The average number of characters of a reference's key and URL; the references stay in memory. */
    private static final long CHARACTERS_EACH = 512;

    private final long maximum;
    private final long maxCharacters;
    private long references;
    private long characters;

    Budget(long references) {
        this.maximum = references;
        this.maxCharacters = Math.min(MAX_CHARACTERS, CHARACTERS_EACH * (Math.min(MAX_CHARACTERS, references) + 2048));
    }

    /** Spends characters. */
    void spend(long n) {
        characters += n;
        if (characters > maxCharacters) {
            throw new MetadataException(
                    "expected expressions that produce at most " + maxCharacters + " characters in all, found more");
        }
    }

    /** Spends references, before they are created. */
    void reference(long n) {
        if (n > maximum - references) {
            throw new MetadataException(
                    "expected at most " + maximum + " references (the store's mostReferences), found more");
        }
        references += n;
    }
}
