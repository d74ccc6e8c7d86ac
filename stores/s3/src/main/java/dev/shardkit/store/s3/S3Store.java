package dev.shardkit.store.s3;

import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Ability;
import dev.shardkit.store.Copies;
import dev.shardkit.store.ForwardingStore;
import dev.shardkit.store.Leftover;
import dev.shardkit.store.LeftoverCleanup;
import dev.shardkit.store.Store;
import dev.shardkit.store.cloud.CloudStore;
import dev.shardkit.store.cloud.PrefixDelete;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.store.remote.RequestContext;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Reads and writes the objects of a bucket of Amazon S3, or of a server that speaks S3, below a prefix. Thread-safe.
 *
 * <ul>
 *   <li><b>Reads</b> are GET requests for ranges. Suffix ranges request the end of an object, so no HEAD request is
 *       needed for its size. Merging, concurrency, deadlines and retries are those of
 *       {@link dev.shardkit.store.http.HttpStore}; the versions of objects are their ETags. HTTP 404 with
 *       {@code NoSuchKey} means that an object is absent; a missing bucket is an error.
 *   <li><b>Writes</b> are conditional ({@link dev.shardkit.store.Writes#honours}): If-Match and If-None-Match let
 *       exactly one of several writers win, so shards need no locks. An object's ETag often depends on its content
 *       only; equal content then has an equal version.
 *   <li><b>Lost responses</b>: a conditional put carries an id in the user metadata {@code shardkit-write}. If the
 *       connection breaks after the server has stored the object, the server refuses the retry. The id of the stored
 *       object then shows whether this put stored it.
 *   <li><b>Large objects</b> (above twice {@link S3StoreBuilder#partSize}) are sent in parts, four at once. The object
 *       appears when all parts have arrived. A failed upload is aborted. The parts of a killed process stay until a
 *       lifecycle rule of the bucket or a repair ({@link #leftovers}) removes them. The server itself copies parts that
 *       are unchanged bytes of a stored object (UploadPartCopy).
 *   <li><b>Copies</b> of whole objects are made by the server, also between its buckets; those of objects above 5 GiB
 *       by ranges of 256 MiB, four at once.
 *   <li><b>Retries</b>: 408, 409 of racing conditions, 429, 500, 502, 503, 504, {@code SlowDown}, {@code BadDigest},
 *       broken connections. 429 and 503 lower the number of concurrent requests.
 *   <li><b>Region</b>: if the bucket is not in the configured region, the server's response names the right one, and
 *       the store continues there.
 *   <li><b>Signatures</b> (Version 4) are made by AWS's signer for each attempt. Over TLS they do not cover the body.
 *   <li><b>Checksums</b> (CRC32C) are sent with new objects and compared in reads of entire objects, if
 *       {@link S3StoreBuilder#checksums} enables them.
 *   <li><b>Deletes</b> do not report whether the object existed. Deleting a tree takes one request for each 1,000
 *       objects.
 *   <li><b>Secrets</b> never appear in messages, errors or logs. Errors name bucket, key and the request's id.
 *   <li><b>Log:</b> {@code dev.shardkit.store.s3}, at debug level only.
 * </ul>
 */
public final class S3Store extends ForwardingStore implements Copies, LeftoverCleanup {
    private final CloudStore store;
    private final S3Origin origin;
    private final RequestContext context;
    private final MultipartUpload uploads;
    private final Duration abandonedAfter;

    S3Store(CloudStore store, MultipartUpload uploads, Duration abandonedAfter) {
        super(store);
        this.store = store;
        this.uploads = uploads;
        this.origin = uploads.origin();
        this.context = uploads.changes().context();
        this.abandonedAfter = abandonedAfter;
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
    public <A extends Ability> Optional<A> find(Class<A> ability) {
        return ability.isInstance(this) ? Optional.of(ability.cast(this)) : super.find(ability);
    }

    @Override
    public boolean copy(String sourceKey, String targetKey, Durability durability) {
        return copyFrom(this, sourceKey, targetKey, durability);
    }

    /** Returns whether {@code source} is a store of the same server with the same credentials. */
    @Override
    public boolean copiesFrom(Store source) {
        return source instanceof S3Store other
                && origin.bucket().isBeside(other.origin.bucket())
                && origin.signer().isLike(other.origin.signer());
    }

    @Override
    public boolean copyFrom(Store source, String sourceKey, String targetKey, Durability durability) {
        if (!copiesFrom(source)) {
            throw new UnsupportedException(
                    "objects of " + source.describe() + " cannot be copied by the server of " + describe());
        }
        S3Store other = (S3Store) source;
        Bucket sourceBucket = other.origin.bucket();
        // An invalid key throws here, before any request.
        sourceBucket.location().nameOf(sourceKey);
        origin.location().nameOf(targetKey);
        String operation = "copying " + sourceKey + " of " + source.describe();
        ServerSideCopy.Answer result = PrefixDelete.awaitChange(
                new ServerSideCopy(context, origin).copy(sourceBucket, sourceKey, targetKey), operation);
        if (result == ServerSideCopy.Answer.TOO_LARGE) {
            AtomicBoolean stopped = new AtomicBoolean();
            LargeCopy large = LargeCopy.of(uploads, other.context, other.origin, stopped::get);
            return PrefixDelete.awaitEnd(large.copy(sourceKey, targetKey), operation, () -> stopped.set(true));
        }
        return result == ServerSideCopy.Answer.COPIED;
    }

    /** Reports uploads in parts that began before {@link S3StoreBuilder#abandonedAfter} and have not ended. */
    @Override
    public void leftovers(String prefix, Consumer<Leftover> leftovers) {
        new UnfinishedUploads(context, origin).find(origin.location().below(prefix), abandonedAfter, leftovers);
    }

    @Override
    public boolean remove(Leftover leftover) {
        return new UnfinishedUploads(context, origin).remove(leftover);
    }
}
