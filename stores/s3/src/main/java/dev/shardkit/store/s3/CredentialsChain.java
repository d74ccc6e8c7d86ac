package dev.shardkit.store.s3;

import dev.shardkit.spi.error.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.ContainerCredentialsProvider;
import software.amazon.awssdk.auth.credentials.EnvironmentVariableCredentialsProvider;
import software.amazon.awssdk.auth.credentials.InstanceProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;
import software.amazon.awssdk.auth.credentials.WebIdentityTokenFileCredentialsProvider;

/**
 * AWS's sources of credentials in AWS's order: system properties, environment, web identity, profile, container,
 * instance metadata. The first source that has credentials is used from then on; it renews temporary keys
 * automatically. A failure is remembered for a while, so that many requests do not each wait for a metadata service
 * that does not exist. If asking the sources may block, one request at a time does so, and the others wait for its
 * result. Errors do not contain AWS's exceptions, because their messages may quote the response of a source. Guarded by
 * its own monitor, which is not held while a source is asked.
 */
final class CredentialsChain {
    private static final long REMEMBERED_NANOS = Duration.ofSeconds(10).toNanos();
    /** The timeout for the metadata service of an instance, which often does not exist. */
    private static final int METADATA_MILLIS = 1_000;
    /** The timeout for a configured source, which exists but may be slow. */
    private static final int CONTAINER_MILLIS = 2_000;

    /** How long a request waits for the result of another one, which may never end. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final @Nullable String profile;
    private final ProfileFiles files;
    private final InstanceMetadataProbe metadata;
    /** The first source that had credentials; null until one is found. */
    private volatile @Nullable AwsCredentialsProvider loadedProvider;

    /** The future result of the request that resolves credentials now; null if none does. */
    private @Nullable CompletableFuture<AccessKey> runningRequest;

    private @Nullable StoreException failure;
    private long failedAt;
    private boolean closed;

    private CredentialsChain(@Nullable String profile, ProfileFiles files, InstanceMetadataProbe metadata) {
        this.profile = profile;
        this.files = files;
        this.metadata = metadata;
    }

    /** Returns the credentials of the chain, which the first request resolves. */
    static CredentialsProvider of(@Nullable String profile, ProfileFiles files) {
        AwsSettings settings = AwsSettings.of(profile, files);
        Function<String, Optional<String>> property = name -> {
            try {
                return settings.property().apply(name);
            } catch (StoreException e) { // an invalid profile: the source "profile" reports it
                return Optional.empty();
            }
        };
        return of(profile, files, new InstanceMetadataProbe(settings.withJvmProperties(), property, METADATA_MILLIS));
    }

    static CredentialsProvider of(@Nullable String profile, ProfileFiles files, InstanceMetadataProbe metadata) {
        CredentialsChain chain = new CredentialsChain(profile, files, metadata);
        return new CredentialsProvider(
                () -> Optional.of(chain.keys()),
                "chain of " + (profile == null ? "the environment" : profile),
                chain::mayWait,
                chain::close);
    }

    private AccessKey keys() {
        CompletableFuture<AccessKey> created = new CompletableFuture<>();
        CompletableFuture<AccessKey> existing;
        synchronized (this) {
            if (closed) {
                throw closedStore();
            }
            if (failure != null && System.nanoTime() - failedAt < REMEMBERED_NANOS) {
                throw new StoreException(failure.getMessage(), failure);
            }
            // If the environment or system properties hold the keys, the caller may be a thread that must not block. So
            // it does not wait for another request, but reads them itself, which takes no time.
            existing = mayWait() ? runningRequest : null;
            if (existing == null) {
                runningRequest = created;
            }
        }
        return existing == null ? resolve(created) : await(existing);
    }

    private static StoreException closedStore() {
        return new StoreException("the store was closed before AWS credentials were found");
    }

    /** Resolves the credentials and completes {@code result}, for which other requests wait. */
    private AccessKey resolve(CompletableFuture<AccessKey> result) {
        AwsCredentialsProvider source = loadedProvider;
        try {
            AccessKey keys = keys(source == null ? findCredentials() : source.resolveCredentials());
            result.complete(keys);
            return keys;
        } catch (RuntimeException e) {
            StoreException reported = e instanceof StoreException ours
                    ? ours
                    : new StoreException(
                            "the AWS credentials that were found cannot be renewed: " + MissingCredentials.of(e));
            synchronized (this) {
                failedAt = System.nanoTime();
                failure = reported;
            }
            result.completeExceptionally(reported);
            throw reported;
        } finally {
            result.cancel(false); // no-op, except after an Error such as OutOfMemoryError
            ended(result);
        }
    }

    /** Ends a request. If the chain was closed meanwhile, closes the provider, which {@link #close()} left to it. */
    private void ended(CompletableFuture<AccessKey> result) {
        AwsCredentialsProvider unused = null;
        synchronized (this) {
            runningRequest = runningRequest == result ? null : runningRequest;
            if (closed) {
                unused = loadedProvider;
                loadedProvider = null;
            }
        }
        close(unused);
    }

    private static AccessKey await(CompletableFuture<AccessKey> running) {
        try {
            return running.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new StoreException("no AWS credentials within " + PATIENCE + ": the source of credentials that an"
                    + " earlier request asks does not answer");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while waiting for AWS credentials");
        } catch (ExecutionException e) {
            throw new StoreException(String.valueOf(e.getCause().getMessage()), e.getCause());
        } catch (CancellationException e) {
            throw new StoreException("the request for AWS credentials ended abnormally");
        }
    }

    /** Returns whether {@code keys} may block: not if environment variables or system properties hold them. */
    private boolean mayWait() {
        AwsCredentialsProvider source = loadedProvider;
        return !(source instanceof EnvironmentVariableCredentialsProvider
                || source instanceof SystemPropertyCredentialsProvider);
    }

    /**
     * A source of credentials.
     *
     * @param configured whether the error message says why the source has no credentials; for other sources, the reason
     *     is only that the user has not configured them
     */
    private record Source(String name, Supplier<AwsCredentialsProvider> provider, boolean configured) {}

    private List<Source> sources() {
        boolean tokenFile = metadata.environment().containsKey("AWS_WEB_IDENTITY_TOKEN_FILE");
        boolean container = metadata.environment().keySet().stream()
                .anyMatch(name -> name.startsWith("AWS_CONTAINER_CREDENTIALS_"));
        return List.of(
                new Source("system properties", SystemPropertyCredentialsProvider::create, false),
                new Source("environment", EnvironmentVariableCredentialsProvider::create, false),
                new Source("web identity", WebIdentityTokenFileCredentialsProvider::create, tokenFile),
                new Source("profile", this::inProfile, true),
                new Source("container metadata", ContainerCredentialsProvider::create, container),
                new Source("instance metadata", InstanceProfileCredentialsProvider::create, true));
    }

    private AwsCredentialsProvider inProfile() {
        files.get(); // AWS's provider would read files that are too large
        return ProfileCredentialsProvider.builder()
                .profileFile(files)
                .profileName(profile)
                .build();
    }

    /** Tries all sources in order, and remembers the first that has credentials. */
    private AwsCredentials findCredentials() {
        List<String> tried = new ArrayList<>();
        for (Source source : sources()) {
            AwsCredentialsProvider provider = null;
            Optional<String> missing;
            try {
                provider = source.provider().get();
                missing = missing(provider);
                if (missing.isEmpty()) {
                    AwsCredentials credentials = provider.resolveCredentials();
                    loadedProvider = provider;
                    return credentials;
                }
            } catch (RuntimeException e) {
                missing = Optional.of(MissingCredentials.of(e));
            }
            tried.add(source.name() + (source.configured() ? " (" + missing.orElse("") + ")" : ""));
            close(provider);
        }
        throw new StoreException("found no AWS credentials; tried " + String.join(", ", tried)
                + "; for a public bucket, use S3StoreBuilder.anonymous()");
    }

    /**
     * Returns the reason why a metadata service is skipped; empty if it must be asked. AWS's client would retry a
     * missing service often, with long pauses.
     */
    private Optional<String> missing(AwsCredentialsProvider source) {
        if (source instanceof InstanceProfileCredentialsProvider) {
            return metadata.missing();
        }
        return source instanceof ContainerCredentialsProvider
                ? new ContainerMetadataProbe(metadata.environment(), CONTAINER_MILLIS).silent()
                : Optional.empty();
    }

    private static AccessKey keys(AwsCredentials credentials) {
        Optional<String> token =
                credentials instanceof AwsSessionCredentials s ? Optional.of(s.sessionToken()) : Optional.empty();
        return new AccessKey(credentials.accessKeyId(), credentials.secretAccessKey(), token);
    }

    /**
     * Ends the wait of requests. Does not wait for the request that resolves credentials: that request closes the
     * provider that it finds.
     */
    private void close() {
        AwsCredentialsProvider unused = null;
        CompletableFuture<AccessKey> running;
        synchronized (this) {
            closed = true;
            running = runningRequest;
            if (running == null) {
                unused = loadedProvider;
                loadedProvider = null;
            }
        }
        if (running != null) {
            running.completeExceptionally(closedStore());
        }
        close(unused);
    }

    private static void close(@Nullable AwsCredentialsProvider provider) {
        if (provider instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Exception e) {
                return; // the provider is no longer used, so the failure does not matter
            }
        }
    }
}
