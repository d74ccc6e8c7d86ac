package dev.shardkit.cli.base;

import dev.shardkit.store.StoreFactory;
import dev.shardkit.store.gcs.GcsStoreBuilder;
import dev.shardkit.store.gcs.GcsStoreFactory;
import dev.shardkit.store.http.ForbiddenPolicy;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * The options for {@code gs:} locations. Secrets come from Google's environment variables and files, never from
 * options.
 */
final class GsOptions {
    @Option(
            names = "--gs-endpoint",
            scope = ScopeType.INHERIT,
            paramLabel = "URL",
            description = "The server of gs: locations (default: STORAGE_EMULATOR_HOST, or Google's).")
    private @Nullable URI endpoint;

    @Option(
            names = "--gs-anonymous",
            scope = ScopeType.INHERIT,
            description = "Send no credentials to gs: locations, as for public buckets.")
    private boolean anonymous;

    @Option(
            names = "--gs-user-project",
            scope = ScopeType.INHERIT,
            paramLabel = "PROJECT",
            description = "The project that pays for requests to gs: locations.")
    private @Nullable String userProject;

    /**
     * Returns a factory of stores with these options; empty if no option is set.
     *
     * @param forbidden the meaning of HTTP 403, if an option sets it
     */
    Optional<StoreFactory> factory(Optional<ForbiddenPolicy> forbidden) {
        boolean noneGiven = endpoint == null && !anonymous && userProject == null;
        return noneGiven && forbidden.isEmpty()
                ? Optional.empty()
                : Optional.of(new GcsStoreFactory(builder -> configured(builder, forbidden)));
    }

    private GcsStoreBuilder configured(GcsStoreBuilder builder, Optional<ForbiddenPolicy> forbidden) {
        forbidden.ifPresent(builder::forbidden);
        if (endpoint != null) {
            builder.endpoint(endpoint);
        }
        if (userProject != null) {
            builder.userProject(userProject);
        }
        return anonymous ? builder.anonymous() : builder;
    }
}
