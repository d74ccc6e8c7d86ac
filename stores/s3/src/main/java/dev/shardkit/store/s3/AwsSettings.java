package dev.shardkit.store.s3;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.profiles.ProfileFile;

/**
 * Region and endpoint from AWS's environment variables and configuration files. Reads files only; asks no metadata
 * service, because that may take seconds.
 *
 * @param environment the environment variables
 * @param property looks up a property of a profile
 */
record AwsSettings(Map<String, String> environment, Function<String, Optional<String>> property) {
    /** Returns the settings of this process and a profile. */
    static AwsSettings of(@Nullable String profile) {
        Map<String, String> environment = System.getenv();
        String name = Optional.ofNullable(profile)
                .or(() -> Optional.ofNullable(System.getProperty("aws.profile")))
                .or(() -> Optional.ofNullable(environment.get("AWS_PROFILE")))
                .orElse("default");
        return new AwsSettings(environment, key -> inFile(name, key));
    }

    private static Optional<String> inFile(String profile, String key) {
        return ProfileFile.defaultProfileFile().profile(profile).flatMap(p -> p.property(key));
    }

    private Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(v -> !v.isBlank());
    }

    /** Returns the configured region. */
    Optional<String> region() {
        return Optional.ofNullable(System.getProperty("aws.region"))
                .or(() -> variable("AWS_REGION"))
                .or(() -> variable("AWS_DEFAULT_REGION"))
                .or(() -> property.apply("region"));
    }

    /** Returns the configured endpoint of S3. */
    Optional<String> endpoint() {
        if (variable("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS")
                .filter("true"::equalsIgnoreCase)
                .isPresent()) {
            return Optional.empty();
        }
        return variable("AWS_ENDPOINT_URL_S3")
                .or(() -> variable("AWS_ENDPOINT_URL"))
                .or(() -> property.apply("endpoint_url"));
    }
}
