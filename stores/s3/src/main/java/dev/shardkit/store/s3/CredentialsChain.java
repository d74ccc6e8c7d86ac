package dev.shardkit.store.s3;

import dev.shardkit.spi.error.StoreException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
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

    private final @Nullable String profile;
    private @Nullable DefaultCredentialsProvider chain;
    private @Nullable StoreException failure;
    private long failedAt;

    private CredentialsChain(@Nullable String profile) {
        this.profile = profile;
    }

    /** Returns the credentials of the chain, made at the first request. */
    static Credentials of(@Nullable String profile) {
        CredentialsChain chain = new CredentialsChain(profile);
        return new Credentials(() -> Optional.of(chain.keys()), true, chain::close);
    }

    private synchronized S3Keys keys() {
        if (failure != null && System.nanoTime() - failedAt < REMEMBERED_NANOS) {
            throw new StoreException(failure.getMessage(), failure);
        }
        try {
            if (chain == null) {
                DefaultCredentialsProvider.Builder builder = DefaultCredentialsProvider.builder();
                if (profile != null) {
                    builder.profileName(profile);
                }
                chain = builder.build();
            }
            return keys(chain.resolveCredentials());
        } catch (RuntimeException e) {
            failedAt = System.nanoTime();
            StoreException told = new StoreException(
                    "found no AWS credentials; tried system properties, environment, "
                            + (profile == null ? "profile" : "profile \"" + profile + "\"")
                            + ", container and instance metadata, and for a public bucket the store must be opened"
                            + " as anonymous: " + e.getMessage(),
                    e);
            failure = told;
            throw told;
        }
    }

    private static S3Keys keys(AwsCredentials found) {
        Optional<String> token =
                found instanceof AwsSessionCredentials s ? Optional.of(s.sessionToken()) : Optional.empty();
        return new S3Keys(found.accessKeyId(), found.secretAccessKey(), token);
    }

    private synchronized void close() {
        if (chain != null) {
            chain.close();
            chain = null;
        }
    }
}
