package dev.shardkit.store;

import java.net.URI;
import java.util.Optional;

/** Says where objects are physically stored, for programs that read them directly. Thread-safe. */
public interface ObjectLocations extends Ability {
    /**
     * Returns the location of the bytes of the object under {@code key}. Sends no request, so the object need not
     * exist. Empty if the bytes are not in one place that another program can read.
     */
    Optional<Location> locate(String key);

    /**
     * A location outside the store. Byte n of the object is byte {@code offset + n} there.
     *
     * @param uri a {@code file:} URI, or the URL of the object, without credentials
     * @param offset the offset of the object's first byte
     */
    record Location(URI uri, long offset) {}
}
