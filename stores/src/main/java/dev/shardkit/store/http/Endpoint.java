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
 * The base URL of an HTTP store. Makes the URLs of keys, and knows the secrets in the base URL, which messages must not
 * show: user information and the values of the query. Holds no connection. Thread-safe.
 */
final class Endpoint {
    private static final String BASIC = "Basic ";

    private final URI base;
    /** The scheme, host, port and path of the base URL, without a slash at the end. */
    private final String prefix;

    /** The query with its question mark; "" if there is none. */
    private final String query;

    /** The base URL without secrets. */
    private final String shown;

    private final @Nullable String basicAuthorization;
    private final Set<String> secrets = new LinkedHashSet<>();
    /** The last URL that was made. The read of a shard's index is usually followed by reads of its inner chunks. */
    private volatile @Nullable Located lastLocated;

    private record Located(String key, URI uri) {}

    Endpoint(URI base) {
        String scheme = String.valueOf(base.getScheme()).toLowerCase(java.util.Locale.ROOT);
        if (!(scheme.equals("http") || scheme.equals("https"))
                || base.getHost() == null
                || base.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "expected an http or https URL with a host and without a fragment, found " + problem(base, scheme));
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

    /** Returns what is wrong with a URL, without its secrets. */
    private static String problem(URI base, String scheme) {
        if (base.getHost() != null) {
            return "one with host " + base.getHost() + " and scheme " + scheme;
        } else if (base.getRawAuthority() != null) {
            return "one whose host has other characters than letters, digits, hyphens and dots";
        }
        return base.getRawSchemeSpecificPart().startsWith("//")
                ? "no host after " + scheme + "://"
                : "no two slashes after " + scheme + ":";
    }

    /** Returns the values of a URL's query, which may be secret. */
    static Set<String> secretsOf(URI uri) {
        return Optional.ofNullable(uri.getRawQuery()).stream()
                .flatMap(query -> Arrays.stream(query.split("&")))
                .flatMap(parameter -> bothForms(parameter.substring(parameter.indexOf('=') + 1)).stream())
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

    /** Adds the user information, the user's name and the password, each as in the URL, decoded, and in base64. */
    private void addSecrets(String user) {
        secrets.addAll(bothForms(user));
        Arrays.stream(user.split(":", 2)).forEach(part -> secrets.addAll(bothForms(part)));
        secrets.add(basic(decoded(user)).substring(BASIC.length()));
    }

    /** Returns the query with asterisks in place of its values. */
    private static String shown(URI base) {
        return Optional.ofNullable(base.getRawQuery())
                .map(query -> "?"
                        + Arrays.stream(query.split("&"))
                                .map(Endpoint::withoutValue)
                                .collect(Collectors.joining("&")))
                .orElse("");
    }

    private static String withoutValue(String parameter) {
        return parameter.substring(0, parameter.indexOf('=') + 1) + "***";
    }

    /** Returns a text as it is in the URL, and decoded. */
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

    /** Returns the URL of an object; empty if it may contain secrets, or needs some. */
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

    /** Returns whether a character needs no percent-encoding (RFC 3986, section 2.3). */
    private static boolean isUnreserved(byte b) {
        return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || "-._~".indexOf(b) >= 0;
    }
}
