package dev.shardkit.store;

import java.io.IOException;

/** Takes objects over from stores of the same kind, by giving them another name. Thread-safe. */
public interface Moves extends Ability {
    /**
     * Makes the object {@code from} of {@code source}, which may be this store, the value of {@code key} here, by
     * giving it another name at once. At every moment it is there or here, its bytes untouched. Nobody writes either of
     * them meanwhile.
     *
     * @return whether there was such an object
     * @throws dev.shardkit.spi.error.UnsupportedException if objects of that store cannot be moved here; nothing was
     *     done
     * @throws dev.shardkit.spi.error.StoreException if there is something under {@code key}
     */
    boolean takeOver(Store source, String from, String key, Durability durability) throws IOException;
}
