package dev.shardkit.store.s3;

import dev.shardkit.store.cloud.Urls;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the region and the endpoint in the JVM's properties and in AWS's environment variables and configuration files.
 * Asks no metadata service, because that may take seconds.
 *
 * @param environment the environment variables
 * @param property looks up a property of a profile
 */
record AwsSettings(Map<String, String> environment, Function<String, Optional<String>> property) {
    /**
     * Returns the settings of this process.
     *
     * @param profile the profile to use; null for that of {@code aws.profile}, {@code AWS_PROFILE} or the default one
     */
    static AwsSettings of(@Nullable String profile, ProfileFiles files) {
        Map<String, String> environment = System.getenv();
        String name = Optional.ofNullable(profile)
                .or(() -> Optional.ofNullable(System.getProperty("aws.profile")))
                .or(() -> Optional.ofNullable(environment.get("AWS_PROFILE")))
                .orElse("default");
        return new AwsSettings(environment, key -> files.get().profile(name).flatMap(found -> found.property(key)));
    }

    /** Environment variables that say where credentials come from, and the JVM properties that override them. */
    private static final Map<String, String> JVM_PROPERTIES = Map.of(
            "AWS_EC2_METADATA_DISABLED", "aws.disableEc2Metadata",
            "AWS_EC2_METADATA_SERVICE_ENDPOINT", "aws.ec2MetadataServiceEndpoint",
            "AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE", "aws.ec2MetadataServiceEndpointMode",
            "AWS_WEB_IDENTITY_TOKEN_FILE", "aws.webIdentityTokenFile",
            "AWS_CONTAINER_SERVICE_ENDPOINT", "aws.containerServiceEndpoint",
            "AWS_CONTAINER_CREDENTIALS_FULL_URI", "aws.containerCredentialsFullUri",
            "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "aws.containerCredentialsPath");

    /** Returns the environment variables, with the values of {@link #JVM_PROPERTIES} in place of theirs. */
    Map<String, String> withJvmProperties() {
        Map<String, String> merged = new HashMap<>(environment);
        JVM_PROPERTIES.forEach((variable, property) ->
                Optional.ofNullable(System.getProperty(property)).ifPresent(value -> merged.put(variable, value)));
        return merged;
    }

    private Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }

    /** Returns the configured region. */
    Optional<String> region() {
        return Optional.ofNullable(System.getProperty("aws.region"))
                .or(() -> variable("AWS_REGION"))
                .or(() -> variable("AWS_DEFAULT_REGION"))
                .or(() -> property.apply("region"));
    }

    /** Returns the configured endpoint of S3. */
    Optional<URI> endpoint() {
        if (variable("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS")
                .filter("true"::equalsIgnoreCase)
                .isPresent()) {
            return Optional.empty();
        }
        return parsedEndpoint("AWS_ENDPOINT_URL_S3", variable("AWS_ENDPOINT_URL_S3"))
                .or(() -> parsedEndpoint("AWS_ENDPOINT_URL", variable("AWS_ENDPOINT_URL")))
                .or(() -> parsedEndpoint("endpoint_url of the profile", property.apply("endpoint_url")));
    }

    private static Optional<URI> parsedEndpoint(String setting, Optional<String> text) {
        return text.map(url -> Urls.endpoint(setting, url));
    }
}
