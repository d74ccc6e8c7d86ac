package dev.shardkit.clouds;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.store.Store;
import dev.shardkit.store.azure.AzureStore;
import dev.shardkit.store.cloudtest.AzuriteServer;
import dev.shardkit.store.cloudtest.GcsServer;
import dev.shardkit.store.gcs.GcsStore;
import dev.shardkit.store.http.RetryPolicy;
import dev.shardkit.store.s3.AccessKey;
import dev.shardkit.store.s3.S3Store;
import dev.shardkit.testkit.server.VersityServer;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A place in a bucket of one of the clouds, with an array of one shard in which each writer has a row of its own.
 *
 * @param endpoint the server
 * @param keys for S3, an access key and its secret, with a colon between them
 * @param location {@code s3://BUCKET/PREFIX}, {@code gs://BUCKET/PREFIX} or {@code az://CONTAINER/PREFIX}
 */
record Bucket(URI endpoint, String keys, URI location) {
    /** The elements of a row lie in several inner chunks. */
    private static final int INNER = 64;

    /** The attempts of a store behind a proxy. */
    static final int TRIES = 8;

    private static final Duration CONNECT = Duration.ofSeconds(10);

    private static final AtomicInteger PLACES = new AtomicInteger();

    /** Returns an empty place on the S3 server of the tests; skips the test if there is none. */
    static Bucket ofS3() {
        return new Bucket(
                VersityServer.server(),
                VersityServer.ACCESS_KEY + ":" + VersityServer.SECRET_KEY,
                URI.create("s3://" + VersityServer.BUCKET + place()));
    }

    /** The same of Google. */
    static Bucket ofGoogle() {
        return new Bucket(GcsServer.endpoint(), "", URI.create("gs://" + GcsServer.BUCKET + place()));
    }

    /** The same of Azure. */
    static Bucket ofAzure() {
        return new Bucket(AzuriteServer.endpoint(), "", URI.create("az://" + AzuriteServer.CONTAINER + place()));
    }

    private static String place() {
        return "/bucket%20" + PLACES.incrementAndGet(); // other tests of the process take prefixes "p N" of one server
    }

    Store store() {
        return store(CONNECT);
    }

    /** Returns a store that shares its connections with stores of the same connect timeout only. */
    Store store(Duration connectTimeout) {
        return store(endpoint, connectTimeout, 16, RetryPolicy.standard());
    }

    /** Returns a store whose requests go to a proxy of the server. */
    Store through(URI proxy) {
        return store(proxy, CONNECT, 16, RetryPolicy.standard());
    }

    /** Returns a store behind a proxy that breaks exchanges. A leaked permit of two would stop it soon. */
    Store behind(URI proxy) {
        return store(proxy, CONNECT, 2, new RetryPolicy(TRIES, Duration.ofMillis(1), Duration.ofMillis(4)));
    }

    private Store store(URI server, Duration connectTimeout, int requests, RetryPolicy retries) {
        return switch (location.getScheme()) {
            case "gs" ->
                GcsStore.builder(location)
                        .endpoint(server)
                        .connectTimeout(connectTimeout)
                        .maxConcurrentRequests(requests)
                        .retries(retries)
                        .build();
            case "az" ->
                AzureStore.builder(location)
                        .connectionString("UseDevelopmentStorage=true")
                        .endpoint(server)
                        .connectTimeout(connectTimeout)
                        .maxConcurrentRequests(requests)
                        .retries(retries)
                        .build();
            default -> {
                String[] key = keys.split(":", 2);
                yield S3Store.builder(location)
                        .endpoint(server)
                        .connectTimeout(connectTimeout)
                        .region("us-east-1")
                        .credentials(AccessKey.of(key[0], key[1]))
                        .maxConcurrentRequests(requests)
                        .retries(retries)
                        .build();
            }
        };
    }

    /** Creates the array, of one shard. */
    void create(int writers, int updates) {
        ArraySpec spec = ArraySpec.of("uint16", writers, updates)
                .withChunkShape(1, INNER)
                .withShardShape(writers, ((updates + INNER - 1) / INNER) * INNER);
        try (Store store = store();
                ZarrArray array = Zarr.createArray(store, "", spec, IfExists.OVERWRITE, ZarrOptions.defaults())) {
            array.shape();
        }
    }

    /** Writes one element after the other into a row; each write changes the shard. */
    void update(int row, int updates, Runnable afterEach) {
        try (Store store = store();
                ZarrArray array = Zarr.openArray(store, "", ZarrOptions.defaults())) {
            for (int i = 0; i < updates; i++) {
                array.write(Box.of(new long[] {row, i}, new long[] {1, 1}), new short[] {(short) (i + 1)}, 0);
                afterEach.run();
            }
        }
    }

    /** Returns how many elements do not have the value that was written to them. */
    int lost(int writers, int updates) {
        try (Store store = store();
                ZarrArray array = Zarr.openArray(store, "", ZarrOptions.defaults())) {
            short[] elements = array.read().shorts();
            int lost = 0;
            for (int i = 0; i < writers * updates; i++) {
                lost += elements[i] == (short) (i % updates + 1) ? 0 : 1;
            }
            return lost;
        }
    }
}
