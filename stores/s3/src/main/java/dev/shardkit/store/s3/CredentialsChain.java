package dev.shardkit.store.s3;

import dev.shardkit.spi.error.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
 * instance metadata. The first one that has any is used from then on; it renews temporary keys automatically. A failure
 * is remembered for a while, so that many requests do not each wait for a metadata service that does not exist. Guarded
 * by its own monitor.
 */
final class CredentialsChain {
    private static final long REMEMBERED_NANOS = Duration.ofSeconds(10).toNanos();
    private static final int METADATA_MILLIS = 1_000;
    /** It is configured, so it is there, and may be slow. */
    private static final int CONTAINER_MILLIS = 2_000;

    private static final int LONGEST_REASON = 120;

    /** Some kinds of credentials need further modules of AWS, which its chain loads by name. */
    private static final Pattern MODULE = Pattern.compile("'(sts|sso|ssooidc|signin)' service module");

    private final @Nullable String profile;
    private final InstanceMetadata metadata;
    private volatile @Nullable AwsCredentialsProvider found;
    private @Nullable StoreException failure;
    private long failedAt;

    private CredentialsChain(@Nullable String profile, InstanceMetadata metadata) {
        this.profile = profile;
        this.metadata = metadata;
    }

    /** Returns the credentials of the chain, looked for at the first request. */
    static Credentials of(@Nullable String profile) {
        AwsSettings settings = AwsSettings.of(profile);
        return of(profile, new InstanceMetadata(settings.withJvmProperties(), settings.property(), METADATA_MILLIS));
    }

    static Credentials of(@Nullable String profile, InstanceMetadata metadata) {
        CredentialsChain chain = new CredentialsChain(profile, metadata);
        return new Credentials(
                () -> Optional.of(chain.keys()),
                "chain of " + (profile == null ? "the environment" : profile),
                chain::mayWait,
                chain::close);
    }

    private synchronized S3Keys keys() {
        if (failure != null && System.nanoTime() - failedAt < REMEMBERED_NANOS) {
            throw new StoreException(failure.getMessage(), failure);
        }
        try {
            return keys(found == null ? look() : found.resolveCredentials());
        } catch (RuntimeException e) {
            failedAt = System.nanoTime();
            StoreException told = e instanceof StoreException ours
                    ? ours
                    : new StoreException(
                            "the AWS credentials that were found " + "cannot be renewed: " + e.getMessage(), e);
            failure = told;
            throw told;
        }
    }

    /** Whether {@code keys} may block: not if environment variables or system properties hold them. */
    private boolean mayWait() {
        AwsCredentialsProvider source = found;
        return !(source instanceof EnvironmentVariableCredentialsProvider
                || source instanceof SystemPropertyCredentialsProvider);
    }

    /** A source; the error names the reason for its lack of credentials only if the source is configured. */
    private record Source(String name, AwsCredentialsProvider provider, boolean configured) {}

    private List<Source> sources() {
        ProfileCredentialsProvider inProfile =
                profile == null ? ProfileCredentialsProvider.create() : ProfileCredentialsProvider.create(profile);
        boolean tokenFile = metadata.environment().containsKey("AWS_WEB_IDENTITY_TOKEN_FILE");
        boolean container = metadata.environment().keySet().stream()
                .anyMatch(name -> name.startsWith("AWS_CONTAINER_CREDENTIALS_"));
        return List.of(
                new Source("system properties", SystemPropertyCredentialsProvider.create(), false),
                new Source("environment", EnvironmentVariableCredentialsProvider.create(), false),
                new Source("web identity", WebIdentityTokenFileCredentialsProvider.create(), tokenFile),
                new Source("profile", inProfile, true),
                new Source("container metadata", ContainerCredentialsProvider.create(), container),
                new Source("instance metadata", InstanceProfileCredentialsProvider.create(), true));
    }

    /** Asks all sources in order; keeps the first that has credentials. */
    private AwsCredentials look() {
        List<String> tried = new ArrayList<>();
        for (Source source : sources()) {
            Optional<String> missing = missing(source);
            if (missing.isEmpty()) {
                try {
                    AwsCredentials credentials = source.provider().resolveCredentials();
                    found = source.provider();
                    return credentials;
                } catch (RuntimeException e) {
                    missing = Optional.of(reason(e));
                }
            }
            tried.add(source.name() + (source.configured() ? " (" + missing.orElse("") + ")" : ""));
            close(source.provider());
        }
        throw new StoreException(
                "found no AWS credentials; tried " + String.join(", ", tried) + "; open a public bucket as anonymous");
    }

    /** Returns why a metadata service need not be asked; AWS's client would ask it often, with long pauses. */
    private Optional<String> missing(Source source) {
        if (source.provider() instanceof InstanceProfileCredentialsProvider) {
            return metadata.missing();
        }
        return source.provider() instanceof ContainerCredentialsProvider
                ? new ContainerMetadata(metadata.environment(), CONTAINER_MILLIS).silent()
                : Optional.empty();
    }

    /** Returns which jar is missing, or the first sentence of a failure. */
    private static String reason(RuntimeException e) {
        String message = String.valueOf(e.getMessage()).replaceAll("[^ -~]", " ");
        Matcher module = MODULE.matcher(message);
        if (module.find()) {
            return "the class path lacks software.amazon.awssdk:" + module.group(1);
        } else if (message.startsWith("Unable to load an HTTP implementation")) {
            return "the class path lacks an HTTP client of AWS, such as software.amazon.awssdk:url-connection-client";
        }
        String first = message.split("(?<=[a-zA-Z'])\\.( |$)|: ", 2)[0];
        return first.length() > LONGEST_REASON ? first.substring(0, LONGEST_REASON) + "..." : first;
    }

    private static S3Keys keys(AwsCredentials found) {
        Optional<String> token =
                found instanceof AwsSessionCredentials s ? Optional.of(s.sessionToken()) : Optional.empty();
        return new S3Keys(found.accessKeyId(), found.secretAccessKey(), token);
    }

    private synchronized void close() {
        if (found != null) {
            close(found);
            found = null;
        }
    }

    private static void close(AwsCredentialsProvider provider) {
        if (provider instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Exception e) {
                return; // nothing of it is used any more
            }
        }
    }
}
