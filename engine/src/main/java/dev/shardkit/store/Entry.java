package dev.shardkit.store;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * What lies below a prefix. Immutable and thread-safe.
 *
 * @param name the last part of the key or prefix; of a listing of {@link Lists.Depth#ALL} all that follows the prefix
 *     that was listed and its slash
 * @param kind what it is
 * @param size in bytes, if it is an object and the listing tells
 * @param version as a read would tell it, if it is an object and the listing tells
 */
public record Entry(String name, Kind kind, OptionalLong size, Optional<String> version) {
    /** Of which no more is known. */
    public Entry(String name, Kind kind) {
        this(name, kind, OptionalLong.empty(), Optional.empty());
    }

    /** What an entry is. */
    public enum Kind {
        /** A key with a value. */
        OBJECT,
        /** A prefix of keys. */
        PREFIX,
        /** Something that every read refuses: a link that leads out of the store, a pipe, a device. */
        OTHER
    }
}
