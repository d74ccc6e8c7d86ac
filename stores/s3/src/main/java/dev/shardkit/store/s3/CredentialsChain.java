package dev.shardkit.store.s3;

import dev.shardkit.spi.error.StoreException;
import java.time.Duration;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;

/**
 * AWS's chain of credentials: system properties, environment, web identity, profile, container, instance metadata. The
 * chain renews temporary keys by itself. A failure is remembered for a while, so that many requests do not each wait
 * for a metadata service that does not exist. Guarded by its own monitor.
 */
final class CredentialsChain {
    private static final long REMEMBERED_NANOS = Duration.ofSeconds(10).toNanos();

    private final Optional<String> profile;
    private Optional<DefaultCredentialsProvider> chain = Optional.empty();
    private Optional<StoreException> failure = Optional.empty();
    private long failedAt;

    private CredentialsChain(Optional<String> profile) {
        this.profile = profile;
    }

    /** Returns the credentials of the chain, made at the first request. */
    static Credentials of(Optional<String> profile) {
        CredentialsChain chain = new CredentialsChain(profile);
        return new Credentials(() -> Optional.of(chain.keys()), true, chain::close);
    }

    private synchronized S3Keys keys() {
        if (failure.isPresent() && System.nanoTime() - failedAt < REMEMBERED_NANOS) {
            throw new StoreException(failure.get().getMessage(), failure.get());
        }
        try {
            if (chain.isEmpty()) {
                DefaultCredentialsProvider.Builder builder = DefaultCredentialsProvider.builder();
                profile.ifPresent(builder::profileName);
                chain = Optional.of(builder.build());
            }
            return keys(chain.get().resolveCredentials());
        } catch (RuntimeException e) {
            failedAt = System.nanoTime();
            StoreException told = new StoreException(
                    "found no AWS credentials; tried system properties, environment, "
                            + profile.map(p -> "profile \"" + p + "\"").orElse("profile")
                            + ", container and instance metadata, and for a public bucket the store must be opened"
                            + " as anonymous: " + e.getMessage(),
                    e);
            failure = Optional.of(told);
            throw told;
        }
    }

    private static S3Keys keys(AwsCredentials found) {
        Optional<String> token =
                found instanceof AwsSessionCredentials s ? Optional.of(s.sessionToken()) : Optional.empty();
        return new S3Keys(found.accessKeyId(), found.secretAccessKey(), token);
    }

    private synchronized void close() {
        chain.ifPresent(DefaultCredentialsProvider::close);
        chain = Optional.empty();
    }
}
