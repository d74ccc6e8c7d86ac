package dev.shardkit.store.s3;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/**
 * Determines whether the metadata service of a container answers. AWS's own client asks a silent one six times, a
 * second each.
 *
 * @param environment the environment variables
 * @param patienceMillis how long to wait for a connection, and then for an answer
 */
record ContainerMetadataProbe(Map<String, String> environment, int patienceMillis) {
    private static final String USUAL = "http://169.254.170.2";

    /** Returns why there is nothing to ask; empty if there may be an answer, or if no service is configured. */
    Optional<String> silent() {
        String fullUri = environment.getOrDefault("AWS_CONTAINER_CREDENTIALS_FULL_URI", "");
        if (!environment
                .getOrDefault("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "")
                .isBlank()) {
            fullUri = environment.getOrDefault("AWS_CONTAINER_SERVICE_ENDPOINT", USUAL) + "/";
        }
        if (fullUri.isBlank()) {
            return Optional.empty();
        }
        String server = "";
        try {
            URI url = URI.create(fullUri.strip()).resolve("/"); // no path, so that no keys are sent twice
            server = url.getScheme() + "://" + url.getHost() + (url.getPort() < 0 ? "" : ":" + url.getPort());
            InstanceMetadataProbe.request(url, "GET", Map.of(), patienceMillis);
            return Optional.empty();
        } catch (SocketTimeoutException e) {
            return Optional.of("no answer from " + server);
        } catch (IOException | IllegalArgumentException | ClassCastException e) {
            return Optional.empty(); // AWS's client fails at once, and says why
        }
    }
}
