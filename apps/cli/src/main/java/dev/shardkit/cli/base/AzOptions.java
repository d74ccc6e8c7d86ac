package dev.shardkit.cli.base;

import dev.shardkit.store.StoreFactory;
import dev.shardkit.store.azure.AbfsStoreFactory;
import dev.shardkit.store.azure.AbfssStoreFactory;
import dev.shardkit.store.azure.AzureStoreBuilder;
import dev.shardkit.store.azure.AzureStoreFactory;
import dev.shardkit.store.http.ForbiddenPolicy;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * The options for {@code az:} locations, and for {@code abfs:} and {@code abfss:}, which name the same service. Secrets
 * come from Azure's environment variables, never from options.
 */
final class AzOptions {
    @Option(
            names = "--az-account",
            scope = ScopeType.INHERIT,
            paramLabel = "NAME",
            description = "The account of az: locations (default: AZURE_STORAGE_ACCOUNT).")
    private @Nullable String account;

    @Option(
            names = "--az-endpoint",
            scope = ScopeType.INHERIT,
            paramLabel = "URL",
            description = "The Blob service of az: locations (default: AZURE_STORAGE_ENDPOINT, or Azure's).")
    private @Nullable URI endpoint;

    @Option(
            names = "--az-anonymous",
            scope = ScopeType.INHERIT,
            description = "Send no credentials to az: locations, as for public containers.")
    private boolean anonymous;

    /**
     * Returns factories of stores with these options; empty if no option is set.
     *
     * @param forbidden the meaning of HTTP 403, if an option sets it
     */
    List<StoreFactory> factories(Optional<ForbiddenPolicy> forbidden) {
        boolean noneGiven = account == null && endpoint == null && !anonymous;
        UnaryOperator<AzureStoreBuilder> configure = builder -> configured(builder, forbidden);
        return noneGiven && forbidden.isEmpty()
                ? List.of()
                : List.of(
                        new AzureStoreFactory(configure),
                        new AbfsStoreFactory(configure),
                        new AbfssStoreFactory(configure));
    }

    private AzureStoreBuilder configured(AzureStoreBuilder builder, Optional<ForbiddenPolicy> forbidden) {
        forbidden.ifPresent(builder::forbidden);
        if (account != null) {
            builder.account(account);
        }
        if (endpoint != null) {
            builder.endpoint(endpoint);
        }
        return anonymous ? builder.anonymous() : builder;
    }
}
