package dev.shardkit.serve;

import com.sun.net.httpserver.Headers;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Decides which web pages of other sites may read the server's responses (the Fetch standard, "CORS protocol", and the
 * draft "Private Network Access"). Immutable.
 */
final class CorsPolicy {
    private static final Pattern ORIGIN =
            Pattern.compile("[a-z][a-z0-9+.-]*://(\\[[0-9a-f:.]+]|[a-z0-9._-]+)(:[0-9]{1,5})?");
    /** How long browsers may keep the response to a preflight request. */
    private static final String MAX_AGE_SECONDS = "600";

    private final Set<String> allowed;

    CorsPolicy(Set<String> allowed) {
        this.allowed = allowed;
    }

    /** Returns an origin as browsers send it: in lower case, without a default port and a final slash. */
    static String normalize(String origin) {
        String normalized = origin.toLowerCase(Locale.ROOT).replaceFirst("/$", "");
        if (normalized.startsWith("http:")) {
            normalized = normalized.replaceFirst(":80$", "");
        } else if (normalized.startsWith("https:")) {
            normalized = normalized.replaceFirst(":443$", "");
        }
        if (!ORIGIN.matcher(normalized).matches()) {
            throw new IllegalArgumentException(
                    "expected a web origin such as https://example.org, found \"" + origin + "\"");
        }
        return normalized;
    }

    /**
     * Adds the headers that allow the page to read the response, or refuses the request. Two kinds of requests need no
     * headers: those without the header {@code Origin}, which do not come from a script of another site, and those from
     * this server's own pages.
     */
    void allow(Headers requestHeaders, Headers responseHeaders) throws HttpError {
        responseHeaders.set("Vary", "Origin");
        Optional<String> origin = Optional.ofNullable(requestHeaders.getFirst("Origin"));
        if (origin.isEmpty() || origin.get().equals("http://" + requestHeaders.getFirst("Host"))) {
            return;
        } else if (!allowed.contains(origin.get())) {
            throw new HttpError(
                    403, "this server does not allow the page's origin; start it with --allow-origin ORIGIN");
        }
        responseHeaders.set("Access-Control-Allow-Origin", origin.get());
        responseHeaders.set(
                "Access-Control-Expose-Headers", "Accept-Ranges, Content-Length, Content-Range, ETag, Retry-After");
    }

    /**
     * Adds the headers of the response to a preflight request, by which a browser asks before it sends the request of a
     * page. Called after {@link #allow}.
     */
    static void preflight(Headers requestHeaders, Headers responseHeaders) {
        if (!responseHeaders.containsKey("Access-Control-Allow-Origin")) {
            return;
        }
        responseHeaders.set("Access-Control-Allow-Methods", "GET, HEAD");
        responseHeaders.set("Access-Control-Allow-Headers", "If-Match, If-None-Match, If-Range, Range");
        responseHeaders.set("Access-Control-Max-Age", MAX_AGE_SECONDS);
        if ("true".equals(requestHeaders.getFirst("Access-Control-Request-Private-Network"))) {
            responseHeaders.set("Access-Control-Allow-Private-Network", "true");
        }
    }
}
