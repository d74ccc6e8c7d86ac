package dev.shardkit.store.cloud;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Parts of URLs. */
public final class Urls {
    private static final String UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    private Urls() {}

    /** Returns a server's URL. Throws {@link IllegalArgumentException} unless it is a plain http or https URL. */
    public static URI endpoint(URI url) {
        String scheme = String.valueOf(url.getScheme());
        boolean plain = url.getRawQuery() == null && url.getRawFragment() == null && url.getRawUserInfo() == null;
        if (!(scheme.equals("http") || scheme.equals("https")) || url.getHost() == null || !plain) {
            throw new IllegalArgumentException("expected an endpoint such as https://host:port, without user"
                    + " information and query, found one with scheme " + scheme + " and host " + url.getHost());
        }
        return url;
    }

    /** Returns the host of a URL, with the port if it is not the usual one. */
    public static String host(URI url) {
        return url.getHost() + (url.getPort() < 0 ? "" : ":" + url.getPort());
    }

    /** Returns the path of a URL without slashes at its end. */
    public static String path(URI url) {
        return Optional.ofNullable(url.getRawPath()).orElse("").replaceAll("/+$", "");
    }

    /** Percent-encodes all characters that are not unreserved (RFC 3986, section 2.3), slashes too. */
    public static String encoded(String text) {
        return encoded(text, "");
    }

    /** Percent-encodes a path: as {@link #encoded}, but keeps slashes. */
    public static String encodedPath(String path) {
        return encoded(path, "/");
    }

    private static String encoded(String text, String kept) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (UNRESERVED.indexOf(b) >= 0 || kept.indexOf(b) >= 0) {
                encoded.append((char) b);
            } else {
                encoded.append('%').append(String.format("%02X", b));
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
