package dev.shardkit.store.gcs;

import dev.shardkit.store.cloudtest.GcsServer;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;

/** Stores of fake-gcs-server. */
final class FakeGcs {
    private static final AtomicInteger STORES = new AtomicInteger();

    private FakeGcs() {}

    /** Returns a location that is empty. */
    static URI fresh() {
        return URI.create("gs://" + GcsServer.BUCKET + "/p%20" + STORES.incrementAndGet());
    }

    /** Returns a builder for a store of the server; skips the test if there is no server. */
    static GcsStoreBuilder builder(URI location) {
        return GcsStore.builder(location).endpoint(GcsServer.endpoint());
    }
}
