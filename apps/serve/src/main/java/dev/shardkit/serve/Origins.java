package dev.shardkit.serve;

import com.sun.net.httpserver.Headers;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Decides which web pages may read answers (the Fetch standard, "CORS protocol", and the draft "Private Network
 * Access"). Immutable.
 */
final class Origins {
    private static final Pattern ORIGIN =
            Pattern.compile("[a-z][a-z0-9+.-]*://(\\[[0-9a-f:.]+]|[a-z0-9._-]+)(:[0-9]{1,5})?");
    private static final String MAX_AGE_SECONDS = "600";

    private final Set<String> allowed;

    Origins(Set<String> allowed) {
        this.allowed = allowed;
    }

    /** Returns an origin as browsers send it, without a slash at the end. */
    static String checked(String origin) {
        String normal = origin.toLowerCase(Locale.ROOT).replaceFirst("/$", "");
        if (normal.startsWith("http:")) {
            normal = normal.replaceFirst(":80$", "");
        } else if (normal.startsWith("https:")) {
            normal = normal.replaceFirst(":443$", "");
        }
        if (!ORIGIN.matcher(normal).matches()) {
            throw new IllegalArgumentException(
                    "expected a web origin such as https://example.org, found \"" + origin + "\"");
        }
        return normal;
    }

    /**
     * Adds the headers with which a browser gives the answer to the page. A request without an origin is not from
     * another site's script, and a page of this server is of the same origin; both need no headers.
     */
    void check(Headers request, Headers answer) throws Refused {
        answer.set("Vary", "Origin");
        Optional<String> origin = Optional.ofNullable(request.getFirst("Origin"));
        if (origin.isEmpty() || origin.get().equals("http://" + request.getFirst("Host"))) {
            return;
        } else if (!allowed.contains(origin.get())) {
            throw new Refused(403, "this server does not allow the page's origin; start it with --allow-origin ORIGIN");
        }
        answer.set("Access-Control-Allow-Origin", origin.get());
        answer.set("Access-Control-Expose-Headers", "Accept-Ranges, Content-Length, Content-Range, ETag, Retry-After");
    }

    /** Adds the answer to a browser's question whether a page may send a request; after {@link #check}. */
    static void preflight(Headers request, Headers answer) {
        if (!answer.containsKey("Access-Control-Allow-Origin")) {
            return;
        }
        answer.set("Access-Control-Allow-Methods", "GET, HEAD");
        answer.set("Access-Control-Allow-Headers", "If-Match, If-None-Match, If-Range, Range");
        answer.set("Access-Control-Max-Age", MAX_AGE_SECONDS);
        if ("true".equals(request.getFirst("Access-Control-Request-Private-Network"))) {
            answer.set("Access-Control-Allow-Private-Network", "true");
        }
    }
}
