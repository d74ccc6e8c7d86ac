package dev.shardkit.store.s3;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Durability;
import dev.shardkit.store.FarReads;
import dev.shardkit.store.Fetched;
import dev.shardkit.store.Lists;
import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.Outcome;
import dev.shardkit.store.Prunes;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Room;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.Writes;
import dev.shardkit.store.cloud.CloudStore;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Reads and writes the objects of a bucket of Amazon S3, or of a server that speaks S3, below a prefix. Thread-safe.
 *
 * <ul>
 *   <li><b>Reads</b> are GET requests for ranges, with the last bytes by suffix ranges, so no HEAD precedes them.
 *       Merging, concurrency, deadlines and retries are those of {@link dev.shardkit.store.http.HttpStore}; the
 *       versions of objects are their ETags. HTTP 404 with {@code NoSuchKey} means that an object is absent; a missing
 *       bucket is an error.
 *   <li><b>Writes</b> are conditional: If-Match and If-None-Match let exactly one of several writers win, so shards
 *       need no locks. An object's ETag often depends on its content only; equal content then has an equal version.
 *   <li><b>A lost answer</b>: a conditional put carries an id in the user metadata {@code shardkit-write}. If the
 *       connection breaks after the server has stored the object, the server refuses the retry, and the id tells
 *       whether the stored object is that of this put.
 *   <li><b>Large objects</b> (above twice {@link S3StoreBuilder#partSize}) are sent in parts, four at once. The object
 *       appears when all are there. A failed upload is aborted; the parts of a killed process stay until a lifecycle
 *       rule of the bucket removes them.
 *   <li><b>Retries</b>: 408, 409 of racing conditions, 429, 500, 502, 503, 504, {@code SlowDown}, broken connections.
 *       429 and 503 lower the number of concurrent requests.
 *   <li><b>Region</b>: if the bucket is in another region than configured, the server's answer names it, and the store
 *       continues there.
 *   <li><b>Signatures</b> (Version 4) are made by AWS's signer for each attempt. Over TLS they do not cover the body.
 *   <li><b>Deletes</b> do not report whether the object existed. Deleting a tree takes one request for each 1,000
 *       objects.
 *   <li><b>Secrets</b> never appear in messages, errors or logs. Errors name bucket, key and the request's id.
 *   <li><b>Log:</b> {@code dev.shardkit.store.s3}, at debug level only.
 * </ul>
 */
public final class S3Store implements Store, FarReads, Writes, Lists, Prunes {
    private final CloudStore store;

    S3Store(CloudStore store) {
        this.store = store;
    }

    CloudStore store() {
        return store;
    }

    /** Returns the store at {@code s3://bucket/prefix} with the settings of AWS's environment. */
    public static S3Store at(URI location) {
        return builder(location).build();
    }

    /**
     * Returns a builder of the store at {@code s3://bucket/prefix}. Percent-encoded characters of the prefix are
     * decoded.
     *
     * @throws IllegalArgumentException if {@code location} is not such a URI
     */
    public static S3StoreBuilder builder(URI location) {
        return new S3StoreBuilder(location);
    }

    @Override
    public CompletableFuture<Fetched> fetch(String key, ByteRange range, Optional<String> pin, StoreListener listener) {
        return store.fetch(key, range, pin, listener);
    }

    @Override
    public CompletableFuture<Fetched> fetch(
            String key, ByteRange range, Optional<String> pin, StoreListener listener, Room room) {
        return store.fetch(key, range, pin, listener, room);
    }

    @Override
    public Reads reads() {
        return this;
    }

    @Override
    public Duration freshFor() {
        return store.freshFor();
    }

    @Override
    public MergePolicy mergePolicy() {
        return store.mergePolicy();
    }

    @Override
    public int mostRequests() {
        return store.mostRequests();
    }

    @Override
    public Set<Condition.Kind> honours() {
        return store.honours();
    }

    @Override
    public CompletionStage<Outcome> put(String key, Content content, Condition condition, Durability durability) {
        return store.put(key, content, condition, durability);
    }

    @Override
    public CompletionStage<Outcome> delete(String key, Condition condition) {
        return store.delete(key, condition);
    }

    @Override
    public Names list(String prefix, Depth depth) {
        return store.list(prefix, depth);
    }

    @Override
    public void deleteAll(String prefix) {
        store.deleteAll(prefix);
    }

    @Override
    public String describe() {
        return store.describe();
    }

    /** Cancels the running calls. */
    @Override
    public void close() {
        store.close();
    }
}
