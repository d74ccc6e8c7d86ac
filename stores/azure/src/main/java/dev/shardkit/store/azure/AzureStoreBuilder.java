package dev.shardkit.store.azure;

import dev.shardkit.spi.error.StoreException;
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
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an {@link AzureStore}. The defaults come from the environment variables {@code AZURE_STORAGE_*}. Not
 * thread-safe.
 */
public final class AzureStoreBuilder {
    /** The domains of Azure's own clouds. Only they get default tokens. */
    private static final String CLOUDS = "core\\.windows\\.net|core\\.chinacloudapi\\.cn|core\\.usgovcloudapi\\.net";

    /** The authority of an {@code abfs} URL: container, account and domain. */
    private static final Pattern DATA_LAKE =
            Pattern.compile("([^@/]+)@([a-z0-9-]{1,63})\\.(?:dfs|blob)\\.(" + CLOUDS + ")");

    private static final Pattern AZURE = Pattern.compile("[a-z0-9-]+\\.blob\\.(" + CLOUDS + ")");

    private final BucketLocation location;
    private @Nullable URI endpoint;
    private @Nullable String account;
    private @Nullable String key;
    private @Nullable AzureSettings connection;
    private @Nullable Authorization authorization;
    private final RemoteOptions options = CloudStore.options();
    private long partSize = 8 << 20;

    AzureStoreBuilder(URI location) {
        String scheme = String.valueOf(location.getScheme());
        if (!scheme.equalsIgnoreCase("abfs") && !scheme.equalsIgnoreCase("abfss")) {
            this.location = BucketLocation.of("az", "CONTAINER", location);
            return;
        }
        Matcher found = DATA_LAKE.matcher(
                Optional.ofNullable(location.getRawAuthority()).orElse(""));
        if (!found.matches() || location.getRawQuery() != null || location.getRawFragment() != null) {
            throw new IllegalArgumentException("expected " + scheme
                    + "://CONTAINER@ACCOUNT.dfs.core.windows.net/PREFIX without query and fragment, found another URL");
        }
        this.location = new BucketLocation("az", found.group(1), BucketLocation.prefixOf(location), "");
        this.account = found.group(2);
        this.endpoint = URI.create("https://" + found.group(2) + ".blob." + found.group(3));
    }

    /** Sets the name of the account. The default is {@code AZURE_STORAGE_ACCOUNT}. */
    public AzureStoreBuilder account(String name) {
        if (!name.matches("[a-z0-9-]{1,63}")) {
            throw new IllegalArgumentException("expected the name of an account, found \"" + name + "\"");
        }
        this.account = name;
        return this;
    }

    /**
     * Sets the account's Blob service, such as {@code http://127.0.0.1:10000/devstoreaccount1} of an emulator. The
     * default is {@code AZURE_STORAGE_ENDPOINT}, else {@code https://ACCOUNT.blob.core.windows.net}. Other servers than
     * Azure's get no default tokens.
     */
    public AzureStoreBuilder endpoint(URI service) {
        this.endpoint = Objects.requireNonNull(service);
        return this;
    }

    /** Sets account, endpoint and key or signature from a connection string. */
    public AzureStoreBuilder connectionString(String text) {
        this.connection = AzureSettings.ofConnection(text);
        return this;
    }

    /** Signs with the account's key, in Base64. */
    public AzureStoreBuilder accountKey(String base64) {
        this.key = Objects.requireNonNull(base64);
        return this;
    }

    /** Uses a shared access signature, such as {@code sv=...&sig=...}. */
    public AzureStoreBuilder sasToken(String query) {
        this.authorization = Authorization.Signature.of(query);
        return this;
    }

    /**
     * Uses the OAuth tokens of a supplier, such as Azure's own library, for {@code https://storage.azure.com/}. It is
     * called before each request, on any thread, and may block.
     */
    public AzureStoreBuilder token(Supplier<String> supplier) {
        this.authorization = new Authorization.Tokens(new BearerAuthorization(Objects.requireNonNull(supplier)));
        return this;
    }

    /** Sends requests without credentials, as for public containers. */
    public AzureStoreBuilder anonymous() {
        this.authorization = new Authorization.Anonymous();
        return this;
    }

    /** Sets the proxies. The default is {@link ProxySelector#getDefault()}. */
    public AzureStoreBuilder proxy(ProxySelector selector) {
        options.proxy(selector);
        return this;
    }

    /** Sets the trusted certificates and the client's own. The default is {@link SSLContext#getDefault()}. */
    public AzureStoreBuilder tls(SSLContext context) {
        options.tls(context);
        return this;
    }

    /**
     * Sets the deadline of one call, including all retries and pauses. The default is 120 s. It starts when the request
     * is sent, not while the call waits for a permit. Body bytes that arrive at 1 KiB a second or more restart it. In
     * all, a call takes at most thirty times the deadline.
     */
    public AzureStoreBuilder deadline(Duration time) {
        options.deadline(time);
        return this;
    }

    /** Sets how long a request may receive no bytes before it fails and is retried. The default is 30 s. */
    public AzureStoreBuilder idleTimeout(Duration time) {
        options.idleTimeout(time);
        return this;
    }

    /** Sets the connect timeout. The default is 10 s. */
    public AzureStoreBuilder connectTimeout(Duration time) {
        options.connectTimeout(time);
        return this;
    }

    /** Sets how failed requests are retried. */
    public AzureStoreBuilder retries(RetryPolicy policy) {
        options.retries(CloudStore.retries(policy));
        return this;
    }

    /** Sets how reads are merged. The default follows the measured network. */
    public AzureStoreBuilder mergePolicy(MergePolicy policy) {
        options.mergePolicy(policy);
        return this;
    }

    /** Sets how long a cached object is assumed to be unchanged after its last response. The default is 5 s. */
    public AzureStoreBuilder freshFor(Duration duration) {
        options.freshFor(duration);
        return this;
    }

    /** Sets the maximum number of concurrent requests; further ones wait. The default is 256. */
    public AzureStoreBuilder maxConcurrentRequests(int requests) {
        options.maxConcurrentRequests(requests);
        return this;
    }

    /** Sets the maximum size in bytes of an object that is read as a whole. The default is 2 GiB. */
    public AzureStoreBuilder largestObject(long bytes) {
        options.largestObject(bytes);
        return this;
    }

    /**
     * Sets what HTTP 403 means for the read of an object. The default is that of the system property
     * {@code shardkit.forbidden} or the environment variable {@code SHARDKIT_FORBIDDEN} ({@code refuse} or
     * {@code missing}), else {@link ForbiddenPolicy#REFUSE}.
     */
    public AzureStoreBuilder forbidden(ForbiddenPolicy policy) {
        options.missingIfForbidden(policy == ForbiddenPolicy.MISSING);
        return this;
    }

    /**
     * Sets the size in bytes of the blocks of large blobs. The default is 8 MiB. A blob above twice this size is sent
     * in blocks. A blob that would need more than 50,000 blocks, Azure's limit, gets larger ones.
     *
     * @param bytes 64 KiB to 2 GiB
     */
    public AzureStoreBuilder partSize(long bytes) {
        if (bytes < 64 << 10 || bytes > 2L << 30) {
            throw new IllegalArgumentException("expected blocks of 64 KiB to 2 GiB, found " + bytes + " bytes");
        }
        this.partSize = bytes;
        return this;
    }

    /**
     * Sets a receiver of the figures of each request, failed ones included. It is called on threads of the store and
     * must return quickly.
     */
    public AzureStoreBuilder metrics(Consumer<RequestMetrics> receiver) {
        options.metrics(receiver);
        return this;
    }

    /**
     * Creates the store without sending a request. Tokens are fetched by the first request.
     *
     * @throws StoreException if no account is known
     * @throws IllegalArgumentException if the endpoint is not an http or https URL
     */
    public AzureStore build() {
        return build(ActiveDirectory.ofProcess());
    }

    AzureStore build(ActiveDirectory directory) {
        AzureSettings settings = connection == null ? AzureSettings.of(directory.environment()) : connection;
        Optional<String> name = Optional.ofNullable(account).or(settings::account);
        URI service = Urls.endpoint(Optional.ofNullable(endpoint)
                .or(settings::endpoint)
                .or(() -> name.map(n -> URI.create("https://" + n + ".blob.core.windows.net")))
                .orElseThrow(() -> new StoreException("az://" + location.container()
                        + ": expected the name of an account, found none; set AZURE_STORAGE_ACCOUNT, or use "
                        + "AzureStoreBuilder.account")));
        Authorization chosen = Optional.ofNullable(authorization)
                .or(() -> Optional.ofNullable(key).map(k -> sharedKey(name.orElse(null), service, k)))
                .or(() -> settings.key().map(k -> sharedKey(name.orElse(null), service, k)))
                .or(() -> settings.signature().map(Authorization.Signature::of))
                .orElseGet(() -> defaultAuthorization(service, directory));
        var origin = new AzureOrigin(location.at(service.toString()), service, chosen, Clock.systemUTC());
        return new AzureStore(CloudStore.open(
                origin, options, changes -> new AzureBulkOperations(changes, origin, partSize), () -> {}));
    }

    /**
     * Returns the authorization by the account's key. If the account's name is not set, it is the path of the service's
     * URL, as for an emulator, or the first part of its host.
     */
    private static Authorization sharedKey(@Nullable String name, URI service, String key) {
        String path = Urls.path(service).replaceFirst("^/", "");
        String implied = path.isEmpty() ? service.getHost().split("\\.")[0] : path;
        String account = name == null ? implied : name;
        return Authorization.SharedKey.of(account, key);
    }

    /** Returns the tokens of Active Directory for a host of Azure; sends no credentials to any other. */
    private static Authorization defaultAuthorization(URI service, ActiveDirectory directory) {
        boolean azure = "https".equals(service.getScheme())
                && AZURE.matcher(service.getHost()).matches();
        return azure
                ? new Authorization.Tokens(new BearerAuthorization(directory.tokens()))
                : new Authorization.Anonymous();
    }
}
