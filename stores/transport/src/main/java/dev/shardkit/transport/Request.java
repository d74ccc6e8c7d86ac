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
        if (!isToken(name) || !isText(value)) {
            throw new IllegalArgumentException("a header that cannot be sent: " + name);
        }
    }

    private static boolean isToken(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            // The most frequent characters first; all others of a token (RFC 9110, section 5.6.2) by exclusion.
            boolean isLetterOrHyphen = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-';
            if (!isLetterOrHyphen && (c <= ' ' || c >= 127 || "\"(),/:;<=>?@[\\]{}".indexOf(c) >= 0)) {
                return false;
            }
        }
        return !name.isEmpty();
    }

    private static boolean isText(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < ' ' && c != '\t' || c == 127 || c > 255) {
                return false;
            }
        }
        return true;
    }
}
