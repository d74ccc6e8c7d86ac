package dev.shardkit.store.http;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.FetchRequest;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.ObjectLocations;
import dev.shardkit.store.Reads;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.keys.Keys;
import dev.shardkit.store.remote.RequestContext;
import dev.shardkit.store.remote.RetriedRead;
import dev.shardkit.store.remote.exchange.RangeSupport;
import dev.shardkit.transport.Transports;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Reads objects below an {@code http} or {@code https} URL with the HTTP client of {@link Transports}. Sends GET
 * requests only: no HEAD, no listing, no writes. Thread-safe.
 *
 * <ul>
 *   <li><b>Absence</b> is HTTP 404 or 410, and 403 if {@link ForbiddenPolicy} says so. Every other failure is an error.
 *       408, 429, 500, 502, 503, 504 and transport failures (including short bodies) are retried, see
 *       {@link RetryPolicy}.
 *   <li><b>Ranges.</b> A 206 response must declare and contain exactly the requested range. A 200 response is the whole
 *       object, and the range is cut from it. If a server does not support suffix ranges, the store requests the size
 *       first. If a server does not support ranges at all, each object is downloaded once in a call, if it fits into an
 *       eighth of the heap ({@link StoreListener#onNoRanges}).
 *   <li><b>Merging.</b> Neighbouring ranges become one request, according to the measured network
 *       ({@link MergePolicy#measured}). Before the first measurement the store reads over gaps of 64 KiB, and sends up
 *       to 8 concurrent requests for ranges of one object.
 *   <li><b>Concurrent requests.</b> A call begins with as many concurrent requests as the latency has milliseconds (24
 *       to 128). The number doubles, up to {@link HttpStoreBuilder#maxConcurrentRequests}, while response times do not
 *       increase.
 *   <li><b>Versions.</b> A strong ETag is pinned with If-Match; otherwise ETag, Last-Modified and size are compared.
 *       Last-Modified without ETag counts only if it is at least a second older than the response's Date (RFC 9110,
 *       section 8.8.2.2). Otherwise an object has no version: nothing is cached between calls, and the requests of one
 *       read may see different versions without an error. ETags can be ignored ({@link EtagUse}).
 *   <li><b>Bodies.</b> The store requests unencoded bodies. If a server sends Content-Encoding gzip nevertheless, the
 *       store decodes it, and always reads such an object whole. Other encodings are an error. A response that ends
 *       before its declared end is retried.
 *   <li><b>Deadline.</b> Each call has one deadline for all attempts and pauses, which does not include the wait for a
 *       permit. Received bytes restart it, so slow links do not fail ({@link HttpStoreBuilder#deadline}). A request
 *       that receives nothing for {@link HttpStoreBuilder#idleTimeout} is retried.
 *   <li><b>Secrets</b> (user information, query values, headers) never appear in messages, errors or logs. User
 *       information is sent as basic authorization. Redirects are followed on the same host only
 *       ({@link HttpStoreBuilder#redirects}); another host never receives credentials.
 *   <li><b>Log:</b> {@code dev.shardkit.store.http}, at debug level only.
 * </ul>
 *
 * <p>Requests run on daemon threads of the store, never on the common pool or another pool that callers may fill. A
 * read may therefore be awaited on any thread. Stores with the same settings share these threads and their connections.
 * The threads end when the last store is closed, or after 30 s without a request. Futures complete on these threads.
 * Actions that depend on a future may block its thread, because the store adds threads as needed. A caller that sets
 * {@link FetchRequest.Dependents#NEVER_BLOCK} promises that its actions do not block.
 */
public final class HttpStore implements Store, RemoteReads, ObjectLocations {
    private final Endpoint endpoint;
    private final RequestContext context;
    private final @Nullable MergePolicy mergePolicy;
    private final Duration freshFor;
    private final Transports.Lease lease;
    private final AtomicBoolean closed = new AtomicBoolean();

    HttpStore(
            Endpoint endpoint,
            RequestContext context,
            Transports.Lease lease,
            @Nullable MergePolicy mergePolicy,
            Duration freshFor) {
        this.endpoint = endpoint;
        this.context = context;
        this.lease = lease;
        this.mergePolicy = mergePolicy;
        this.freshFor = freshFor;
    }

    /** Returns the store below {@code base} with default settings. */
    public static HttpStore at(URI base) {
        return builder(base).build();
    }

    /**
     * Returns a builder of a store below {@code base}. The path of a key is inserted between the base's path and its
     * query, which is kept.
     *
     * @throws IllegalArgumentException if {@code base} is not an http or https URL
     */
    public static HttpStoreBuilder builder(URI base) {
        return new HttpStoreBuilder(base);
    }

    @Override
    public CompletableFuture<FetchResult> fetch(FetchRequest request) {
        Keys.check(request.key());
        if (closed.get()) {
            throw new IllegalStateException("closed: " + describe());
        }
        return new RetriedRead(context, request).start();
    }

    @Override
    public Reads reads() {
        return this;
    }

    /** Returns the URL, unless it has a query or user information, which may contain secrets. */
    @Override
    public Optional<Location> locate(String key) {
        Keys.check(key);
        return endpoint.publicUri(key).map(uri -> new Location(uri, 0));
    }

    @Override
    public boolean reportsProgress() {
        return context.ranges().get() == RangeSupport.ANSWERED;
    }

    @Override
    public Duration freshFor() {
        return freshFor;
    }

    @Override
    public MergePolicy mergePolicy() {
        if (context.ranges().get() == RangeSupport.NONE) {
            return MergePolicy.wholeObjects(); // each response contains the whole object
        }
        return mergePolicy == null ? context.traffic().policy() : mergePolicy;
    }

    @Override
    public int maxRequests() {
        boolean measured = context.ranges().get() != RangeSupport.NONE && mergePolicy == null;
        return measured ? context.traffic().window() : mergePolicy().parallel();
    }

    @Override
    public String describe() {
        return endpoint.describe();
    }

    /** Cancels the running calls. A client that the caller provided stays open. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            context.failAll(new StoreException("closed: " + describe()));
            lease.close();
        }
    }
}
