package dev.shardkit.transport;

import java.net.URI;
import java.util.Map;

/**
 * An HTTP request.
 *
 * @param method the HTTP method, such as {@code GET}
 * @param uri the absolute http or https URL, without user information
 * @param headers the header fields, without those that the client adds itself ({@code Host}, {@code Content-Length},
 *     {@code Connection})
 * @param payload the body; {@link Payload#NONE} for none
 */
public record Request(String method, URI uri, Map<String, String> headers, Payload payload) {
    /**
     * Creates a request.
     *
     * @throws IllegalArgumentException if a header name is not a token, or a value contains a control character. The
     *     message does not show the value
     */
    public Request {
        headers = Map.copyOf(headers);
        headers.forEach(Request::check);
    }

    /** Returns a GET request without a body. */
    public static Request get(URI uri, Map<String, String> headers) {
        return new Request("GET", uri, headers, Payload.NONE);
    }

    private static void check(String name, String value) {
        boolean token = !name.isEmpty()
                && name.chars().allMatch(c -> c > ' ' && c < 127 && "\"(),/:;<=>?@[\\]{}".indexOf(c) < 0);
        boolean text = value.chars().allMatch(c -> c == '\t' || c >= ' ' && c != 127 && c <= 255);
        if (!token || !text) {
            throw new IllegalArgumentException("a header that cannot be sent: " + name);
        }
    }
}
