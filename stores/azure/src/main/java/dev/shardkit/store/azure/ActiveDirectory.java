package dev.shardkit.store.azure;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.cloud.BearerToken;
import dev.shardkit.store.cloud.SmallTextFile;
import dev.shardkit.store.cloud.TokenCache;
import dev.shardkit.store.cloud.TokenServer;
import dev.shardkit.store.cloud.Urls;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Obtains OAuth tokens from Microsoft Entra ID (Azure AD): for the application that environment variables name, with
 * its secret or its federated token; otherwise for the managed identity of the machine.
 *
 * @param environment the environment variables
 * @param metadata the host of the metadata service of virtual machines
 */
record ActiveDirectory(Map<String, String> environment, String metadata) {
    private static final String RESOURCE = "https://storage.azure.com/";

    /** Returns the tokens of this process. */
    static ActiveDirectory ofProcess() {
        // An IP address, because outside Azure the look-up of a host name may take long to fail.
        return new ActiveDirectory(System.getenv(), "169.254.169.254");
    }

    /** Returns tokens; the first request looks for the credentials. */
    Supplier<String> tokens() {
        return new TokenCache(this::token);
    }

    private String variable(String name) {
        return environment.getOrDefault(name, "").strip();
    }

    /** Requests a token for the application that the environment variables name, otherwise for the machine. */
    private BearerToken token() {
        String tenant = variable("AZURE_TENANT_ID");
        String client = variable("AZURE_CLIENT_ID");
        String secret = variable("AZURE_CLIENT_SECRET");
        String file = variable("AZURE_FEDERATED_TOKEN_FILE");
        if (!tenant.isEmpty() && !client.isEmpty() && !(secret.isEmpty() && file.isEmpty())) {
            return ofApplication(tenant, client, secret, file);
        }
        try {
            return ofMachine(client);
        } catch (StoreException e) {
            throw new StoreException("found no Azure credentials; tried AZURE_STORAGE_CONNECTION_STRING,"
                    + " AZURE_STORAGE_KEY, AZURE_STORAGE_SAS_TOKEN, AZURE_CLIENT_ID with AZURE_TENANT_ID and a secret or"
                    + " token file, and the managed identity of this machine (" + e.getMessage()
                    + "); for a public container, use AzureStoreBuilder.anonymous()");
        }
    }

    private BearerToken ofApplication(String tenant, String client, String secret, String file) {
        String authority = variable("AZURE_AUTHORITY_HOST");
        String server = (authority.isEmpty() ? "https://login.microsoftonline.com" : authority).replaceAll("/+$", "");
        Map<String, String> form = new LinkedHashMap<>(
                Map.of("grant_type", "client_credentials", "client_id", client, "scope", RESOURCE + ".default"));
        if (secret.isEmpty()) {
            form.put("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
            form.put("client_assertion", SmallTextFile.token("AZURE_FEDERATED_TOKEN_FILE", file));
        } else {
            form.put("client_secret", secret);
        }
        URI url = URI.create(server + "/" + Urls.encoded(tenant) + "/oauth2/v2.0/token");
        return TokenServer.authorization(url).post(form);
    }

    /**
     * Requests a token from the endpoint of a managed service such as App Service, otherwise from a virtual machine's
     * metadata service.
     */
    private BearerToken ofMachine(String client) {
        Map<String, String> query = new LinkedHashMap<>(Map.of("resource", RESOURCE));
        if (!client.isEmpty()) {
            query.put("client_id", client);
        }
        String endpoint = variable("IDENTITY_ENDPOINT");
        String header = variable("IDENTITY_HEADER");
        if (!endpoint.isEmpty() && !header.isEmpty()) { // App Service, Functions, Container Apps
            query.put("api-version", "2019-08-01");
            return TokenServer.metadata(URI.create(endpoint + Urls.query(query)), Map.of("X-IDENTITY-HEADER", header))
                    .get();
        }
        query.put("api-version", "2018-02-01");
        URI url = URI.create("http://" + metadata + "/metadata/identity/oauth2/token" + Urls.query(query));
        return TokenServer.metadata(url, Map.of("Metadata", "true")).get();
    }
}
