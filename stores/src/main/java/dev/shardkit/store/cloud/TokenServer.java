package dev.shardkit.store.cloud;

import dev.shardkit.spi.error.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Requests bearer tokens from an authorization server (RFC 6749) or from the metadata service of a virtual machine.
 * Tokens are needed about once an hour, on a thread that may block, so this class does not use the store's transport.
 *
 * @param url the URL of a request
 * @param headers the headers of a request
 * @param limit the maximum time for each step: the connection, the first bytes of the response, and its body
 * @param direct whether requests bypass the proxies, because the server is in the machine's own network
 */
public record TokenServer(URI url, Map<String, String> headers, Duration limit, boolean direct) {
    /** The maximum size in bytes of a response. */
    private static final int LARGEST = 64 << 10;

    /**
     * Returns an authorization server. Throws {@link IllegalArgumentException} unless its URL is https or on this
     * machine.
     */
    public static TokenServer authorization(URI url) {
        String host = Optional.ofNullable(url.getHost()).orElse("");
        boolean local = host.equals("localhost") || host.equals("127.0.0.1");
        if (!"https".equals(url.getScheme()) && !local || host.isEmpty()) {
            throw new IllegalArgumentException(
                    "expected the https URL of a token server, found scheme " + url.getScheme() + " and host " + host);
        }
        return new TokenServer(url, Map.of(), Duration.ofSeconds(10), false); // through proxies
    }

    /** Returns a metadata service. On a machine that has none, a request fails within about two seconds. */
    public static TokenServer metadata(URI url, Map<String, String> headers) {
        return new TokenServer(url, headers, Duration.ofSeconds(1), true); // without a proxy
    }

    /** Returns whether a text is a host name or an IPv4 address, optionally with a port. */
    public static boolean isHost(String host) {
        return host.matches("[A-Za-z0-9.-]+(:[0-9]{1,5})?");
    }

    /** Requests a token by GET. */
    public BearerToken get() {
        return token("GET", "");
    }

    /** Requests a token by POST. */
    public BearerToken post(Map<String, String> form) {
        return token("POST", Urls.form(form));
    }

    private BearerToken token(String method, String body) {
        String operation = "asking " + url.getHost() + " for a token";
        try {
            Answer response = send(method, body);
            Optional<JsonResponse> json = JsonResponse.parse(response.body());
            if (response.status() != 200) {
                String error = json.map(object -> " " + object.text("error") + ": " + object.text("error_description"))
                        .orElse("");
                throw new StoreException(
                        operation + ": HTTP " + response.status() + ErrorResponse.plain(error, Set.of()));
            }
            return json.flatMap(BearerToken::of)
                    .orElseThrow(
                            () -> new StoreException(operation + ": expected a token, found an answer without one"));
        } catch (UnknownHostException e) {
            throw new StoreException(operation + ": the host is unknown");
        } catch (IOException e) {
            throw new StoreException(operation + ": " + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }

    private record Answer(int status, byte[] body) {}

    private Answer send(String method, String body) throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                (direct
                        ? url.toURL().openConnection(Proxy.NO_PROXY)
                        : url.toURL().openConnection());
        connection.setConnectTimeout((int) limit.toMillis());
        connection.setReadTimeout((int) limit.toMillis());
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        connection.setRequestMethod(method);
        headers.forEach(connection::setRequestProperty);
        try {
            if (!body.isEmpty()) {
                connection.setDoOutput(true);
                connection.setRequestProperty("Content-Type", "application/x-www-form-urlencoded");
                try (OutputStream out = connection.getOutputStream()) {
                    out.write(body.getBytes(StandardCharsets.UTF_8));
                }
            }
            int status = connection.getResponseCode();
            try (InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
                return new Answer(status, in == null ? new byte[0] : read(in));
            }
        } finally {
            connection.disconnect();
        }
    }

    /** Reads the body of a response; fails if it is too long or arrives too slowly. */
    private byte[] read(InputStream in) throws IOException {
        long end = System.nanoTime() + limit.toNanos();
        byte[] buffer = new byte[LARGEST];
        int size = 0;
        int count = in.read(buffer);
        while (count >= 0) {
            size += count;
            if (size == LARGEST || System.nanoTime() > end) {
                throw new IOException("the answer is too long or too slow");
            }
            count = in.read(buffer, size, LARGEST - size);
        }
        return Arrays.copyOf(buffer, size);
    }
}
