package dev.shardkit.store;

import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;

/** Copies objects inside the store, without their bytes going through this program. Thread-safe. */
public interface Copies extends Ability {
    /**
     * Copies the object {@code sourceKey} to {@code targetKey}, atomically. A store may give one object two names (a
     * hard link). Then a change in place through one name is visible through the other; a put is not.
     *
     * @return false if there is no object {@code sourceKey}
     */
    boolean copy(String sourceKey, String targetKey, Durability durability) throws IOException;

    /** Returns whether {@link #copyFrom} can copy objects of another store; by default it cannot. */
    default boolean copiesFrom(Store source) {
        return false;
    }

    /**
     * Copies the object {@code sourceKey} of another store to {@code targetKey} of this one, atomically, for example
     * between the buckets of one server.
     *
     * @return false if there is no object {@code sourceKey}
     * @throws UnsupportedException if objects of that store cannot be copied here ({@link #copiesFrom})
     */
    default boolean copyFrom(Store source, String sourceKey, String targetKey, Durability durability)
            throws IOException {
        throw new UnsupportedException("objects of " + source.describe() + " cannot be copied by this store");
    }
}
