package dev.shardkit.store.http;

import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.RequestMetrics;
import dev.shardkit.store.remote.RemoteOptions;
import dev.shardkit.store.remote.RetryLimits;
import dev.shardkit.transport.TransportSettings;
import dev.shardkit.transport.Transports;
import java.net.ProxySelector;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/** The settings of an {@link HttpStore}. Not thread-safe. */
public final class HttpStoreBuilder {
    private final URI base;
    private final Endpoint endpoint;
    private final RemoteOptions options = new RemoteOptions(converted(RetryPolicy.standard()));
    private Supplier<Map<String, String>> headers = Map::of;
    private Supplier<String> token = () -> "";
    private boolean supplied;
    private Redirects redirects = Redirects.SAME_HOST;
    private Predicate<String> hosts = host -> true;

    HttpStoreBuilder(URI base) {
        this.base = base;
        this.endpoint = new Endpoint(base);
    }

    /** Returns the URL of the store's root. */
    public URI base() {
        return base;
    }

    /** Sets which redirects are followed, at most five in a row. The default is {@link Redirects#SAME_HOST}. */
    public HttpStoreBuilder redirects(Redirects followed) {
        this.redirects = Objects.requireNonNull(followed);
        this.hosts = host -> true;
        return this;
    }

    /**
     * Follows redirects to the same host and to hosts that {@code allowed} accepts. As with {@link Redirects#ANY_HOST},
     * another host receives no credentials.
     *
     * @param allowed tests the name of a host, in lower case, without a port
     */
    public HttpStoreBuilder redirectsTo(Predicate<String> allowed) {
        this.redirects = Redirects.ANY_HOST;
        this.hosts = Objects.requireNonNull(allowed);
        return this;
    }

    /**
     * Sets the proxies. The default is {@link ProxySelector#getDefault()}.
     *
     * @param selector selects the proxy of a URL; stores share connections if they use the same selector
     */
    public HttpStoreBuilder proxy(ProxySelector selector) {
        options.proxy(selector);
        return this;
    }

    /**
     * Sets the trusted certificates and the client's own. The default is {@link SSLContext#getDefault()}.
     *
     * @param context the TLS settings; stores share connections if they use the same object
     */
    public HttpStoreBuilder tls(SSLContext context) {
        options.tls(context);
        return this;
    }

    /**
     * Sets the supplier of headers. It is called before each request, on any thread. Its headers replace the store's
     * headers of the same name.
     */
    public HttpStoreBuilder headers(Supplier<Map<String, String>> headers) {
        this.headers = Objects.requireNonNull(headers);
        this.supplied = true;
        return this;
    }

    /**
     * Sets the supplier of the token for {@code Authorization: Bearer}. It is called before each request, on any
     * thread; "" means no token.
     */
    public HttpStoreBuilder bearerToken(Supplier<String> token) {
        this.token = Objects.requireNonNull(token);
        this.supplied = true;
        return this;
    }

    /**
     * Sets the deadline of one call, including all retries and pauses. The default is 120 s. It starts when the request
     * is sent, not while the call waits for a permit. Body bytes that arrive at 1 KiB a second or more restart it. In
     * all, a call takes at most thirty times the deadline.
     */
    public HttpStoreBuilder deadline(Duration deadline) {
        options.deadline(deadline);
        return this;
    }

    /** Sets how long a request may receive no bytes before it fails and is retried. The default is 30 s. */
    public HttpStoreBuilder idleTimeout(Duration timeout) {
        options.idleTimeout(timeout);
        return this;
    }

    /** Sets the connect timeout of the default client. The default is 10 s. */
    public HttpStoreBuilder connectTimeout(Duration timeout) {
        options.connectTimeout(timeout);
        return this;
    }

    /** Sets how failed requests are retried. */
    public HttpStoreBuilder retries(RetryPolicy policy) {
        options.retries(converted(policy));
        return this;
    }

    /** Sets how reads are merged. The default follows the measured network. */
    public HttpStoreBuilder mergePolicy(MergePolicy policy) {
        options.mergePolicy(policy);
        return this;
    }

    /**
     * Sets how long a cached object is assumed to be unchanged after its last response. During that time, a read that
     * finds all its bytes in the cache sends no request, and may return content that old. A read that sends a request
     * compares the response's version with the cache. The default is 5 s; zero disables the assumption.
     */
    public HttpStoreBuilder freshFor(Duration duration) {
        options.freshFor(duration);
        return this;
    }

    /**
     * Sets the maximum number of concurrent requests of all calls together; further requests wait. The default is 256.
     * A store begins with fewer, and sends more while response times do not increase. All stores of one host together
     * send at most 256, or as many as the largest of their limits.
     */
    public HttpStoreBuilder maxConcurrentRequests(int requests) {
        options.maxConcurrentRequests(requests);
        return this;
    }

    /**
     * Sets the maximum size in bytes of an object that is read as a whole, or that a server sends without a length
     * instead of a range. The default is 2 GiB. It does not limit other ranges.
     */
    public HttpStoreBuilder largestObject(long bytes) {
        options.largestObject(bytes);
        return this;
    }

    /** Sets whether ETags identify versions. The default is {@link EtagUse#COMPARE}. */
    public HttpStoreBuilder etags(EtagUse use) {
        options.comparesEtags(use == EtagUse.COMPARE);
        return this;
    }

    /**
     * Sets what HTTP 403 means for the read of an object. The default is that of the system property
     * {@code shardkit.forbidden} or the environment variable {@code SHARDKIT_FORBIDDEN} ({@code refuse} or
     * {@code missing}), else {@link ForbiddenPolicy#REFUSE}.
     */
    public HttpStoreBuilder forbidden(ForbiddenPolicy use) {
        options.missingIfForbidden(use == ForbiddenPolicy.MISSING);
        return this;
    }

    /**
     * Sets a receiver of the figures of each request, failed ones included. It is called on threads of the store, by
     * several at once, before the request's bytes are used: it must return quickly. Exceptions that it throws are
     * logged and ignored.
     */
    public HttpStoreBuilder metrics(Consumer<RequestMetrics> receiver) {
        options.metrics(receiver);
        return this;
    }

    /** Creates the store without sending a request. */
    public HttpStore build() {
        TransportSettings.Protocol protocol = "https".equalsIgnoreCase(base.getScheme())
                ? TransportSettings.Protocol.HTTP_2
                : TransportSettings.Protocol.HTTP_1_1;
        Transports.Lease lease = options.lease(protocol);
        var origin = new HttpOrigin(endpoint, headers, token, supplied, new RedirectRules(redirects, hosts));
        return new HttpStore(endpoint, options.common(origin, lease), lease, options.mergePolicy(), options.freshFor());
    }

    private static RetryLimits converted(RetryPolicy policy) {
        return new RetryLimits(policy.maxAttempts(), policy.firstPause(), policy.longestPause());
    }
}
