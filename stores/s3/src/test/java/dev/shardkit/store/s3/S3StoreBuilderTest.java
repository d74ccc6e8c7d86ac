package dev.shardkit.store.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.store.cloud.BucketLocation;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Locations, endpoints, regions and styles of URLs. */
class S3StoreBuilderTest {
    private static final AwsSettings NONE = new AwsSettings(Map.of(), key -> Optional.empty());

    private static Bucket bucket(String name, Optional<String> endpoint, Optional<Boolean> pathStyle) {
        BucketLocation place = new BucketLocation("s3", name, "a b", "");
        return new Bucket(place, endpoint.map(URI::create).orElse(null), "eu-west-1", pathStyle.orElse(null));
    }

    @Test
    void url_ofAmazon_hasTheBucketInItsHost() {
        Bucket usual = bucket("my-bucket", Optional.empty(), Optional.empty());
        assertEquals(
                "https://my-bucket.s3.eu-west-1.amazonaws.com/a%20b/c%2B/0",
                usual.object(usual.location().nameOf("c+/0")).toString());
        Bucket withPeriod = bucket("my.bucket", Optional.empty(), Optional.empty());
        assertEquals(
                "https://s3.eu-west-1.amazonaws.com/my.bucket?delete=",
                withPeriod.bucket(Map.of("delete", "")).toString());
    }

    @Test
    void url_ofAmazon_followsTheRegionThatTheServerNames() {
        Bucket bucket = bucket("my-bucket", Optional.empty(), Optional.empty());
        assertTrue(bucket.moveTo("cn-north-1"));
        assertFalse(bucket.moveTo("cn-north-1"), "the same");
        assertFalse(bucket.moveTo("evil.example.org/"), "no region");
        assertEquals("my-bucket.s3.cn-north-1.amazonaws.com.cn", bucket.host());
    }

    @Test
    void url_ofAnEndpoint_hasTheBucketInItsPath() {
        assertEquals(
                "http://localhost:9000/s3/b/k",
                bucket("b", Optional.of("http://localhost:9000/s3/"), Optional.empty())
                        .object("k")
                        .toString());
        assertEquals(
                "http://b.localhost:9000/k",
                bucket("b", Optional.of("http://localhost:9000"), Optional.of(false))
                        .object("k")
                        .toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://b/k",
                "s3:///k",
                "s3:b/k",
                "s3://id:secret@b/k",
                "s3://b/k?secret=1",
                "s3://b/k#f",
                "s3://b/a//b",
                "s3://b/../x"
            })
    void location_thatIsNone_isRefusedWithoutItsSecrets(String location) {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> S3Store.builder(URI.create(location)));
        assertFalse(e.getMessage().contains("secret"), e.getMessage());
    }

    @Test
    void describe_showsLocationAndEndpoint() {
        try (S3Store store = S3Store.builder(URI.create("s3://my_bucket/a%20b/c/"))
                .anonymous()
                .build(NONE, new ProfileFiles())) {
            assertEquals("s3://my_bucket/a b/c", store.describe());
        }
        AwsSettings settings = new AwsSettings(
                Map.of("AWS_ENDPOINT_URL", "http://one:1", "AWS_ENDPOINT_URL_S3", "http://two:2"),
                key -> Optional.empty());
        try (S3Store store = S3Store.builder(URI.create("s3://b")).anonymous().build(settings, new ProfileFiles())) {
            assertEquals("s3://b at http://two:2", store.describe());
        }
    }

    @Test
    void region_comesFromVariablesThenTheProfile() {
        Map<String, String> inProfile = Map.of("region", "r-profile");
        Map<String, String> variables = Map.of("AWS_REGION", "r-variable", "AWS_DEFAULT_REGION", "r-default");
        assertEquals(
                Optional.of("r-profile"),
                new AwsSettings(Map.of(), key -> Optional.ofNullable(inProfile.get(key))).region());
        assertEquals(
                Optional.of("r-variable"),
                new AwsSettings(variables, key -> Optional.ofNullable(inProfile.get(key))).region());
    }

    @Test
    void keys_showNoSecret() {
        assertEquals("access key ID", new AccessKey("ID", "very secret", Optional.of("token")).toString());
    }
}
