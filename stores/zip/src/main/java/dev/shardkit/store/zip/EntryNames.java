package dev.shardkit.store.zip;

import dev.shardkit.spi.StoreKeys;
import dev.shardkit.store.keys.Keys;
import java.util.Optional;

/**
 * Maps keys of a store to names of entries, and names the archive itself as an object.
 *
 * @param root the path in the archive that is the root of the store; empty for the whole archive
 */
record EntryNames(String root) {
    /** The prefix of keys for the archive itself. Keys of callers cannot begin with it. */
    private static final String ARCHIVE = Keys.RESERVED + "-zip/";

    /** Returns the name of the entry for {@code key}. */
    String entryName(String key) {
        Keys.check(key);
        return StoreKeys.join(root, key);
    }

    /** Returns the common prefix of the names of all entries below {@code prefix}. */
    String entryPrefix(String prefix) {
        Keys.checkPrefix(prefix);
        return StoreKeys.prefix(StoreKeys.join(root, prefix));
    }

    /**
     * Returns the key under which the engine reads the archive itself. Entries that are stored without compression are
     * ranges of it, so the engine can merge their reads. The key holds for one {@code generation} of the archive's
     * directory, because another one has other offsets.
     */
    static String archiveKey(long generation) {
        return ARCHIVE + generation;
    }

    /** Returns the generation of the archive's directory if {@code key} names the archive itself. */
    static Optional<Long> archiveGeneration(String key) {
        return key.startsWith(ARCHIVE) && key.substring(ARCHIVE.length()).matches("[0-9]{1,18}")
                ? Optional.of(Long.parseLong(key.substring(ARCHIVE.length())))
                : Optional.empty();
    }
}
