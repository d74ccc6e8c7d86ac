package dev.shardkit.store.s3;

import dev.shardkit.spi.StoreKeys;
import dev.shardkit.store.internal.Keys;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A bucket, the prefix of a store in it, and their URLs. Thread-safe. */
final class Bucket {
    private static final String UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    private static final String FIRST_REGION = "us-east-1";

    private final String name;
    private final String prefix;
    private final @Nullable URI endpoint;
    private final boolean pathStyle;
    private final AtomicReference<String> region;

    /**
     * Describes a bucket.
     *
     * @param prefix the names before all keys, with single slashes; empty for none
     * @param endpoint the server; null for Amazon's of the region
     * @param region the region; null if it is to be learned from the server
     * @param pathStyle whether URLs have the bucket's name in their path; null for the usual style
     */
    Bucket(String name, String prefix, @Nullable URI endpoint, @Nullable String region, @Nullable Boolean pathStyle) {
        if (name.isEmpty() || name.contains("/") || name.chars().anyMatch(c -> c <= ' ' || c >= 127)) {
            throw new IllegalArgumentException("expected the name of a bucket, found \"" + name + "\"");
        }
        this.name = name;
        this.prefix = prefix;
        this.endpoint = endpoint == null ? null : checked(endpoint);
        this.region = new AtomicReference<>(region == null ? FIRST_REGION : region);
        // Certificates of *.s3.amazonaws.com do not hold for names with periods.
        boolean isHostName = name.matches("[a-z0-9][a-z0-9-]{1,61}[a-z0-9]");
        this.pathStyle = pathStyle == null ? endpoint != null || !isHostName : pathStyle;
    }

    private static URI checked(URI endpoint) {
        String scheme = String.valueOf(endpoint.getScheme());
        boolean plain = endpoint.getRawQuery() == null
                && endpoint.getRawFragment() == null
                && endpoint.getRawUserInfo() == null;
        if (!(scheme.equals("http") || scheme.equals("https")) || endpoint.getHost() == null || !plain) {
            throw new IllegalArgumentException("expected an endpoint such as https://host:port, without user"
                    + " information and query, found one with scheme " + scheme + " and host " + endpoint.getHost());
        }
        return endpoint;
    }

    String name() {
        return name;
    }

    String region() {
        return region.get();
    }

    /** Uses the region that the server named from now on; false if it is not the name of a region. */
    boolean moveTo(String named) {
        boolean valid = named.matches("[a-z0-9-]{2,40}");
        if (valid) {
            region.set(named);
        }
        return valid;
    }

    /** Returns the location of the store, for messages. */
    String describe() {
        String location = StoreKeys.join("s3://" + name, prefix);
        return endpoint == null ? location : location + " at " + endpoint;
    }

    /** Whether the server is Amazon's. */
    boolean isAmazon() {
        return endpoint == null;
    }

    boolean isEncrypted() {
        return endpoint == null || "https".equals(endpoint.getScheme());
    }

    private URI server() {
        String at = region.get();
        return endpoint == null
                ? URI.create("https://s3." + at + ".amazonaws.com" + (at.startsWith("cn-") ? ".cn" : ""))
                : endpoint;
    }

    /** Returns the host of requests, with the port if it is not the usual one. */
    String host() {
        URI server = server();
        return (pathStyle ? "" : name + ".") + server.getHost() + (server.getPort() < 0 ? "" : ":" + server.getPort());
    }

    /** Returns the name of an object in the bucket. */
    String nameOf(String key) {
        Keys.parts(key);
        return StoreKeys.join(prefix, key);
    }

    /** Returns the common prefix of the names of all objects below a prefix of keys. */
    String below(String keys) {
        Keys.prefixParts(keys);
        return StoreKeys.prefix(StoreKeys.join(prefix, keys));
    }

    /** Returns the URL of an object, by its name in the bucket. */
    URI object(String object) {
        return URI.create(root() + "/" + encoded(object, true));
    }

    /** Returns the URL of a request about the bucket. */
    URI bucket(Map<String, String> query) {
        return URI.create(root() + (pathStyle ? "" : "/") + query(query));
    }

    /** Returns the URL of a request about an object. */
    URI object(String object, Map<String, String> query) {
        return URI.create(object(object) + query(query));
    }

    private static String query(Map<String, String> query) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(query).forEach((key, value) -> text.append(text.isEmpty() ? '?' : '&')
                .append(encoded(key, false))
                .append('=')
                .append(encoded(value, false)));
        return text.toString();
    }

    private String root() {
        URI server = server();
        String path = Optional.ofNullable(server.getRawPath()).orElse("").replaceAll("/+$", "");
        return server.getScheme() + "://" + host() + path + (pathStyle ? "/" + encoded(name, false) : "");
    }

    /** Percent-encodes a text as signatures need it. */
    static String encoded(String text, boolean slashes) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (UNRESERVED.indexOf(b) >= 0 || slashes && b == '/') {
                encoded.append((char) b);
            } else {
                encoded.append('%').append(String.format("%02X", b));
            }
        }
        return encoded.toString();
    }
}
