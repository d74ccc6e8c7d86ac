package dev.shardkit.store.gcs;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.cloud.BearerToken;
import dev.shardkit.store.cloud.JsonResponse;
import dev.shardkit.store.cloud.SmallTextFile;
import dev.shardkit.store.cloud.TokenCache;
import dev.shardkit.store.cloud.TokenServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Google's application default credentials: the file that {@code GOOGLE_APPLICATION_CREDENTIALS} names, then that of
 * {@code gcloud auth application-default login}, then the metadata service of a machine in Google's cloud. Files hold
 * the key of a service account or a user's refresh token.
 *
 * @param environment the environment variables
 * @param home the user's folder
 * @param tokenServer the token server for files that do not name one
 */
record DefaultCredentials(Map<String, String> environment, Path home, URI tokenServer) {
    private static final URI GOOGLE = URI.create("https://oauth2.googleapis.com/token");
    private static final int LARGEST_FILE = 1 << 20;
    private static final String FILE = "application_default_credentials.json";

    /** Returns the credentials of this process. */
    static DefaultCredentials ofProcess() {
        return new DefaultCredentials(System.getenv(), Path.of(System.getProperty("user.home", "")), GOOGLE);
    }

    /** Returns tokens of the first credentials that exist. The first request looks for them. */
    Supplier<String> tokens() {
        return new TokenCache(this::token);
    }

    /** Returns tokens of the credentials in a file. */
    Supplier<String> tokensOf(Path file) {
        return new TokenCache(() -> ofFile(file));
    }

    private BearerToken token() {
        String named = environment.getOrDefault("GOOGLE_APPLICATION_CREDENTIALS", "");
        if (!named.isEmpty()) {
            return ofFile(SmallTextFile.path("GOOGLE_APPLICATION_CREDENTIALS", named));
        }
        Path gcloud = gcloudFolder().resolve(FILE);
        if (Files.exists(gcloud)) {
            return ofFile(gcloud);
        }
        if (environment.getOrDefault("NO_GCE_CHECK", "").equalsIgnoreCase("true")) {
            throw noCredentials("");
        }
        try {
            return metadata().get();
        } catch (StoreException e) {
            throw noCredentials(" (" + e.getMessage() + ")");
        }
    }

    private static StoreException noCredentials(String reason) {
        return new StoreException("found no Google credentials; tried the file that GOOGLE_APPLICATION_CREDENTIALS"
                + " names, the file of `gcloud auth application-default login` and the metadata service of a machine in"
                + " Google's cloud" + reason + "; for a public bucket, use GcsStoreBuilder.anonymous()");
    }

    private TokenServer metadata() {
        // An IP address, because outside Google's cloud the look-up of a host name may take long to fail.
        String host = environment.getOrDefault("GCE_METADATA_HOST", "169.254.169.254");
        if (!TokenServer.isHost(host)) {
            throw new StoreException("expected a host in GCE_METADATA_HOST, found another text");
        }
        URI url = URI.create("http://" + host + "/computeMetadata/v1/instance/service-accounts/default/token");
        return TokenServer.metadata(url, Map.of("Metadata-Flavor", "Google"));
    }

    /** Returns the folder of the settings of {@code gcloud}. */
    private Path gcloudFolder() {
        String configured = environment.getOrDefault("CLOUDSDK_CONFIG", "");
        String windows = environment.getOrDefault("APPDATA", "");
        if (!configured.isEmpty()) {
            return Path.of(configured);
        }
        return windows.isEmpty()
                ? home.resolve(".config/gcloud")
                : Path.of(windows).resolve("gcloud");
    }

    /** Requests a token with the credentials in a file. */
    private BearerToken ofFile(Path file) {
        JsonResponse document = read(file);
        String type = document.text("type");
        switch (type) {
            case "service_account" -> {
                return ServiceAccount.of(document, tokenServer, Clock.systemUTC())
                        .token();
            }
            case "authorized_user" -> {
                return TokenServer.authorization(tokenServer)
                        .post(Map.of(
                                "grant_type", "refresh_token",
                                "client_id", document.text("client_id"),
                                "client_secret", document.text("client_secret"),
                                "refresh_token", document.text("refresh_token")));
            }
            default ->
                throw new StoreException("the credentials in " + file + ": expected the type service_account or"
                        + " authorized_user, found \"" + type.replaceAll("[^a-z_]", "?")
                        + "\"; for others, supply tokens of Google's own library to the store's builder");
        }
    }

    private static JsonResponse read(Path file) {
        try {
            Optional<JsonResponse> document = JsonResponse.parse(SmallTextFile.read(file, LARGEST_FILE));
            return document.orElseThrow(
                    () -> new StoreException("the credentials in " + file + ": expected a JSON object"));
        } catch (IOException e) {
            throw new StoreException("the credentials in " + file + " cannot be read: " + SmallTextFile.words(e), e);
        }
    }
}
