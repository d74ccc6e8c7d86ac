package dev.shardkit.store.s3;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
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
import dev.shardkit.store.remote.Call;
import dev.shardkit.store.remote.Common;
import dev.shardkit.transport.Transports;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

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
    private final Common common;
    private final S3Origin origin;
    private final Changes changes;
    private final Multipart multipart;
    private final @Nullable MergePolicy mergePolicy;
    private final Duration freshFor;
    private final Transports.Lease lease;
    private final Runnable end;
    private final AtomicBoolean closed = new AtomicBoolean();

    S3Store(
            Common common,
            S3Origin origin,
            Transports.Lease lease,
            @Nullable MergePolicy mergePolicy,
            Duration freshFor,
            long partSize,
            Runnable end) {
        this.common = common;
        this.origin = origin;
        this.changes = new Changes(common, origin);
        this.multipart = new Multipart(common, origin, partSize);
        this.lease = lease;
        this.mergePolicy = mergePolicy;
        this.freshFor = freshFor;
        this.end = end;
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

    Common common() {
        return common;
    }

    S3Origin origin() {
        return origin;
    }

    private void checkOpen() {
        if (closed.get()) {
            throw new IllegalStateException("closed: " + describe());
        }
    }

    @Override
    public CompletableFuture<Fetched> fetch(String key, ByteRange range, Optional<String> pin, StoreListener listener) {
        return fetch(key, range, pin, listener, Room.NONE);
    }

    @Override
    public CompletableFuture<Fetched> fetch(
            String key, ByteRange range, Optional<String> pin, StoreListener listener, Room room) {
        origin.bucket().nameOf(key);
        checkOpen();
        return new Call(common, key, range, pin, listener, room).start();
    }

    @Override
    public Reads reads() {
        return this;
    }

    @Override
    public Duration freshFor() {
        return freshFor;
    }

    @Override
    public MergePolicy mergePolicy() {
        return mergePolicy == null ? common.traffic().policy() : mergePolicy;
    }

    @Override
    public int mostRequests() {
        return mergePolicy == null ? common.traffic().window() : mergePolicy.parallel();
    }

    @Override
    public Set<Condition.Kind> honours() {
        return EnumSet.allOf(Condition.Kind.class);
    }

    @Override
    public CompletionStage<Outcome> put(String key, Content content, Condition condition, Durability durability) {
        origin.bucket().nameOf(key);
        checkOpen();
        try {
            Bytes bytes = Body.of(content, "PUT " + key + " in " + describe());
            boolean large = bytes.size() > 2 * multipart.partSize();
            return large ? multipart.put(key, bytes, condition) : changes.put(key, bytes, condition);
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletionStage<Outcome> delete(String key, Condition condition) {
        origin.bucket().nameOf(key);
        checkOpen();
        return changes.delete(key, condition);
    }

    @Override
    public Names list(String prefix, Depth depth) {
        String before = origin.bucket().below(prefix);
        checkOpen();
        return new Listing(common, origin, before, depth);
    }

    @Override
    public void deleteAll(String prefix) {
        String before = origin.bucket().below(prefix);
        checkOpen();
        new Pruning(common, origin).run(before);
    }

    @Override
    public String describe() {
        return origin.describe();
    }

    /** Cancels the running calls. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            common.failAll(new StoreException("closed: " + describe()));
            lease.close();
            end.run();
        }
    }
}
