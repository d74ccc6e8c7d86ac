package dev.shardkit.store.azure;

import dev.shardkit.store.cloud.Urls;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Account, endpoint and secrets from a connection string or environment variables. {@code toString} shows no secret.
 *
 * @param account the name of the account
 * @param endpoint the account's Blob service
 * @param key the account's key
 * @param signature a shared access signature
 */
record AzureSettings(
        Optional<String> account, Optional<URI> endpoint, Optional<String> key, Optional<String> signature) {
    /** The account of Azurite, the emulator of Azure Storage. Its key is public. */
    private static final Map<String, String> DEVELOPMENT = Map.of(
            "accountname", "devstoreaccount1",
            "accountkey", "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
            "blobendpoint", "http://127.0.0.1:10000/devstoreaccount1");

    /** Reads environment variables. */
    static AzureSettings of(Map<String, String> environment) {
        Optional<String> connection = variable(environment, "AZURE_STORAGE_CONNECTION_STRING");
        if (connection.isPresent()) {
            return ofConnection(connection.get());
        }
        return new AzureSettings(
                variable(environment, "AZURE_STORAGE_ACCOUNT", "AZURE_STORAGE_ACCOUNT_NAME"),
                variable(environment, "AZURE_STORAGE_ENDPOINT")
                        .map(text -> Urls.endpoint("AZURE_STORAGE_ENDPOINT", text)),
                variable(environment, "AZURE_STORAGE_KEY", "AZURE_STORAGE_ACCOUNT_KEY", "AZURE_STORAGE_ACCESS_KEY"),
                variable(environment, "AZURE_STORAGE_SAS_TOKEN"));
    }

    private static Optional<String> variable(Map<String, String> environment, String... names) {
        for (String name : names) {
            String value = environment.getOrDefault(name, "");
            if (!value.isBlank()) {
                return Optional.of(value.strip());
            }
        }
        return Optional.empty();
    }

    /**
     * Reads a connection string, such as {@code AccountName=...;AccountKey=...}.
     *
     * @throws IllegalArgumentException if it is not a connection string; the message does not show the text, which has
     *     secrets
     */
    static AzureSettings ofConnection(String text) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String field : text.split(";")) {
            int equals = field.indexOf('=');
            if (equals > 0) {
                fields.put(field.substring(0, equals).strip().toLowerCase(Locale.ROOT), field.substring(equals + 1));
            }
        }
        if (fields.getOrDefault("usedevelopmentstorage", "").equalsIgnoreCase("true")) {
            fields.putAll(DEVELOPMENT);
        }
        Optional<String> account = Optional.ofNullable(fields.get("accountname"));
        Optional<URI> endpoint = endpoint(fields, account.orElse(null));
        if (endpoint.isEmpty()) {
            throw new IllegalArgumentException(
                    "expected a connection string with AccountName or BlobEndpoint, found one without them");
        }
        return new AzureSettings(
                account,
                endpoint,
                Optional.ofNullable(fields.get("accountkey")),
                Optional.ofNullable(fields.get("sharedaccesssignature")));
    }

    /** Returns the URL of the Blob service: the stated one, or the usual one of the account. */
    private static Optional<URI> endpoint(Map<String, String> fields, @Nullable String account) {
        try {
            return Optional.ofNullable(fields.get("blobendpoint"))
                    .or(() -> Optional.ofNullable(account)
                            .map(name -> fields.getOrDefault("defaultendpointsprotocol", "https") + "://" + name
                                    + ".blob." + fields.getOrDefault("endpointsuffix", "core.windows.net")))
                    .map(URI::create);
        } catch (IllegalArgumentException e) { // the message shows the text, which may have secrets
            throw new IllegalArgumentException("expected URLs in the connection string, found others");
        }
    }

    @Override
    public String toString() {
        return "settings of account " + account.orElse("?");
    }
}
