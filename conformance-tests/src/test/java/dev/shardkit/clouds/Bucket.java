package dev.shardkit.clouds;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.store.s3.S3Keys;
import dev.shardkit.store.s3.S3Store;
import java.net.URI;

/**
 * A place in a bucket, with an array of one shard in which each writer has a row of its own.
 *
 * @param endpoint the server
 * @param keys an access key and its secret, with a colon between them
 * @param location {@code s3://BUCKET/PREFIX}
 */
record Bucket(URI endpoint, String keys, URI location) {
    /** The elements of a row lie in several inner chunks. */
    private static final int INNER = 64;

    S3Store store() {
        String[] key = keys.split(":", 2);
        return S3Store.builder(location)
                .endpoint(endpoint)
                .region("us-east-1")
                .credentials(S3Keys.of(key[0], key[1]))
                .build();
    }

    /** Creates the array, of one shard. */
    void create(int writers, int updates) {
        ArraySpec spec = ArraySpec.of("uint16", writers, updates)
                .withChunkShape(1, INNER)
                .withShardShape(writers, ((updates + INNER - 1) / INNER) * INNER);
        try (S3Store store = store();
                ZarrArray array = Zarr.createArray(store, "", spec, Zarr.Existing.OVERWRITE, ZarrOptions.defaults())) {
            array.shape();
        }
    }

    /** Writes one element after the other into a row; each write changes the shard. */
    void update(int row, int updates, Runnable afterEach) {
        try (S3Store store = store();
                ZarrArray array = Zarr.openArray(store, "", ZarrOptions.defaults())) {
            for (int i = 0; i < updates; i++) {
                array.write(Box.of(new long[] {row, i}, new long[] {1, 1}), new short[] {(short) (i + 1)}, 0);
                afterEach.run();
            }
        }
    }

    /** Returns how many elements do not have the value that was written to them. */
    int lost(int writers, int updates) {
        try (S3Store store = store();
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
