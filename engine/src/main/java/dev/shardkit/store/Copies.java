package dev.shardkit.store;

import java.io.IOException;

/** Copies objects inside the store, without their bytes going through this program. Thread-safe. */
public interface Copies extends Ability {
    /**
     * Copies the object {@code from} to {@code to}, atomically. A store may give one object two names (a hard link):
     * then a change in place through one name, but not a put, also shows under the other.
     *
     * @return false if there is no object {@code from}
     */
    boolean copy(String from, String to, Durability durability) throws IOException;
}
