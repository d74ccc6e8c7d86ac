package dev.shardkit.fuzz;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Puts the objects of a fuzz input into a store. */
final class Stored {
    private Stored() {}

    static void put(Store store, String key, byte[] bytes) {
        try {
            BlockingStore.to(store).put(key, Content.of(Bytes.of(bytes)), Durability.NONE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
