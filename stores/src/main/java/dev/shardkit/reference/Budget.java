package dev.shardkit.reference;

import dev.shardkit.spi.error.MetadataException;

/** How much a document may still ask for: references, and characters that expressions make. Used by one thread. */
final class Budget {
  /** All that expressions of one document may write, in characters. */
  private static final long MOST_CHARACTERS = 256L << 20;

  private final long most;
  private long references;
  private long characters;

  Budget(long references) {
    this.most = references;
  }

  /** Takes so many characters. */
  void spend(long n) {
    characters += n;
    if (characters > MOST_CHARACTERS) {
      throw new MetadataException("expected expressions that make at most " + MOST_CHARACTERS
          + " characters in all, found more");
    }
  }

  /** Takes so many references, before they are made. */
  void reference(long n) {
    if (n > most - references) {
      throw new MetadataException("expected at most " + most + " references (the store's mostReferences), found more");
    }
    references += n;
  }
}
