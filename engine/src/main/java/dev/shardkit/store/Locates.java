package dev.shardkit.store;

import java.net.URI;
import java.util.Optional;

/** Says where objects physically lie, for programs that read them by themselves. Thread-safe. */
public interface Locates extends Ability {
    /**
     * Where the bytes of the value under {@code key} lie; nothing is asked of the store, so there need not be an
     * object. Empty if they lie in no one place that another program could read.
     */
    Optional<Place> locate(String key);

    /**
     * A place. Byte n of the value is byte offset + n there.
     *
     * @param uri a {@code file:} URI, or the URL of the object, without credentials
     * @param offset of the first byte
     */
    record Place(URI uri, long offset) {}
}
