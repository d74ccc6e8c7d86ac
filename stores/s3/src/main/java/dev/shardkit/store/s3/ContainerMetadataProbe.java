package dev.shardkit.store.s3;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/**
 * Determines whether the metadata service that gives credentials to a container answers. A probe is quicker than AWS's
 * own client, which asks a silent service six times and waits a second each time.
 *
 * @param environment the environment variables
 * @param patienceMillis how long to wait for a connection, and then for an answer
 */
record ContainerMetadataProbe(Map<String, String> environment, int patienceMillis) {
    /** The link-local address of the service of Amazon ECS, to which relative URIs belong. */
    private static final String ECS_SERVICE = "http://169.254.170.2";

    /** Returns an explanation if the service is silent; empty if it may answer, or if none is configured. */
    Optional<String> silent() {
        String fullUri = environment.getOrDefault("AWS_CONTAINER_CREDENTIALS_FULL_URI", "");
        if (!environment
                .getOrDefault("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "")
                .isBlank()) {
            fullUri = environment.getOrDefault("AWS_CONTAINER_SERVICE_ENDPOINT", ECS_SERVICE) + "/";
        }
        if (fullUri.isBlank()) {
            return Optional.empty();
        }
        String server = "";
        try {
            URI url = URI.create(fullUri.strip()).resolve("/"); // the root: only the configured path gives out keys
            server = url.getScheme() + "://" + url.getHost() + (url.getPort() < 0 ? "" : ":" + url.getPort());
            InstanceMetadataProbe.request(url, "GET", Map.of(), patienceMillis);
            return Optional.empty();
        } catch (SocketTimeoutException e) {
            return Optional.of("no answer from " + server);
        } catch (IOException | IllegalArgumentException | ClassCastException e) { // the last: it is not an http(s) URL
            return Optional.empty(); // AWS's client fails at once, and says why
        }
    }
}
