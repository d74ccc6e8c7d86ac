package dev.shardkit.store.azure;

import dev.shardkit.store.ForwardingStore;
import dev.shardkit.store.cloud.CloudStore;
import java.net.URI;

/**
 * Reads and writes the block blobs of a container of Azure Blob Storage below a prefix, by the Blob service's REST API.
 * Has the abilities {@link dev.shardkit.store.Writes}, {@link dev.shardkit.store.Listings},
 * {@link dev.shardkit.store.TreeDeletions} and {@link dev.shardkit.store.Copies}. Thread-safe.
 *
 * <ul>
 *   <li><b>Reads</b> are GET requests for ranges. Azure has no suffix ranges, so a read of the last bytes first asks
 *       for the size. Merging, concurrency, deadlines and retries are those of
 *       {@link dev.shardkit.store.http.HttpStore}. HTTP 404 means that a blob is absent; a missing container is an
 *       error.
 *   <li><b>Versions</b> are ETags: each put creates a new one, even for equal bytes.
 *   <li><b>Writes</b> are conditional (If-Match, If-None-Match), so exactly one of several writers wins and shards need
 *       neither locks nor leases.
 *   <li><b>A lost answer</b>: a conditional put carries an id in the metadata {@code shardkit_write}. If the connection
 *       breaks after the server has stored the blob, the server refuses the retry, and the id shows whether the stored
 *       blob is that of this put.
 *   <li><b>Large blobs</b> (above twice {@link AzureStoreBuilder#partSize}) are sent as blocks, four at once. A block
 *       that fails is sent again, alone. The blob appears when its list of blocks is put. Azure removes blocks of
 *       killed processes after a week.
 *   <li><b>Ranges of stored blobs</b> of 1 MiB and more, inside such a large blob, are copied by the server (Put Block
 *       From URL); the sizes of the copied blocks are checked. To read the source, the server gets the authorization of
 *       the store or, for an account key, a signature for reading that blob, valid for 20 minutes. If the server
 *       refuses, the store reads the ranges and sends them.
 *   <li><b>Copies</b> are made by the server.
 *   <li><b>Retries</b>: 408, 429, 500, 502, 503, 504, broken connections. 429 and 503 lower the number of concurrent
 *       requests.
 *   <li><b>Secrets</b> never appear in messages, errors or logs. Errors name container, key and the request's id.
 *   <li><b>Log:</b> {@code dev.shardkit.store.azure}, at debug level only.
 * </ul>
 */
public final class AzureStore extends ForwardingStore {
    private final CloudStore store;

    AzureStore(CloudStore store) {
        super(store);
        this.store = store;
    }

    /** Returns the store at a location (see {@link #builder}) with the settings of the environment. */
    public static AzureStore at(URI location) {
        return builder(location).build();
    }

    /**
     * Returns a builder of the store at {@code az://container/prefix}, or at
     * {@code abfs://container@account.dfs.core.windows.net/prefix} ({@code abfss:}). Percent-encoded characters of the
     * prefix are decoded.
     *
     * @throws IllegalArgumentException if {@code location} is not such a URI
     */
    public static AzureStoreBuilder builder(URI location) {
        return new AzureStoreBuilder(location);
    }

    CloudStore store() {
        return store;
    }
}
