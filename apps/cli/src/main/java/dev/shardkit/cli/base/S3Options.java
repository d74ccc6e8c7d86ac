package dev.shardkit.cli.base;

import dev.shardkit.store.StoreFactory;
import dev.shardkit.store.http.Forbidden;
import dev.shardkit.store.s3.S3StoreBuilder;
import dev.shardkit.store.s3.S3StoreFactory;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The options for {@code s3:} locations. None of them is a secret; those come from AWS's environment and files.
 *
 * @param endpoint the server
 * @param region the region
 * @param profile the profile of AWS's configuration files
 * @param anonymous whether requests are not signed
 * @param requesterPays whether the caller pays
 * @param forbidden what HTTP 403 means, if an option says so
 */
record S3Options(
        @Nullable URI endpoint,
        @Nullable String region,
        @Nullable String profile,
        boolean anonymous,
        boolean requesterPays,
        Optional<Forbidden> forbidden) {
    /** Returns the store with these options; empty if there is no option. */
    Optional<StoreFactory> factory() {
        boolean none = endpoint == null && region == null && profile == null && !anonymous && !requesterPays;
        return none && forbidden.isEmpty() ? Optional.empty() : Optional.of(new S3StoreFactory(this::set));
    }

    private S3StoreBuilder set(S3StoreBuilder builder) {
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
