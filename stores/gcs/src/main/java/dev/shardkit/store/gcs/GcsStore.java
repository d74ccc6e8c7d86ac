package dev.shardkit.store.gcs;

import dev.shardkit.store.ForwardingStore;
import dev.shardkit.store.cloud.CloudStore;
import java.net.URI;

/**
 * Reads and writes the objects of a bucket of Google Cloud Storage below a prefix, by the JSON API. Has the abilities
 * {@link dev.shardkit.store.Writes}, {@link dev.shardkit.store.Listings}, {@link dev.shardkit.store.TreeDeletions} and
 * {@link dev.shardkit.store.Copies}. Thread-safe.
 *
 * <ul>
 *   <li><b>Reads</b> are GET requests for ranges, with the last bytes by suffix ranges. Merging, concurrency, deadlines
 *       and retries are those of {@link dev.shardkit.store.http.HttpStore}. The CRC32C of an object that is read as a
 *       whole is compared with the one that the server names.
 *   <li><b>Versions</b> are generations: each put creates a new one, even for equal bytes.
 *   <li><b>Writes</b> are conditional ({@code ifGenerationMatch}), so exactly one of several writers wins and shards
 *       need no locks. Google limits changes of one object to about one a second; the store waits and retries.
 *   <li><b>A lost answer</b>: a conditional put carries an id in the user metadata {@code shardkit-write}. If the
 *       connection breaks after the server has stored the object, the server refuses the retry, and the id tells
 *       whether the stored object is that of this put.
 *   <li><b>Large objects</b> (above twice {@link GcsStoreBuilder#partSize}) are sent by a resumable upload, part by
 *       part. After a failure the store asks how many bytes have arrived, and resumes after them. The object appears
 *       when it is complete. Google removes uploads of killed processes after a week.
 *   <li><b>Copies</b> are made by the server.
 *   <li><b>Retries</b>: 408, 429, 500, 502, 503, 504, broken connections. 429 and 503 lower the number of concurrent
 *       requests.
 *   <li><b>Secrets</b> never appear in messages, errors or logs. Errors name bucket, key and the request's id.
 *   <li><b>Log:</b> {@code dev.shardkit.store.gcs}, at debug level only.
 * </ul>
 */
public final class GcsStore extends ForwardingStore {
    private final CloudStore store;

    GcsStore(CloudStore store) {
        super(store);
        this.store = store;
    }

    /** Returns the store at {@code gs://bucket/prefix} with Google's default credentials. */
    public static GcsStore at(URI location) {
        return builder(location).build();
    }

    /**
     * Returns a builder of the store at {@code gs://bucket/prefix}. Percent-encoded characters of the prefix are
     * decoded.
     *
     * @throws IllegalArgumentException if {@code location} is not such a URI
     */
    public static GcsStoreBuilder builder(URI location) {
        return new GcsStoreBuilder(location);
    }

    CloudStore store() {
        return store;
    }
}
