package dev.shardkit.store.zip;

import dev.shardkit.store.internal.Keys;
import java.util.Optional;

/**
 * The names of entries that a store's keys mean.
 *
 * @param root the path in the archive below which the store's keys are; empty for the whole archive
 */
record EntryNames(String root) {
    /** Keys of the archive itself begin with it, which no caller's key may. */
    private static final String ARCHIVE = Keys.RESERVED + "-zip/";

    /** The entry's name that {@code key} means. */
    String full(String key) {
        Keys.parts(key);
        return root.isEmpty() ? key : root + "/" + key;
    }

    /** What the names of entries below {@code prefix} begin with. */
    String below(String prefix) {
        Keys.prefixParts(prefix);
        String full = root.isEmpty() || prefix.isEmpty() ? root + prefix : root + "/" + prefix;
        return full.isEmpty() ? "" : full + "/";
    }

    /** The key of the archive itself, whose directory has been read as {@code generation}. */
    static String archive(long generation) {
        return ARCHIVE + generation;
    }

    /** The generation of the directory, if {@code key} is one of the archive itself. */
    static Optional<Long> generation(String key) {
        return key.startsWith(ARCHIVE) && key.substring(ARCHIVE.length()).matches("[0-9]{1,18}")
                ? Optional.of(Long.parseLong(key.substring(ARCHIVE.length())))
                : Optional.empty();
    }
}
