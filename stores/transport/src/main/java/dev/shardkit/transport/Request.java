package dev.shardkit.transport;

import java.net.URI;
import java.util.Map;

/**
 * A request.
 *
 * @param method the HTTP method, such as {@code GET}
 * @param uri the absolute http or https URL, without user information
 * @param headers the header fields, beside those that the client itself must send ({@code Host},
 *     {@code Content-Length}, {@code Connection})
 * @param payload the body; {@link Payload#NONE} for none
 */
public record Request(String method, URI uri, Map<String, String> headers, Payload payload) {
    /**
     * Makes a request.
     *
     * @throws IllegalArgumentException if a header cannot be sent: its name is no token, or its value holds a control
     *     character. The message contains no value
     */
    public Request {
        headers = Map.copyOf(headers);
        headers.forEach(Request::check);
    }

    /** Makes a GET request. */
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
