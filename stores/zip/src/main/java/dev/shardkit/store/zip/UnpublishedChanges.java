package dev.shardkit.store.zip;

import dev.shardkit.store.ObjectSnapshot;
import java.io.IOException;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;

/** The puts and deletes of an archive that are not published yet. Thread-safe. */
interface UnpublishedChanges {
    /** The changes of an archive that is only read: none. */
    UnpublishedChanges NONE = new UnpublishedChanges() {
        @Override
        public Optional<Optional<ObjectSnapshot>> open(String name) {
            return Optional.empty();
        }

        @Override
        public NavigableMap<String, OptionalLong> sizes() {
            return Collections.emptyNavigableMap();
        }

        @Override
        public boolean isOpen() {
            return false;
        }
    };

    /**
     * Opens an entry that was put. Returns an empty inner value if the entry was deleted, and an empty outer value if
     * it was not changed.
     */
    Optional<Optional<ObjectSnapshot>> open(String name) throws IOException;

    /** Returns the size in bytes of each changed entry by name; empty for a deleted entry. */
    NavigableMap<String, OptionalLong> sizes();

    /** Returns whether there are changes. */
    boolean isOpen();
}
