package dev.shardkit.store.http;

import dev.shardkit.store.keys.Keys;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The base URL of a store, from which the URLs of keys are made, and its secrets: user information and the values of
 * the query. It holds no connection. Thread-safe.
 */
final class Endpoint {
    private static final String BASIC = "Basic ";

    private final URI base;
    private final String prefix;
    private final String query;
    private final String shown;
    private final @Nullable String basicAuthorization;
    private final Set<String> secrets = new LinkedHashSet<>();
    /** The last URL that was made: a read of an inner chunk follows that of its index. */
    private volatile @Nullable Located lastLocated;

    private record Located(String key, URI uri) {}

    Endpoint(URI base) {
        String scheme = String.valueOf(base.getScheme()).toLowerCase(java.util.Locale.ROOT);
        if (!(scheme.equals("http") || scheme.equals("https"))
                || base.getHost() == null
                || base.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "expected an http or https URL with a host and without a fragment, found "
                            + (base.getHost() != null
                                    ? "one with host " + base.getHost() + " and scheme " + scheme
                                    : base.getRawAuthority() != null
                                            ? "one whose host has other characters than letters, digits, hyphens and dots"
                                            : base.getRawSchemeSpecificPart().startsWith("//")
                                                    ? "no host after " + scheme + "://"
                                                    : "no two slashes after " + scheme + ":"));
        }
        String path = Optional.ofNullable(base.getRawPath()).orElse("").replaceAll("/+$", "");
        this.prefix = scheme + "://" + base.getHost() + (base.getPort() < 0 ? "" : ":" + base.getPort()) + path;
        this.query = Optional.ofNullable(base.getRawQuery()).map(q -> "?" + q).orElse("");
        this.shown = prefix + shown(base);
        String user = base.getRawUserInfo();
        this.basicAuthorization = user == null ? null : basic(decoded(user));
        if (user != null) {
            addSecrets(user);
        }
        secrets.addAll(secretsOf(base));
        this.base = base;
    }

    /** Returns the values of a URL's query, which may be secret. */
    static Set<String> secretsOf(URI uri) {
        return Optional.ofNullable(uri.getRawQuery()).stream()
                .flatMap(q -> Arrays.stream(q.split("&")))
                .flatMap(q -> bothForms(q.substring(q.indexOf('=') + 1)).stream())
                .filter(secret -> !secret.isEmpty())
                .collect(Collectors.toSet());
    }

    /** Returns the URL of the store. */
    URI base() {
        return base;
    }

    private static String basic(String user) {
        return BASIC + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8));
    }

    private void addSecrets(String user) {
        secrets.addAll(bothForms(user));
        Arrays.stream(user.split(":", 2)).forEach(part -> secrets.addAll(bothForms(part)));
        secrets.add(basic(decoded(user)).substring(BASIC.length()));
    }

    private static String shown(URI base) {
        return Optional.ofNullable(base.getRawQuery())
                .map(q -> "?"
                        + Arrays.stream(q.split("&"))
                                .map(p -> p.contains("=") ? p.substring(0, p.indexOf('=') + 1) + "***" : "***")
                                .collect(Collectors.joining("&")))
                .orElse("");
    }

    private static Set<String> bothForms(String raw) {
        return Set.copyOf(Arrays.asList(raw, decoded(raw)));
    }

    private static String decoded(String raw) {
        try {
            return URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return raw;
        }
    }

    /** Returns the URL without its secrets. */
    String describe() {
        return shown;
    }

    /** Returns the authorization header for the URL's user information. */
    Optional<String> basicAuthorization() {
        return Optional.ofNullable(basicAuthorization);
    }

    /** Returns the secrets, which messages must not contain. */
    Set<String> secrets() {
        return secrets;
    }

    /** Returns the URL of an object if it contains no secrets and needs none. */
    Optional<URI> publicUri(String key) {
        return query.isEmpty() && basicAuthorization == null ? Optional.of(uri(key)) : Optional.empty();
    }

    /** Returns the URL of an object: each name of its key percent-encoded, and the query unchanged. */
    URI uri(String key) {
        Located cached = lastLocated;
        if (cached == null || !cached.key.equals(key)) {
            cached = new Located(key, encodeKey(key));
            lastLocated = cached;
        }
        return cached.uri;
    }

    private URI encodeKey(String key) {
        StringBuilder url = new StringBuilder(prefix);
        for (String part : Keys.parts(key)) {
            url.append('/');
            for (byte b : part.getBytes(StandardCharsets.UTF_8)) {
                if (isUnreserved(b)) {
                    url.append((char) b);
                } else {
                    url.append('%').append(String.format("%02X", b));
                }
            }
        }
        return URI.create(url.append(query).toString());
    }

    /** RFC 3986, section 2.3. */
    private static boolean isUnreserved(byte b) {
        return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || "-._~".indexOf(b) >= 0;
    }
}
