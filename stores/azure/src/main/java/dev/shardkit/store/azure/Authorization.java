package dev.shardkit.store.azure;

import dev.shardkit.store.cloud.BearerAuthorization;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * How requests to Azure Blob Storage are authorized: without credentials, by OAuth tokens, by a shared access signature
 * or by the key of the account. {@code toString} shows no secret. Immutable.
 */
sealed interface Authorization {
    /** Returns the texts that messages must not show. */
    default Set<String> secrets() {
        return Set.of();
    }

    /** Requests without credentials, as for public containers. */
    record Anonymous() implements Authorization {}

    /** OAuth tokens, for which a request may wait. */
    record Tokens(BearerAuthorization bearer) implements Authorization {
        @Override
        public Set<String> secrets() {
            return bearer.secrets();
        }
    }

    /**
     * A shared access signature.
     *
     * @param query the query parameters, percent-encoded
     */
    record Signature(String query) implements Authorization {
        /** Reads a signature. Skips a question mark at its beginning. */
        static Signature of(String text) {
            String query = text.strip().replaceFirst("^\\?", "");
            boolean plain = query.matches("[A-Za-z0-9%&=._~:/+*!'(),;@$-]+");
            if (!plain || !query.contains("sig=")) {
                throw new IllegalArgumentException(
                        "expected a shared access signature such as sv=...&sig=..., found another text");
            }
            return new Signature(query.replace("+", "%2B")); // a plus sign would mean a space
        }

        @Override
        public Set<String> secrets() {
            Set<String> secrets = new LinkedHashSet<>(Set.of(query));
            Stream.of(query.split("&"))
                    .filter(pair -> pair.startsWith("sig="))
                    .map(pair -> pair.substring("sig=".length()))
                    .forEach(sig -> {
                        secrets.add(sig);
                        secrets.add(URLDecoder.decode(sig, StandardCharsets.UTF_8));
                    });
            return secrets;
        }

        @Override
        public String toString() {
            return "a shared access signature";
        }
    }

    /** The key of an account ("Authorize with Shared Key" of the REST API). */
    record SharedKey(String account, SecretKeySpec key, String text) implements Authorization {
        /** The headers whose values are signed, in the order of the signed text. */
        private static final String[] SIGNED = {
            "Content-Encoding",
            "Content-Language",
            "Content-Length",
            "Content-MD5",
            "Content-Type",
            "Date",
            "If-Modified-Since",
            "If-Match",
            "If-None-Match",
            "If-Unmodified-Since",
            "Range"
        };

        /** Reads a key in Base64. */
        static SharedKey of(String account, String key) {
            try {
                byte[] bytes = Base64.getDecoder().decode(key.strip());
                return new SharedKey(account, new SecretKeySpec(bytes, "HmacSHA256"), key.strip());
            } catch (IllegalArgumentException e) { // its message shows a character of the key
                throw new IllegalArgumentException("expected an account key in Base64, found another text");
            }
        }

        @Override
        public Set<String> secrets() {
            return Set.of(text);
        }

        /** Returns the header that authorizes a request with these headers. */
        String header(String method, URI uri, Map<String, String> headers, long length) {
            Map<String, String> sortedHeaders = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            sortedHeaders.putAll(headers);
            // A length of zero is signed as an empty text.
            if (length > 0) {
                sortedHeaders.put("Content-Length", Long.toString(length));
            }
            StringBuilder toSign = new StringBuilder(method);
            for (String name : SIGNED) {
                toSign.append('\n').append(sortedHeaders.getOrDefault(name, ""));
            }
            Map<String, String> azureHeaders = new TreeMap<>();
            sortedHeaders.forEach((name, value) -> {
                if (name.toLowerCase(Locale.ROOT).startsWith("x-ms-")) {
                    azureHeaders.put(name.toLowerCase(Locale.ROOT), value);
                }
            });
            azureHeaders.forEach((name, value) ->
                    toSign.append('\n').append(name).append(':').append(value));
            toSign.append("\n/").append(account).append(uri.getRawPath());
            query(uri)
                    .forEach((name, value) ->
                            toSign.append('\n').append(name).append(':').append(value));
            return "SharedKey " + account + ":" + hmac(toSign.toString());
        }

        /** Returns the decoded query parameters, sorted by name as the signed text requires. */
        private static Map<String, String> query(URI uri) {
            return Optional.ofNullable(uri.getRawQuery()).stream()
                    .flatMap(query -> Stream.of(query.split("&")))
                    .collect(Collectors.toMap(
                            pair -> decoded(pair.substring(0, pair.indexOf('='))),
                            pair -> decoded(pair.substring(pair.indexOf('=') + 1)),
                            (a, b) -> b,
                            TreeMap::new));
        }

        private static String decoded(String text) {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        }

        /** Returns the HMAC-SHA256 of a text under this key, in Base64. */
        String hmac(String text) {
            try {
                Mac mac = Mac.getInstance("HmacSHA256");
                mac.init(key);
                return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("every Java platform has HmacSHA256", e);
            }
        }

        @Override
        public String toString() {
            return "the key of account " + account;
        }
    }

    /**
     * Returns the URL with the query parameters of a shared access signature; any other authorization leaves it
     * unchanged.
     */
    default URI authorized(URI uri) {
        return this instanceof Signature s
                ? URI.create(uri + (uri.getRawQuery() == null ? "?" : "&") + s.query())
                : uri;
    }
}
