package dev.shardkit.store;

import java.io.IOException;

/** Copies objects inside the store, without their bytes going through this program. Thread-safe. */
public interface Copies extends Ability {
    /**
     * Copies the object {@code from} to {@code to}, atomically. A store may give one object two names (a hard link).
     * Then a change in place through one name is visible through the other; a put is not.
     *
     * @return false if there is no object {@code from}
     */
    boolean copy(String from, String to, Durability durability) throws IOException;
}
