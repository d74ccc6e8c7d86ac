package dev.shardkit.store.s3;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Finds out whether this computer has the metadata service of EC2. AWS's own client asks a missing one several times
 * with long pauses, which takes up to 20 s.
 *
 * @param environment the environment variables
 * @param property looks up a property of the profile
 * @param patienceMillis how long to wait for a connection, and then for an answer
 */
record InstanceMetadata(
        Map<String, String> environment, Function<String, Optional<String>> property, int patienceMillis) {
    private static final String USUAL = "http://169.254.169.254";
    private static final String USUAL_IPV6 = "http://[fd00:ec2::254]";

    /** Returns why there is no such service; empty if there is one. */
    Optional<String> missing() {
        if ("true".equalsIgnoreCase(setting("AWS_EC2_METADATA_DISABLED", "").strip())) {
            return Optional.of("switched off by AWS_EC2_METADATA_DISABLED");
        }
        boolean ipv6 = "IPv6"
                .equalsIgnoreCase(
                        setting("AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE", "ec2_metadata_service_endpoint_mode"));
        String named = setting("AWS_EC2_METADATA_SERVICE_ENDPOINT", "ec2_metadata_service_endpoint");
        String endpoint = named.isBlank() ? (ipv6 ? USUAL_IPV6 : USUAL) : named.replaceAll("/+$", "");
        try {
            URI token = URI.create(endpoint + "/latest/api/token");
            ask(token, "PUT", Map.of("X-aws-ec2-metadata-token-ttl-seconds", "60"), patienceMillis);
            return Optional.empty();
        } catch (IOException | IllegalArgumentException | ClassCastException e) {
            return Optional.of("no answer from " + endpoint);
        }
    }

    private String setting(String variable, String inProfile) {
        return Optional.ofNullable(environment.get(variable))
                .or(() -> inProfile.isEmpty() ? Optional.empty() : property.apply(inProfile))
                .orElse("");
    }

    /** Returns if there is any answer. */
    static void ask(URI url, String method, Map<String, String> headers, int patienceMillis) throws IOException {
        HttpURLConnection asked = (HttpURLConnection) url.toURL().openConnection(Proxy.NO_PROXY);
        try {
            asked.setConnectTimeout(patienceMillis);
            asked.setReadTimeout(patienceMillis);
            asked.setRequestMethod(method);
            asked.setInstanceFollowRedirects(false);
            headers.forEach(asked::setRequestProperty);
            if (asked.getResponseCode() < 0) {
                throw new IOException("no HTTP");
            }
        } finally {
            asked.disconnect();
        }
    }
}
