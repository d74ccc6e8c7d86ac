package dev.shardkit.store.s3;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Determines whether this computer has the metadata service of EC2, which gives credentials to virtual machines. A
 * probe is quicker than AWS's own client, which asks a missing service several times with pauses, up to 20 s in all.
 *
 * @param environment the environment variables
 * @param property looks up a property of the profile
 * @param patienceMillis how long to wait for a connection, and then for a response
 */
record InstanceMetadataProbe(
        Map<String, String> environment, Function<String, Optional<String>> property, int patienceMillis) {
    private static final String DEFAULT_IPV4 = "http://169.254.169.254";
    private static final String DEFAULT_IPV6 = "http://[fd00:ec2::254]";

    /** Returns why there is no such service; empty if there is one. */
    Optional<String> missing() {
        if ("true".equalsIgnoreCase(setting("AWS_EC2_METADATA_DISABLED", "").strip())) {
            return Optional.of("switched off by AWS_EC2_METADATA_DISABLED");
        }
        boolean ipv6 = "IPv6"
                .equalsIgnoreCase(
                        setting("AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE", "ec2_metadata_service_endpoint_mode"));
        String configured = setting("AWS_EC2_METADATA_SERVICE_ENDPOINT", "ec2_metadata_service_endpoint");
        String standard = ipv6 ? DEFAULT_IPV6 : DEFAULT_IPV4;
        String endpoint = configured.isBlank() ? standard : configured.replaceAll("/+$", "");
        try {
            URI token = URI.create(endpoint + "/latest/api/token");
            request(token, "PUT", Map.of("X-aws-ec2-metadata-token-ttl-seconds", "60"), patienceMillis);
            return Optional.empty();
        } catch (IOException | IllegalArgumentException | ClassCastException e) {
            return Optional.of("no answer from " + endpoint);
        }
    }

    /**
     * Returns a setting; "" if it is not set.
     *
     * @param variable the environment variable, which comes first
     * @param inProfile the property of the profile; "" if there is none
     */
    private String setting(String variable, String inProfile) {
        return Optional.ofNullable(environment.get(variable))
                .or(() -> inProfile.isEmpty() ? Optional.empty() : property.apply(inProfile))
                .orElse("");
    }

    /**
     * Sends a request and returns normally if an HTTP response begins, whatever its status. Over plain HTTP, takes at
     * most about twice {@code patienceMillis}: once to connect, once for the response.
     */
    static void request(URI url, String method, Map<String, String> headers, int patienceMillis) throws IOException {
        if (!"http".equals(url.getScheme())) {
            requestOverTls(url, method, headers, patienceMillis);
            return;
        }
        try (Socket socket = new Socket(Proxy.NO_PROXY)) {
            int port = url.getPort() < 0 ? 80 : url.getPort();
            socket.connect(new InetSocketAddress(url.getHost(), port), patienceMillis);
            StringBuilder request = new StringBuilder(method + " " + url.getRawPath() + " HTTP/1.1\r\n");
            request.append("Host: ")
                    .append(url.getHost())
                    .append(':')
                    .append(port)
                    .append("\r\n");
            headers.forEach((name, value) ->
                    request.append(name).append(": ").append(value).append("\r\n"));
            request.append("Content-Length: 0\r\nConnection: close\r\n\r\n");
            socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.US_ASCII));
            readStart(socket, patienceMillis);
        }
    }

    /** Checks that a response begins with "HTTP/". Reads no further, because a response may be slow or endless. */
    private static void readStart(Socket socket, int patienceMillis) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
        for (int expected : "HTTP/".toCharArray()) {
            long remaining = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (remaining <= 0) {
                throw new SocketTimeoutException("the answer is too slow");
            }
            socket.setSoTimeout((int) remaining);
            if (socket.getInputStream().read() != expected) {
                throw new IOException("no HTTP");
            }
        }
    }

    private static void requestOverTls(URI url, String method, Map<String, String> headers, int patienceMillis)
            throws IOException {
        HttpURLConnection connection = (HttpURLConnection) url.toURL().openConnection(Proxy.NO_PROXY);
        try {
            connection.setConnectTimeout(patienceMillis);
            connection.setReadTimeout(patienceMillis);
            connection.setRequestMethod(method);
            connection.setInstanceFollowRedirects(false);
            headers.forEach(connection::setRequestProperty);
            if (connection.getResponseCode() < 0) {
                throw new IOException("no HTTP");
            }
        } finally {
            connection.disconnect();
        }
    }
}
