package dev.shardkit.store.cloud;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Functions that check, encode and compose URLs. */
public final class Urls {
    /** The characters that need no percent-encoding (RFC 3986, section 2.3). */
    private static final String UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    private Urls() {}

    /** Returns a server's URL. Throws {@link IllegalArgumentException} unless it is http(s) without user and query. */
    public static URI endpoint(URI url) {
        String scheme = String.valueOf(url.getScheme());
        boolean isWeb = scheme.equals("http") || scheme.equals("https");
        if (String.valueOf(url.getRawAuthority()).contains("@")
                || url.toString().contains("@")
                || url.getRawQuery() != null
                || url.getRawFragment() != null) {
            throw new IllegalArgumentException("expected an endpoint such as https://host:port, without user"
                    + " information, query and fragment, found one with them (not shown: they may be secret)");
        } else if (!isWeb || url.getHost() == null) {
            throw new IllegalArgumentException(
                    "expected an endpoint such as https://host:port, found " + url + ": " + flaw(url, scheme, isWeb));
        }
        return url;
    }

    private static String flaw(URI url, String scheme, boolean isWeb) {
        if (isWeb) {
            return url.getRawAuthority() == null
                    ? "two slashes and a host must follow " + scheme + ":"
                    : "a host name has letters, digits, hyphens and dots only";
        }
        return url.toString().contains("://")
                ? "the scheme must be http or https"
                : "the scheme is missing; give http://" + url + " or https://" + url;
    }

    /**
     * Parses the URL of a server in the value of a setting.
     *
     * @param setting the name of the setting, such as that of an environment variable
     */
    public static URI endpoint(String setting, String text) {
        try {
            return endpoint(new URI(text));
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(
                    setting + ": expected an endpoint such as https://host:port, found a text that is no URL: "
                            + e.getReason());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(setting + ": " + e.getMessage(), e);
        }
    }

    /** Returns the host of a URL, with the port if the URL has one. */
    public static String host(URI url) {
        return url.getHost() + (url.getPort() < 0 ? "" : ":" + url.getPort());
    }

    /** Returns the path of a URL without slashes at its end. */
    public static String path(URI url) {
        return Optional.ofNullable(url.getRawPath()).orElse("").replaceAll("/+$", "");
    }

    /** Percent-encodes all characters except letters, digits and {@code -._~}; slashes too. */
    public static String encoded(String text) {
        return encoded(text, "");
    }

    /** Percent-encodes a path: as {@link #encoded}, but keeps slashes. */
    public static String encodedPath(String path) {
        return encoded(path, "/");
    }

    private static String encoded(String text, String kept) {
        StringBuilder encoded = new StringBuilder();
        for (byte utf8 : text.getBytes(StandardCharsets.UTF_8)) {
            if (UNRESERVED.indexOf(utf8) >= 0 || kept.indexOf(utf8) >= 0) {
                encoded.append((char) utf8);
            } else {
                encoded.append('%').append(String.format("%02X", utf8));
            }
        }
        return encoded.toString();
    }

    /** Returns a query, with its question mark and sorted by name; "" if it is empty. */
    public static String query(Map<String, String> query) {
        String text = form(query);
        return text.isEmpty() ? "" : "?" + text;
    }

    /** Returns a form ({@code application/x-www-form-urlencoded}), sorted by name. */
    public static String form(Map<String, String> fields) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(fields).forEach((key, value) -> text.append(text.isEmpty() ? "" : "&")
                .append(encoded(key))
                .append('=')
                .append(encoded(value)));
        return text.toString();
    }
}
