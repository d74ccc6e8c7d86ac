package dev.shardkit.store.azure;

import dev.shardkit.store.cloudtest.AzuriteServer;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;

/** Stores of Azurite. */
final class Azurite {
    private static final AtomicInteger STORES = new AtomicInteger();

    private Azurite() {}

    /** Returns a location that is empty. */
    static URI fresh() {
        return URI.create("az://" + AzuriteServer.CONTAINER + "/p%20" + STORES.incrementAndGet());
    }

    /** Returns a builder for a store of the server; skips the test if there is no server. */
    static AzureStoreBuilder builder(URI location) {
        return AzureStore.builder(location)
                .connectionString("UseDevelopmentStorage=true")
                .endpoint(AzuriteServer.endpoint());
    }
}
