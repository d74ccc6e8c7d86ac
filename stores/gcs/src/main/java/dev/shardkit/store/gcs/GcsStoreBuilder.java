package dev.shardkit.store.gcs;

import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.RequestMetrics;
import dev.shardkit.store.cloud.BearerAuthorization;
import dev.shardkit.store.cloud.BucketLocation;
import dev.shardkit.store.cloud.CloudStore;
import dev.shardkit.store.cloud.Urls;
import dev.shardkit.store.http.ForbiddenPolicy;
import dev.shardkit.store.http.RetryPolicy;
import dev.shardkit.store.remote.RemoteOptions;
import java.net.ProxySelector;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link GcsStore}. The defaults come from Google's environment variables and files. If several of
 * {@link #anonymous}, {@link #token} and {@link #credentials} are set, the first in this order applies. Not
 * thread-safe.
 */
public final class GcsStoreBuilder {
    private static final URI GOOGLE = URI.create("https://storage.googleapis.com");
    /** Parts of a resumable upload are multiples of this size. */
    private static final long UNIT = 256 << 10;

    private final BucketLocation location;
    private @Nullable Supplier<String> tokens;
    private @Nullable Path file;
    private boolean anonymous;
    private @Nullable URI endpoint;
    private final RemoteOptions options = CloudStore.options();
    private final Map<String, String> query = new LinkedHashMap<>();
    private long partSize = 8 << 20;

    GcsStoreBuilder(URI location) {
        this.location = BucketLocation.of("gs", "BUCKET", location);
    }

    /**
     * Uses the OAuth tokens of a supplier, such as Google's own library. It is called before each request, on any
     * thread, and may block.
     */
    public GcsStoreBuilder token(Supplier<String> supplier) {
        this.tokens = Objects.requireNonNull(supplier);
        return this;
    }

    /**
     * Uses the credentials in a JSON file: the key of a service account, or the user's credentials that {@code gcloud}
     * stores.
     */
    public GcsStoreBuilder credentials(Path json) {
        this.file = Objects.requireNonNull(json);
        return this;
    }

    /** Sends requests without a token, as for public buckets. */
    public GcsStoreBuilder anonymous() {
        this.anonymous = true;
        return this;
    }

    /** Sets the project that pays for requests and transfer, which buckets with "requester pays" need. */
    public GcsStoreBuilder userProject(String project) {
        query.put("userProject", Objects.requireNonNull(project));
        return this;
    }

    /**
     * Sets the server, such as {@code http://127.0.0.1:4443} of an emulator. The default is that of
     * {@code STORAGE_EMULATOR_HOST}, else Google's. Other servers than Google's get no default credentials.
     */
    public GcsStoreBuilder endpoint(URI server) {
        this.endpoint = Objects.requireNonNull(server);
        return this;
    }

    /** Sets the proxies. The default is {@link ProxySelector#getDefault()}. */
    public GcsStoreBuilder proxy(ProxySelector selector) {
        options.proxy(selector);
        return this;
    }

    /** Sets the trusted certificates and the client's own. The default is {@link SSLContext#getDefault()}. */
    public GcsStoreBuilder tls(SSLContext context) {
        options.tls(context);
        return this;
    }

    /**
     * Sets the deadline of one call, including all retries and pauses. The default is 120 s. It starts when the request
     * is sent, not while the call waits for a permit. Body bytes that arrive at 1 KiB a second or more restart it. In
     * all, a call takes at most thirty times the deadline.
     */
    public GcsStoreBuilder deadline(Duration time) {
        options.deadline(time);
        return this;
    }

    /** Sets how long a request may receive no bytes before it fails and is retried. The default is 30 s. */
    public GcsStoreBuilder idleTimeout(Duration time) {
        options.idleTimeout(time);
        return this;
    }

    /** Sets the connect timeout. The default is 10 s. */
    public GcsStoreBuilder connectTimeout(Duration time) {
        options.connectTimeout(time);
        return this;
    }

    /** Sets how failed requests are retried. */
    public GcsStoreBuilder retries(RetryPolicy policy) {
        options.retries(CloudStore.retries(policy));
        return this;
    }

    /** Sets how reads are merged. The default follows the measured network. */
    public GcsStoreBuilder mergePolicy(MergePolicy policy) {
        options.mergePolicy(policy);
        return this;
    }

    /** Sets how long a cached object is assumed to be unchanged after its last response. The default is 5 s. */
    public GcsStoreBuilder freshFor(Duration duration) {
        options.freshFor(duration);
        return this;
    }

    /** Sets the maximum number of concurrent requests; further ones wait. The default is 256. */
    public GcsStoreBuilder maxConcurrentRequests(int requests) {
        options.maxConcurrentRequests(requests);
        return this;
    }

    /** Sets the maximum size in bytes of an object that is read as a whole. The default is 2 GiB. */
    public GcsStoreBuilder largestObject(long bytes) {
        options.largestObject(bytes);
        return this;
    }

    /**
     * Sets what HTTP 403 means for the read of an object. The default is that of the system property
     * {@code shardkit.forbidden} or the environment variable {@code SHARDKIT_FORBIDDEN} ({@code refuse} or
     * {@code missing}), else {@link ForbiddenPolicy#REFUSE}.
     */
    public GcsStoreBuilder forbidden(ForbiddenPolicy policy) {
        options.missingIfForbidden(policy == ForbiddenPolicy.MISSING);
        return this;
    }

    /**
     * Sets the size in bytes of the parts of large objects. The default is 8 MiB. An object above twice this size is
     * sent in parts.
     *
     * @param bytes a multiple of 256 KiB, up to 2 GiB
     */
    public GcsStoreBuilder partSize(long bytes) {
        if (bytes < UNIT || bytes > 2L << 30 || bytes % UNIT != 0) {
            throw new IllegalArgumentException(
                    "expected parts of a multiple of 256 KiB, up to 2 GiB, found " + bytes + " bytes");
        }
        this.partSize = bytes;
        return this;
    }

    /**
     * Sets a receiver of the figures of each request, failed ones included. It is called on threads of the store and
     * must return quickly.
     */
    public GcsStoreBuilder metrics(Consumer<RequestMetrics> receiver) {
        options.metrics(receiver);
        return this;
    }

    /**
     * Creates the store without sending a request. Credentials are looked up by the first request.
     *
     * @throws IllegalArgumentException if the endpoint is not an http or https URL
     */
    public GcsStore build() {
        return build(DefaultCredentials.ofProcess());
    }

    GcsStore build(DefaultCredentials defaults) {
        URI server = Urls.endpoint(Optional.ofNullable(endpoint)
                .or(() -> emulator(defaults.environment()))
                .orElse(GOOGLE));
        BucketLocation serverLocation = server.equals(GOOGLE) ? location : location.at(server.toString());
        var origin = new GcsOrigin(
                serverLocation, server, tokens(server, defaults).map(BearerAuthorization::new), Map.copyOf(query));
        return new GcsStore(CloudStore.open(
                origin, options, changes -> new GcsBulkOperations(changes, origin, partSize), () -> {}));
    }

    private static Optional<URI> emulator(Map<String, String> environment) {
        return Optional.ofNullable(environment.get("STORAGE_EMULATOR_HOST"))
                .filter(host -> !host.isEmpty())
                .map(host -> Urls.endpoint("STORAGE_EMULATOR_HOST", host.contains("://") ? host : "http://" + host));
    }

    private Optional<Supplier<String>> tokens(URI server, DefaultCredentials defaults) {
        if (anonymous) {
            return Optional.empty();
        } else if (tokens != null) {
            return Optional.of(tokens);
        } else if (file != null) {
            return Optional.of(defaults.tokensOf(file));
        }
        boolean google = "https".equals(server.getScheme()) && server.getHost().endsWith(".googleapis.com");
        return google ? Optional.of(defaults.tokens()) : Optional.empty();
    }
}
