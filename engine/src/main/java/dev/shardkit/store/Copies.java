package dev.shardkit.store;

import java.io.IOException;

/** Gives one object's value to another key, without its bytes going through this program. Thread-safe. */
public interface Copies extends Ability {
    /**
     * Makes the value of {@code from} that of {@code to} too, at once. Where the store gives one object two names, a
     * change in place (not a put) through one of them shows under the other as long as both are there.
     *
     * @return whether there was a value
     */
    boolean copy(String from, String to, Durability durability) throws IOException;
}
