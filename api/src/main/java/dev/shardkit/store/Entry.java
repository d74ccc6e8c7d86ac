package dev.shardkit.store;

/**
 * What lies directly below a prefix. Immutable and thread-safe.
 *
 * @param name the last part of the key or prefix
 * @param kind what it is
 */
public record Entry(String name, Kind kind) {
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
