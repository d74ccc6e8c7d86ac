package dev.shardkit.store;

import java.io.IOException;
import java.util.function.Consumer;

/** Finds and removes what killed writers have left in places that the store keeps for itself. Thread-safe. */
public interface Sweeps extends Ability {
    /** Names what is left below {@code prefix}. What a writer may still be using is not named. */
    void leftovers(String prefix, Consumer<Leftover> leftovers) throws IOException;

    /** Removes a leftover of kind {@link Leftover.Kind#TEMPORARY}; whether it was there. */
    boolean remove(Leftover leftover) throws IOException;
}
