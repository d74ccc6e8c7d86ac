package dev.shardkit.store;

import java.net.URI;
import java.util.Optional;

/** Returns where objects are physically stored, for programs that read them directly. Thread-safe. */
public interface Locates extends Ability {
    /**
     * Returns the location of the bytes of the object under {@code key}. Sends no request, so the object need not
     * exist. Empty if they are not in one place that another program can read.
     */
    Optional<Place> locate(String key);

    /**
     * A place. Byte n of the value is byte offset + n there.
     *
     * @param uri a {@code file:} URI, or the URL of the object, without credentials
     * @param offset the offset of the value's first byte
     */
    record Place(URI uri, long offset) {}
}
