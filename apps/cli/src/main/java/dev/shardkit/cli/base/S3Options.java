package dev.shardkit.cli.base;

import dev.shardkit.store.StoreFactory;
import dev.shardkit.store.http.ForbiddenPolicy;
import dev.shardkit.store.s3.S3StoreBuilder;
import dev.shardkit.store.s3.S3StoreFactory;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The values of the options for {@code s3:} locations, which {@link RootCommand} declares. Secrets come from AWS's
 * environment variables and files, never from options.
 *
 * @param endpoint the server
 * @param region the region
 * @param profile the profile of AWS's configuration files
 * @param anonymous whether requests are not signed
 * @param requesterPays whether the caller pays
 * @param forbidden the meaning of HTTP 403, if an option sets it
 */
record S3Options(
        @Nullable URI endpoint,
        @Nullable String region,
        @Nullable String profile,
        boolean anonymous,
        boolean requesterPays,
        Optional<ForbiddenPolicy> forbidden) {
    /** Returns a factory of stores with these options; empty if no option is set. */
    Optional<StoreFactory> factory() {
        boolean noneGiven = endpoint == null && region == null && profile == null && !anonymous && !requesterPays;
        return noneGiven && forbidden.isEmpty() ? Optional.empty() : Optional.of(new S3StoreFactory(this::configured));
    }

    private S3StoreBuilder configured(S3StoreBuilder builder) {
        if (endpoint != null) {
            builder.endpoint(endpoint);
        }
        if (region != null) {
            builder.region(region);
        }
        if (profile != null) {
            builder.profile(profile);
        }
        if (anonymous) {
            builder.anonymous();
        }
        forbidden.ifPresent(builder::forbidden);
        return requesterPays ? builder.requesterPays() : builder;
    }
}
