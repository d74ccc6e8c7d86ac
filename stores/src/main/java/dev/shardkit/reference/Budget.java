package dev.shardkit.reference;

import dev.shardkit.spi.error.MetadataException;

/** How much a document may still ask for: references, and characters that expressions make. Used by one thread. */
final class Budget {
    /** All that expressions of one document may write, in characters, however many references it may have. */
    private static final long MOST_CHARACTERS = 256L << 20;

    /** What a reference may take, its key and its URL, on average: what is made is kept. */
    private static final long CHARACTERS_EACH = 512;

    private final long most;
    private final long mostCharacters;
    private long references;
    private long characters;

    Budget(long references) {
        this.most = references;
        this.mostCharacters =
                Math.min(MOST_CHARACTERS, CHARACTERS_EACH * (Math.min(MOST_CHARACTERS, references) + 2048));
    }

    /** Takes so many characters. */
    void spend(long n) {
        characters += n;
        if (characters > mostCharacters) {
            throw new MetadataException(
                    "expected expressions that make at most " + mostCharacters + " characters in all, found more");
        }
    }

    /** Takes so many references, before they are made. */
    void reference(long n) {
        if (n > most - references) {
            throw new MetadataException(
                    "expected at most " + most + " references (the store's mostReferences), found more");
        }
        references += n;
    }
}
