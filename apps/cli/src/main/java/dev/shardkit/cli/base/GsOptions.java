package dev.shardkit.cli.base;

import dev.shardkit.store.StoreFactory;
import dev.shardkit.store.gcs.GcsStoreBuilder;
import dev.shardkit.store.gcs.GcsStoreFactory;
import dev.shardkit.store.http.Forbidden;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options for {@code gs:} locations. None of them is a secret; those come from Google's environment and files. */
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
     * Returns the store with these options; empty if there is no option.
     *
     * @param forbidden what HTTP 403 means, if an option says so
     */
    Optional<StoreFactory> factory(Optional<Forbidden> forbidden) {
        boolean none = endpoint == null && !anonymous && userProject == null;
        return none && forbidden.isEmpty()
                ? Optional.empty()
                : Optional.of(new GcsStoreFactory(builder -> set(builder, forbidden)));
    }

    private GcsStoreBuilder set(GcsStoreBuilder builder, Optional<Forbidden> forbidden) {
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
