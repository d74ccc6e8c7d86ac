package dev.shardkit.store.http;

import dev.shardkit.store.MergePolicy;
import dev.shardkit.transport.TransportSettings;
import dev.shardkit.transport.Transports;
import dev.shardkit.transport.jdk.JdkTransport;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/** Settings of an {@link HttpStore}. Not thread-safe. */
public final class HttpStoreBuilder {
    private final URI base;
    private final Endpoint endpoint;
    private Optional<HttpClient> client = Optional.empty();
    private Supplier<Map<String, String>> headers = Map::of;
    private Supplier<String> token = () -> "";
    private Duration deadline = Duration.ofSeconds(120);
    private Duration idleTimeout = Duration.ofSeconds(30);
    private Duration connectTimeout = Duration.ofSeconds(10);
    private RetryPolicy retries = RetryPolicy.standard();
    private Optional<MergePolicy> mergePolicy = Optional.empty();
    private Duration freshFor = Duration.ofSeconds(5);
    private int parallel = 256;
    private EtagUse etags = EtagUse.COMPARE;
    private long largestObject = 2L << 30;

    HttpStoreBuilder(URI base) {
        this.base = base;
        this.endpoint = new Endpoint(base);
    }

    /**
     * The client to use, for proxies, certificates or redirects of your own. One that follows redirects sends the
     * headers wherever they lead. The default follows none and speaks HTTP/2 over TLS.
     */
    public HttpStoreBuilder client(HttpClient client) {
        this.client = Optional.of(client);
        return this;
    }

    /** Headers of every request; asked for before each, on any thread. They replace ours of the same name. */
    public HttpStoreBuilder headers(Supplier<Map<String, String>> headers) {
        this.headers = Objects.requireNonNull(headers);
        return this;
    }

    /**
     * The token to send as {@code Authorization: Bearer}; asked for before each request, on any thread; "" for none.
     */
    public HttpStoreBuilder bearerToken(Supplier<String> token) {
        this.token = Objects.requireNonNull(token);
        return this;
    }

    /**
     * Sets how long one call may wait for its answer, with all retries and the pauses between them; 120 s unless told
     * otherwise. The clock starts when the request is sent, not while the call waits for its turn, and bytes of the
     * body that come at 1 KiB a second or more start it again. In all a call takes at most thirty times as long.
     */
    public HttpStoreBuilder deadline(Duration deadline) {
        this.deadline = positive(deadline, "deadline");
        return this;
    }

    /**
     * Sets how long a request may go without a byte of its answer before it counts as failed and is retried; 30 s
     * unless told otherwise.
     */
    public HttpStoreBuilder idleTimeout(Duration timeout) {
        this.idleTimeout = positive(timeout, "idle time-out");
        return this;
    }

    /** How long the default client waits for a connection; 10 s unless told otherwise. */
    public HttpStoreBuilder connectTimeout(Duration timeout) {
        this.connectTimeout = positive(timeout, "connect timeout");
        return this;
    }

    /** How failures are repeated. */
    public HttpStoreBuilder retries(RetryPolicy policy) {
        this.retries = Objects.requireNonNull(policy);
        return this;
    }

    /** How reads are merged; by what is measured of the network unless told otherwise. */
    public HttpStoreBuilder mergePolicy(MergePolicy policy) {
        this.mergePolicy = Optional.of(policy);
        return this;
    }

    /**
     * How long an object is taken to be unchanged since its last answer: then a read that finds all it needs in what
     * was kept sends no request, and may give what the object was so long ago. Reads that send a request do not: its
     * answer is held against the version of what was kept. 5 s unless told otherwise; zero to always ask.
     */
    public HttpStoreBuilder freshFor(Duration duration) {
        this.freshFor = Objects.requireNonNull(duration);
        return this;
    }

    /**
     * Sets how many requests are under way at once, of all calls together; others wait their turn. 256 unless told
     * otherwise. A store begins with fewer and sends more while answers do not take longer for it.
     */
    public HttpStoreBuilder maxConcurrentRequests(int requests) {
        if (requests < 1) {
            throw new IllegalArgumentException("expected at least one request at once, found " + requests);
        }
        this.parallel = requests;
        return this;
    }

    /**
     * How many bytes a whole object may have that is read at once; 2 GiB unless told otherwise. Ranges are not
     * concerned.
     */
    public HttpStoreBuilder largestObject(long bytes) {
        if (bytes < 1 || bytes > 1L << 53) {
            throw new IllegalArgumentException("expected 1 to 2^53 bytes, found " + bytes);
        }
        this.largestObject = bytes;
        return this;
    }

    /** Sets whether ETags tell versions apart; they do unless told otherwise. */
    public HttpStoreBuilder etags(EtagUse use) {
        this.etags = Objects.requireNonNull(use);
        return this;
    }

    private static Duration positive(Duration duration, String name) {
        if (duration.isNegative() || duration.isZero() || duration.compareTo(Duration.ofDays(365)) > 0) {
            throw new IllegalArgumentException(
                    "expected a " + name + " above zero and up to a year, found " + duration);
        }
        return duration;
    }

    /** Makes the store; nothing is sent. */
    public HttpStore build() {
        TransportSettings.Protocol protocol = "https".equalsIgnoreCase(base.getScheme())
                ? TransportSettings.Protocol.HTTP_2
                : TransportSettings.Protocol.HTTP_1_1;
        Transports.Lease lease = client.map(c -> Transports.alone(JdkTransport.over(c)))
                .orElseGet(
                        () -> Transports.shared(Transports.standard(), TransportSettings.of(protocol, connectTimeout)));
        var settings = new Common.Settings(deadline, idleTimeout, retries, largestObject, headers, token, etags);
        return new HttpStore(new Common(endpoint, lease.transport(), settings, parallel), lease, mergePolicy, freshFor);
    }
}
