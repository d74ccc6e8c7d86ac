package dev.shardkit.store.s3;

import dev.shardkit.store.cloud.BucketLocation;
import dev.shardkit.store.cloud.Urls;
import java.net.URI;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Makes the URLs of a bucket and of the objects of a store, which lie below a prefix in the bucket. Thread-safe. */
final class Bucket {
    /** The region of the first request, if none is configured. Its server answers with the right region. */
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
     * @param endpoint the server; null for Amazon's server of the region
     * @param region the region; null if the server's answers will name it
     * @param pathStyle whether URLs have the bucket's name in the path (true) or in the host (false); null for the path
     *     only at servers other than Amazon's and for names that fit no certificate
     */
    Bucket(BucketLocation location, @Nullable URI endpoint, @Nullable String region, @Nullable Boolean pathStyle) {
        this.name = location.container();
        this.endpoint = endpoint == null ? null : Urls.endpoint(endpoint);
        this.location = endpoint == null ? location : location.at(endpoint.toString());
        this.region = new AtomicReference<>(region == null ? FIRST_REGION : region);
        // The certificate of *.s3.amazonaws.com covers one label, so a name with periods would fail.
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

    /**
     * Changes the region to the one that a server named.
     *
     * @return whether the region changed; false if it is the same or {@code newRegion} is not the name of a region
     */
    boolean moveTo(String newRegion) {
        boolean changes = newRegion.matches("[a-z0-9-]{2,40}") && !newRegion.equals(region.get());
        if (changes) {
            region.set(newRegion);
        }
        return changes;
    }

    /** Returns whether both buckets are on one server, which can copy between them. Amazon's regions count as one. */
    boolean isBeside(Bucket other) {
        return Objects.equals(endpoint, other.endpoint);
    }

    /** Returns the value of {@code x-amz-copy-source} that names an object: bucket and name, percent-encoded. */
    String source(String key) {
        return Urls.encodedPath(name + "/" + location.nameOf(key));
    }

    /** Returns whether the server is Amazon's. */
    boolean isAmazon() {
        return endpoint == null;
    }

    /** Returns whether requests travel over TLS. */
    boolean isEncrypted() {
        return endpoint == null || "https".equals(endpoint.getScheme());
    }

    /** Returns the root URL of the server, without the bucket. Amazon's servers in China have a domain of their own. */
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

    /** Returns the beginning of all URLs of the bucket. In path style it ends with the bucket's name. */
    private String root() {
        URI server = server();
        return server.getScheme() + "://" + host() + Urls.path(server) + (pathStyle ? "/" + Urls.encoded(name) : "");
    }
}
