package dev.shardkit.store;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * An entry of a listing: an object or a prefix. Immutable and thread-safe.
 *
 * @param name the last part of the key or prefix; in a listing of {@link Listings.Depth#ALL}, the key relative to the
 *     listed prefix
 * @param kind an object, a prefix or another file
 * @param size the size of an object in bytes, if the listing says it
 * @param version the version of an object, as a read would return it, if the listing says it
 */
public record Entry(String name, Kind kind, OptionalLong size, Optional<String> version) {
    /** An entry of unknown size and version. */
    public Entry(String name, Kind kind) {
        this(name, kind, OptionalLong.empty(), Optional.empty());
    }

    /** The kind of an entry. */
    public enum Kind {
        /** A key with a value. */
        OBJECT,
        /** A prefix of keys. */
        PREFIX,
        /** A file that every read refuses, such as a link out of the store, a pipe or a device. */
        OTHER
    }
}
