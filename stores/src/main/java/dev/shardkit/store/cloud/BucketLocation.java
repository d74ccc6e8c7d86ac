package dev.shardkit.store.cloud;

import dev.shardkit.spi.StoreKeys;
import dev.shardkit.store.keys.Keys;
import java.net.URI;
import java.util.Optional;

/**
 * The location of a store's objects: the bucket or container, and the prefix of their names. Immutable.
 *
 * @param scheme the scheme of the store's location
 * @param container the name of the bucket or container
 * @param prefix the directory names before all keys, separated by slashes; "" for none
 * @param server the server, for messages; "" for the cloud's own server
 */
public record BucketLocation(String scheme, String container, String prefix, String server) {
    /** Throws {@link IllegalArgumentException} if the name or the prefix is invalid. */
    public BucketLocation {
        if (container.isEmpty() || container.contains("/") || container.chars().anyMatch(c -> c <= ' ' || c >= 127)) {
            throw new IllegalArgumentException(
                    "expected the name of a bucket or container, found \"" + container + "\"");
        }
        Keys.checkPrefix(prefix);
    }

    /**
     * Parses {@code scheme://CONTAINER/PREFIX}. Percent-encoded characters of the prefix are decoded.
     *
     * @param called the placeholder for CONTAINER in messages, such as BUCKET
     * @throws IllegalArgumentException if {@code location} is not such a URI. The message shows no secret
     */
    public static BucketLocation of(String scheme, String called, URI location) {
        String authority = Optional.ofNullable(location.getRawAuthority()).orElse("");
        if (!scheme.equalsIgnoreCase(location.getScheme())
                || authority.isEmpty()
                || authority.contains("@")
                || location.getRawQuery() != null
                || location.getRawFragment() != null) {
            throw new IllegalArgumentException("expected " + scheme + "://" + called + "/PREFIX without user"
                    + " information, query and fragment, found " + problem(location, authority));
        }
        return new BucketLocation(scheme, authority, prefixOf(location), "");
    }

    private static String problem(URI location, String authority) {
        if (!authority.isEmpty()) {
            return "a location of scheme " + location.getScheme() + " with one of them, or of another scheme";
        }
        return location.getRawSchemeSpecificPart().startsWith("//")
                ? "no name after the slashes"
                : "no two slashes after " + location.getScheme() + ":";
    }

    /** Returns the path of a location without slashes at its ends. */
    public static String prefixOf(URI location) {
        return Optional.ofNullable(location.getPath())
                .orElse("")
                .replaceAll("^/", "")
                .replaceAll("/$", "");
    }

    /** Returns this location on the server with this description, for messages. */
    public BucketLocation at(String description) {
        return new BucketLocation(scheme, container, prefix, description);
    }

    /** Returns the location of the store, for messages. */
    public String describe() {
        return StoreKeys.join(scheme + "://" + container, prefix) + (server.isEmpty() ? "" : " at " + server);
    }

    /** Returns the name of an object in its bucket or container. */
    public String nameOf(String key) {
        Keys.check(key);
        return StoreKeys.join(prefix, key);
    }

    /** Returns the prefix of the names of all objects whose keys lie below {@code keys}; it ends with a slash. */
    public String below(String keys) {
        Keys.checkPrefix(keys);
        return StoreKeys.prefix(StoreKeys.join(prefix, keys));
    }
}
