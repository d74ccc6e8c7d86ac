package dev.shardkit.store;

import java.net.URI;
import java.util.Optional;

/** Says where objects physically lie, for programs that read them by themselves. Thread-safe. */
public interface Locates extends Ability {
    /**
     * Returns where the bytes of the object under {@code key} lie. Sends no request, so the object need not exist.
     * Empty if they do not lie in one place that another program can read.
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
