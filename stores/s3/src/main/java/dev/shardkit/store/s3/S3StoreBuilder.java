package dev.shardkit.store.s3;

import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.RequestMetrics;
import dev.shardkit.store.cloud.BucketLocation;
import dev.shardkit.store.cloud.CloudStore;
import dev.shardkit.store.http.ForbiddenPolicy;
import dev.shardkit.store.http.RetryPolicy;
import dev.shardkit.store.remote.RemoteOptions;
import java.net.ProxySelector;
import java.net.URI;
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
 * The settings of an {@link S3Store}. The defaults come from AWS's environment variables and configuration files. Not
 * thread-safe.
 */
public final class S3StoreBuilder {
    private final BucketLocation location;
    private @Nullable CredentialsProvider credentials;
    private @Nullable String profile;
    private @Nullable String region;
    private @Nullable URI endpoint;
    private @Nullable Boolean pathStyle;
    private final RemoteOptions options = CloudStore.options();
    private final Map<String, String> headers = new LinkedHashMap<>();
    private final Map<String, String> userMetadata = new LinkedHashMap<>();
    private @Nullable S3Encryption encryption;
    private @Nullable String storageClass;
    private boolean checksums;
    private long partSize = 8 << 20;
    private Duration abandonedAfter = Duration.ofHours(24);

    S3StoreBuilder(URI location) {
        this.location = BucketLocation.of("s3", "BUCKET", location);
    }

    /** Signs with this access key. */
    public S3StoreBuilder credentials(AccessKey keys) {
        this.credentials = CredentialsProvider.of(keys);
        return this;
    }

    /** Signs with the access keys of a supplier. It is called before each request, on any thread, and may block. */
    public S3StoreBuilder credentials(Supplier<AccessKey> supplier) {
        this.credentials = CredentialsProvider.supplied(supplier);
        return this;
    }

    /** Sends requests without a signature, as for public buckets. */
    public S3StoreBuilder anonymous() {
        this.credentials = CredentialsProvider.anonymous();
        return this;
    }

    /**
     * Uses a profile of AWS's configuration files for credentials, region and endpoint. The default is that of
     * {@code AWS_PROFILE}, else {@code default}.
     */
    public S3StoreBuilder profile(String name) {
        this.profile = Objects.requireNonNull(name);
        return this;
    }

    /**
     * Sets the region. The default is that of {@code AWS_REGION}, {@code AWS_DEFAULT_REGION} or the profile, else
     * {@code us-east-1}. If the bucket is in another region, Amazon's response names it, and the store continues there.
     */
    public S3StoreBuilder region(String name) {
        this.region = Objects.requireNonNull(name);
        return this;
    }

    /**
     * Sets the server, such as {@code http://127.0.0.1:9000}. The default is that of {@code AWS_ENDPOINT_URL_S3},
     * {@code AWS_ENDPOINT_URL} or the profile, else Amazon's server for the region.
     */
    public S3StoreBuilder endpoint(URI server) {
        this.endpoint = Objects.requireNonNull(server);
        return this;
    }

    /**
     * Puts the bucket's name into the path of URLs. This is the default for endpoints other than Amazon's and for names
     * with periods.
     */
    public S3StoreBuilder pathStyle() {
        this.pathStyle = true;
        return this;
    }

    /** Puts the bucket's name into the host of URLs, even if the default is the path. */
    public S3StoreBuilder virtualHostedStyle() {
        this.pathStyle = false;
        return this;
    }

    /** Declares that the caller, not the bucket's owner, pays for requests and transfer. Some buckets require it. */
    public S3StoreBuilder requesterPays() {
        headers.put("x-amz-request-payer", "requester");
        return this;
    }

    /** Sets how the server encrypts objects. The default is that of the bucket. */
    public S3StoreBuilder encryption(S3Encryption how) {
        this.encryption = Objects.requireNonNull(how);
        return this;
    }

    /** Sets the storage class of new objects, such as {@code STANDARD_IA}. The default is that of the bucket. */
    public S3StoreBuilder storageClass(String name) {
        if (!name.matches("[A-Z0-9_-]+")) {
            throw new IllegalArgumentException("expected a storage class such as STANDARD_IA, found \"" + name + '"');
        }
        this.storageClass = name;
        return this;
    }

    /**
     * Adds user metadata to new objects. Amazon allows 2 KiB for each object.
     *
     * @param name lower-case letters, digits, {@code .}, {@code _} and {@code -}; without {@code x-amz-meta-}
     * @param value ASCII characters
     */
    public S3StoreBuilder userMetadata(String name, String value) {
        ObjectSettings.check(name, value);
        userMetadata.put(name, value);
        return this;
    }

    /**
     * Sends the CRC32C of new objects, and of each part of large ones. The server refuses bytes that arrive damaged,
     * and keeps the checksum. Reads of entire objects compare it; reads of ranges cannot. An object into which the
     * server copied ranges of a stored object has no checksum that reads could compare. The default is off, because
     * some servers other than Amazon's refuse requests with checksums.
     */
    public S3StoreBuilder checksums() {
        this.checksums = true;
        return this;
    }

    /** Sets the proxies. The default is {@link ProxySelector#getDefault()}. */
    public S3StoreBuilder proxy(ProxySelector selector) {
        options.proxy(selector);
        return this;
    }

    /** Sets the trusted certificates and the client's own. The default is {@link SSLContext#getDefault()}. */
    public S3StoreBuilder tls(SSLContext context) {
        options.tls(context);
        return this;
    }

    /**
     * Sets the deadline of one call, including all retries and pauses. The default is 120 s. It starts when the request
     * is sent, not while the call waits for a permit. Body bytes that arrive at 1 KiB a second or more restart it. In
     * all, a call takes at most thirty times the deadline.
     */
    public S3StoreBuilder deadline(Duration time) {
        options.deadline(time);
        return this;
    }

    /** Sets how long a request may receive no bytes before it fails and is retried. The default is 30 s. */
    public S3StoreBuilder idleTimeout(Duration time) {
        options.idleTimeout(time);
        return this;
    }

    /** Sets the connect timeout. The default is 10 s. */
    public S3StoreBuilder connectTimeout(Duration time) {
        options.connectTimeout(time);
        return this;
    }

    /** Sets how failed requests are retried. */
    public S3StoreBuilder retries(RetryPolicy policy) {
        options.retries(CloudStore.retries(policy));
        return this;
    }

    /** Sets how reads are merged. The default follows the measured network. */
    public S3StoreBuilder mergePolicy(MergePolicy policy) {
        options.mergePolicy(policy);
        return this;
    }

    /** Sets how long a cached object is assumed to be unchanged after its last response. The default is 5 s. */
    public S3StoreBuilder freshFor(Duration duration) {
        options.freshFor(duration);
        return this;
    }

    /** Sets the maximum number of concurrent requests; further ones wait. The default is 256. */
    public S3StoreBuilder maxConcurrentRequests(int requests) {
        options.maxConcurrentRequests(requests);
        return this;
    }

    /** Sets the maximum size in bytes of an object that is read as a whole. The default is 2 GiB. */
    public S3StoreBuilder largestObject(long bytes) {
        options.largestObject(bytes);
        return this;
    }

    /**
     * Sets what HTTP 403 means for the read of an object. The default is that of the system property
     * {@code shardkit.forbidden} or the environment variable {@code SHARDKIT_FORBIDDEN} ({@code refuse} or
     * {@code missing}), else {@link ForbiddenPolicy#REFUSE}.
     */
    public S3StoreBuilder forbidden(ForbiddenPolicy use) {
        options.missingIfForbidden(use == ForbiddenPolicy.MISSING);
        return this;
    }

    /**
     * Sets the size in bytes of the parts of large objects. The default is 8 MiB. An object above twice this size is
     * sent in parts. An object that would need more than 10,000 parts, the limit of S3, gets larger parts.
     *
     * @param bytes 5 MiB to 2 GiB; S3 refuses smaller parts
     */
    public S3StoreBuilder partSize(long bytes) {
        if (bytes < 5 << 20 || bytes > 2L << 30) {
            throw new IllegalArgumentException("expected parts of 5 MiB to 2 GiB, found " + bytes + " bytes");
        }
        this.partSize = bytes;
        return this;
    }

    /**
     * Sets the age from which an unfinished upload in parts counts as left over by a killed writer. Repair aborts such
     * uploads. The default is 24 hours. If the upload is still running, it fails when it is aborted, and its writer can
     * repeat it.
     */
    public S3StoreBuilder abandonedAfter(Duration age) {
        if (age.isNegative()) {
            throw new IllegalArgumentException("expected an age of at least zero, found " + age);
        }
        this.abandonedAfter = age;
        return this;
    }

    /**
     * Sets a receiver of the figures of each request, failed ones included. It is called on threads of the store and
     * must return quickly.
     */
    public S3StoreBuilder metrics(Consumer<RequestMetrics> receiver) {
        options.metrics(receiver);
        return this;
    }

    /**
     * Creates the store without sending a request. Credentials are looked up by the first request.
     *
     * @throws IllegalArgumentException if the endpoint is not an http or https URL
     * @throws dev.shardkit.spi.error.StoreException if AWS's configuration files are needed and cannot be read
     */
    public S3Store build() {
        ProfileFiles files = new ProfileFiles();
        return build(AwsSettings.of(profile, files), files);
    }

    S3Store build(AwsSettings settings, ProfileFiles files) {
        Optional<URI> server = Optional.ofNullable(endpoint).or(settings::endpoint);
        Optional<String> configuredRegion = Optional.ofNullable(region).or(settings::region);
        var bucket = new Bucket(location, server.orElse(null), configuredRegion.orElse(null), pathStyle);
        CredentialsProvider signing = credentials == null ? CredentialsChain.of(profile, files) : credentials;
        ObjectSettings objects = ObjectSettings.of(encryption, storageClass, userMetadata);
        var origin = new S3Origin(
                bucket, new Signer(signing, bucket), Map.copyOf(headers), objects, new UploadChecksums(checksums));
        CloudStore store = CloudStore.open(
                origin, options, changes -> new MultipartUpload(changes, origin, partSize), signing.end());
        return new S3Store(store, (MultipartUpload) store.bulk(), abandonedAfter);
    }
}
