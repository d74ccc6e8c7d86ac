package dev.shardkit.store.s3;

import dev.shardkit.store.cloud.BucketLocation;
import dev.shardkit.store.cloud.Urls;
import java.net.URI;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A bucket, the prefix of a store in it, and their URLs. Thread-safe. */
final class Bucket {
    private static final String FIRST_REGION = "us-east-1";

    private final String name;
    private final BucketLocation location;
    private final @Nullable URI endpoint;
    private final boolean pathStyle;
    private final AtomicReference<String> region;

    /**
     * Describes a bucket.
     *
     * @param location its name, and the prefix of the store
     * @param endpoint the server; null for Amazon's of the region
     * @param region the region; null if it is to be learned from the server
     * @param pathStyle whether URLs have the bucket's name in their path; null for the usual style
     */
    Bucket(BucketLocation location, @Nullable URI endpoint, @Nullable String region, @Nullable Boolean pathStyle) {
        this.name = location.container();
        this.endpoint = endpoint == null ? null : Urls.endpoint(endpoint);
        this.location = endpoint == null ? location : location.at(endpoint.toString());
        this.region = new AtomicReference<>(region == null ? FIRST_REGION : region);
        // Certificates of *.s3.amazonaws.com do not hold for names with periods.
        boolean isHostName = name.matches("[a-z0-9][a-z0-9-]{1,61}[a-z0-9]");
        this.pathStyle = pathStyle == null ? endpoint != null || !isHostName : pathStyle;
    }

    BucketLocation location() {
        return location;
    }

    String name() {
        return name;
    }

    String region() {
        return region.get();
    }

    /** Uses the region that the server named from now on; false if it is the same, or not the name of a region. */
    boolean moveTo(String named) {
        boolean valid = named.matches("[a-z0-9-]{2,40}") && !named.equals(region.get());
        if (valid) {
            region.set(named);
        }
        return valid;
    }

    /** Returns whether both buckets are on one server; Amazon's regions count as one. */
    boolean isBeside(Bucket other) {
        return Objects.equals(endpoint, other.endpoint);
    }

    /** Returns the text that names an object as the source of a copy. */
    String source(String key) {
        return Urls.encodedPath(name + "/" + location.nameOf(key));
    }

    /** Returns whether the server is Amazon's. */
    boolean isAmazon() {
        return endpoint == null;
    }

    boolean isEncrypted() {
        return endpoint == null || "https".equals(endpoint.getScheme());
    }

    private URI server() {
        String regionName = region.get();
        return endpoint == null
                ? URI.create(
                        "https://s3." + regionName + ".amazonaws.com" + (regionName.startsWith("cn-") ? ".cn" : ""))
                : endpoint;
    }

    /** Returns the host of requests, with the port if it is not the usual one. */
    String host() {
        URI server = server();
        return (pathStyle ? "" : name + ".") + Urls.host(server);
    }

    /** Returns the URL of an object, by its name in the bucket. */
    URI object(String object) {
        return URI.create(root() + "/" + Urls.encodedPath(object));
    }

    /** Returns the URL of a request about the bucket. */
    URI bucket(Map<String, String> query) {
        return URI.create(root() + (pathStyle ? "" : "/") + Urls.query(query));
    }

    /** Returns the URL of a request about an object. */
    URI object(String object, Map<String, String> query) {
        return URI.create(object(object) + Urls.query(query));
    }

    private String root() {
        URI server = server();
        return server.getScheme() + "://" + host() + Urls.path(server) + (pathStyle ? "/" + Urls.encoded(name) : "");
    }
}
