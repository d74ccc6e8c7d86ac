package dev.shardkit.store.zip;

import dev.shardkit.store.Snapshot;
import java.io.IOException;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;

/** What was put into an archive, and deleted from it, and is not published yet. Thread-safe. */
interface Changes {
    /** No changes, of an archive that is not written. */
    Changes NONE = new Changes() {
        @Override
        public Optional<Optional<Snapshot>> open(String name) {
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

    /** Opens an entry that was put; empty in it if it was deleted, empty if it was not changed. */
    Optional<Optional<Snapshot>> open(String name) throws IOException;

    /** The sizes of entries that were put, by name; empty for those that were deleted. */
    NavigableMap<String, OptionalLong> sizes();

    /** Whether there are changes. */
    boolean isOpen();
}
