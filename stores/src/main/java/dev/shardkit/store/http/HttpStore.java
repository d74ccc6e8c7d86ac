package dev.shardkit.store.http;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.FarReads;
import dev.shardkit.store.Fetched;
import dev.shardkit.store.Locates;
import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Room;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.internal.Keys;
import dev.shardkit.transport.Transports;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Reads objects below an {@code http} or {@code https} URL, by {@link java.net.http.HttpClient}: GET only, no HEAD, no
 * listing, no writing. Thread-safe.
 *
 * <ul>
 *   <li><b>Absence</b> is HTTP 404 or 410, nothing else. Every other failure is an error; 408, 429, 500, 502, 503, 504
 *       and failures of the transport (a short body is one) are tried again, see {@link RetryPolicy}.
 *   <li><b>Ranges.</b> A 206 must say and hold exactly what was asked for. A 200 in its place is the whole object, and
 *       the range is cut from it. A server that does not know suffix ranges is asked for the size first. Of a server
 *       without ranges each object comes once in a call, while an eighth of the heap has room for it
 *       ({@link StoreListener#onNoRanges}).
 *   <li><b>Merging.</b> Neighbouring ranges become one request by what the store has measured of the network
 *       ({@link MergePolicy#measured}); until then gaps of 64 KiB are read, and 8 requests for ranges of one object are
 *       under way at once.
 *   <li><b>Requests at once.</b> Those of a call begin with one for each millisecond of latency (24 to 128) and double,
 *       up to {@link HttpStoreBuilder#maxConcurrentRequests}, while answers do not take longer for it.
 *   <li><b>Versions.</b> A strong ETag is pinned by If-Match; otherwise ETag, Last-Modified and size are compared.
 *       Last-Modified without ETag counts only if it is older than the answer's Date by a second or more (RFC 9110,
 *       section 8.8.2.2). Otherwise an object has no version: nothing of it is kept from call to call, and requests of
 *       one read may meet different ones, and nothing tells. ETags may be ignored ({@link EtagUse}).
 *   <li><b>Bodies</b> come unencoded: a Content-Encoding is refused. No more is read than was asked for.
 *   <li><b>Deadline.</b> One for a call, with all tries and pauses, but without the wait for its turn. Bytes that flow
 *       start it again, so slow links are waited for ({@link HttpStoreBuilder#deadline}). A request without a byte for
 *       {@link HttpStoreBuilder#idleTimeout} is retried.
 *   <li><b>Secrets</b> (user information, query values, headers) are in no message, error or log. User information is
 *       sent as basic authorization. Redirects are not followed, so that headers do not reach other hosts.
 *   <li><b>Log:</b> {@code dev.shardkit.store.http}, at debug level only.
 * </ul>
 *
 * <p>Exchanges run on daemon threads of their own, never on the common pool or another that callers may fill, so a read
 * may be waited for on any thread. Stores with the same settings share these threads and their connections; closing the
 * last store ends them, and without a request for 30 s they end too. Futures are completed on these threads. A future's
 * dependents may block them: there are always others.
 */
public final class HttpStore implements Store, FarReads, Locates {
    private final Common common;
    private final Optional<MergePolicy> mergePolicy;
    private final Duration freshFor;
    private final Transports.Lease lease;
    private final AtomicBoolean closed = new AtomicBoolean();

    HttpStore(Common common, Transports.Lease lease, Optional<MergePolicy> mergePolicy, Duration freshFor) {
        this.common = common;
        this.lease = lease;
        this.mergePolicy = mergePolicy;
        this.freshFor = freshFor;
    }

    /** The store below {@code base} with the usual settings. */
    public static HttpStore at(URI base) {
        return builder(base).build();
    }

    /**
     * A builder of a store below {@code base}. A key's path goes between the base's path and its query, which is kept.
     *
     * @throws IllegalArgumentException if it is no http or https URL
     */
    public static HttpStoreBuilder builder(URI base) {
        return new HttpStoreBuilder(base);
    }

    @Override
    public CompletableFuture<Fetched> fetch(String key, ByteRange range, Optional<String> pin, StoreListener listener) {
        return fetch(key, range, pin, listener, Room.NONE);
    }

    @Override
    public CompletableFuture<Fetched> fetch(
            String key, ByteRange range, Optional<String> pin, StoreListener listener, Room room) {
        Keys.parts(key);
        if (closed.get()) {
            throw new IllegalStateException("closed: " + describe());
        }
        return new Call(common, key, range, pin, listener, room).start();
    }

    @Override
    public Reads reads() {
        return this;
    }

    /** The URL, unless it has a query or user information, which may be secrets. */
    @Override
    public Optional<Place> locate(String key) {
        Keys.parts(key);
        return common.endpoint().open(key).map(uri -> new Place(uri, 0));
    }

    @Override
    public Duration freshFor() {
        return freshFor;
    }

    @Override
    public MergePolicy mergePolicy() {
        if (common.ranges().get() == Ranges.NONE) {
            return MergePolicy.wholeObjects(); // each answer brings all of the object
        }
        return mergePolicy.orElseGet(common.traffic()::policy);
    }

    @Override
    public int mostRequests() {
        boolean measured = common.ranges().get() != Ranges.NONE && mergePolicy.isEmpty();
        return measured ? common.traffic().window() : mergePolicy().parallel();
    }

    @Override
    public String describe() {
        return common.endpoint().describe();
    }

    /** Ends the calls that are under way; a client that was given stays open. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            List.copyOf(common.calls()).forEach(call -> call.fail(new StoreException("closed: " + describe())));
            lease.close();
        }
    }
}
