package dev.shardkit.store;

import java.io.IOException;
import java.util.function.Consumer;

/** Finds and removes files that killed writers left in places that the store reserves for itself. Thread-safe. */
public interface LeftoverCleanup extends Ability {
    /** Finds the leftovers below {@code prefix}, except files that a writer may still be using. */
    void leftovers(String prefix, Consumer<Leftover> leftovers) throws IOException;

    /** Removes a leftover of kind {@link Leftover.Kind#TEMPORARY}; false if it was gone. */
    boolean remove(Leftover leftover) throws IOException;
}
