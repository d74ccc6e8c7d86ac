package dev.shardkit.store.zip;

import dev.shardkit.spi.plan.Bytes;
import java.util.Optional;

/** The change of an entry in a {@link ArchiveDraft}. Immutable. */
sealed interface EntryChange {
    /** Returns the version of the entry; empty if it was deleted. */
    Optional<String> version();

    /** The entry was deleted. */
    record Gone() implements EntryChange {
        @Override
        public Optional<String> version() {
            return Optional.empty();
        }
    }

    /** The document of a node. It stays in memory, because it comes first in the archive. */
    record Document(Bytes bytes, String entryVersion) implements EntryChange {
        @Override
        public Optional<String> version() {
            return Optional.of(entryVersion);
        }
    }

    /** The entry was written to the draft file. */
    record Written(DraftFile file, PlacedEntry placed, String entryVersion) implements EntryChange {
        @Override
        public Optional<String> version() {
            return Optional.of(entryVersion);
        }
    }
}
