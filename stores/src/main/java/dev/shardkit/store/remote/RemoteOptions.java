package dev.shardkit.store.remote;

import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.RequestMetrics;
import dev.shardkit.store.remote.exchange.ServerProtocol;
import dev.shardkit.transport.TransportSettings;
import dev.shardkit.transport.Transports;
import java.net.ProxySelector;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The settings that the builders of all remote stores share, with their defaults. The builders document each of them.
 * Not thread-safe.
 */
public final class RemoteOptions {
    /** The system property for the meaning of HTTP 403: {@code refuse} or {@code missing}. */
    static final String FORBIDDEN = "shardkit.forbidden";

    private static final String FORBIDDEN_VARIABLE = "SHARDKIT_FORBIDDEN";

    private Duration deadline = Duration.ofSeconds(120);
    private Duration idleTimeout = Duration.ofSeconds(30);
    private Duration connectTimeout = Duration.ofSeconds(10);
    private RetryLimits retries;
    private @Nullable MergePolicy mergePolicy;
    private Duration freshFor = Duration.ofSeconds(5);
    private int parallel = 256;
    private boolean comparesEtags = true;
    private boolean missingIfForbidden = missingByDefault();
    private long largestObject = 2L << 30;
    private @Nullable ProxySelector proxy;
    private @Nullable SSLContext tls;
    private Consumer<RequestMetrics> metrics = RequestContext.Settings.NO_METRICS;

    /** Creates the default settings with these retries. */
    public RemoteOptions(RetryLimits retries) {
        this.retries = retries;
    }

    /** Sets the proxies. */
    public void proxy(ProxySelector selector) {
        this.proxy = Objects.requireNonNull(selector);
    }

    /** Sets the trusted certificates and the client's own. */
    public void tls(SSLContext context) {
        this.tls = Objects.requireNonNull(context);
    }

    /** Sets the deadline of one call. */
    public void deadline(Duration time) {
        this.deadline = positive(time, "deadline");
    }

    /** Sets how long a request may receive no bytes. */
    public void idleTimeout(Duration time) {
        this.idleTimeout = positive(time, "idle time-out");
    }

    /** Sets the connect timeout. */
    public void connectTimeout(Duration time) {
        this.connectTimeout = positive(time, "connect timeout");
    }

    /** Sets how failed requests are retried. */
    public void retries(RetryLimits policy) {
        this.retries = policy;
    }

    /** Sets how reads are merged. */
    public void mergePolicy(MergePolicy policy) {
        this.mergePolicy = Objects.requireNonNull(policy);
    }

    /** Returns how reads are merged; null if the measured network decides. */
    public @Nullable MergePolicy mergePolicy() {
        return mergePolicy;
    }

    /** Sets how long a cached object is assumed to be unchanged. */
    public void freshFor(Duration duration) {
        this.freshFor = Objects.requireNonNull(duration);
    }

    /** Returns how long a cached object is assumed to be unchanged. */
    public Duration freshFor() {
        return freshFor;
    }

    /** Sets the maximum number of concurrent requests. */
    public void maxConcurrentRequests(int requests) {
        if (requests < 1) {
            throw new IllegalArgumentException("expected at least one request at once, found " + requests);
        }
        this.parallel = requests;
    }

    /** Sets the maximum size in bytes of an object that is read as a whole. */
    public void largestObject(long bytes) {
        if (bytes < 1 || bytes > 1L << 53) {
            throw new IllegalArgumentException("expected 1 to 2^53 bytes, found " + bytes);
        }
        this.largestObject = bytes;
    }

    /** Sets whether ETags identify versions. */
    public void comparesEtags(boolean compares) {
        this.comparesEtags = compares;
    }

    /** Sets whether 403 means that an object does not exist. */
    public void missingIfForbidden(boolean missing) {
        this.missingIfForbidden = missing;
    }

    /** Returns whether the system property {@value #FORBIDDEN} or the environment variable is {@code missing}. */
    private static boolean missingByDefault() {
        String property = System.getProperty(FORBIDDEN, "");
        String text = property.isEmpty()
                ? Optional.ofNullable(System.getenv(FORBIDDEN_VARIABLE)).orElse("")
                : property;
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "", "refuse" -> false;
            case "missing" -> true;
            default ->
                throw new IllegalArgumentException("expected refuse or missing in the system property " + FORBIDDEN
                        + " or the environment variable " + FORBIDDEN_VARIABLE + ", found \"" + text + "\"");
        };
    }

    /** Sets a receiver of the figures of each request. */
    public void metrics(Consumer<RequestMetrics> receiver) {
        this.metrics = Objects.requireNonNull(receiver);
    }

    private static Duration positive(Duration duration, String name) {
        if (duration.isNegative() || duration.isZero() || duration.compareTo(Duration.ofDays(365)) > 0) {
            throw new IllegalArgumentException(
                    "expected a " + name + " above zero and up to a year, found " + duration);
        }
        return duration;
    }

    /** Leases the transport that stores with the same connections share. */
    public Transports.Lease lease(TransportSettings.Protocol protocol) {
        TransportSettings settings =
                new TransportSettings(protocol, connectTimeout, Optional.ofNullable(proxy), Optional.ofNullable(tls));
        return Transports.shared(Transports.standard(), settings);
    }

    /** Creates the state that the requests of a store with these settings share. */
    public RequestContext common(ServerProtocol origin, Transports.Lease lease) {
        var settings = new RequestContext.Settings(
                deadline, idleTimeout, retries, largestObject, comparesEtags, missingIfForbidden, metrics);
        return new RequestContext(origin, lease.transport(), settings, parallel);
    }
}
