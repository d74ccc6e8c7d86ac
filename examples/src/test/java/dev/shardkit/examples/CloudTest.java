package dev.shardkit.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.store.s3.AccessKey;
import dev.shardkit.store.s3.S3Store;
import dev.shardkit.testkit.server.RangeServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Java examples of clouds; the marked lines are shown in the documents. A server of files stands for S3: a read is
 * a GET there too. AWS's settings come from files and system properties.
 */
@DisabledIfEnvironmentVariable(named = "AWS_REGION", matches = ".+")
@DisabledIfEnvironmentVariable(named = "AWS_ENDPOINT_URL_S3", matches = ".+")
class CloudTest {
    private static final List<String> PROPERTIES =
            List.of("aws.configFile", "aws.sharedCredentialsFile", "aws.accessKeyId", "aws.secretAccessKey");

    private final Map<String, Optional<String>> before = new HashMap<>();

    @TempDir
    private Path folder;

    private RangeServer server;

    @BeforeEach
    void serve() throws IOException {
        Path image = folder.resolve("bucket/image.zarr");
        Files.createDirectories(image.getParent());
        ArraySpec spec = ArraySpec.of("uint16", 16, 16, 16).withChunkShape(8, 8, 8);
        try (ZarrArray array = Zarr.createArray(image.toString(), spec)) {
            array.write(Box.of(new long[] {3, 0, 0}, new long[] {1, 1, 1}), new short[] {42}, 0);
        }
        server = RangeServer.over(folder);
        Path config = Files.writeString(
                folder.resolve("config"), "[default]\nregion = eu-central-1\nendpoint_url = " + server.uri() + "\n");
        PROPERTIES.forEach(name -> before.put(name, Optional.ofNullable(System.getProperty(name))));
        System.setProperty("aws.configFile", config.toString());
        System.setProperty(
                "aws.sharedCredentialsFile", folder.resolve("credentials").toString());
        System.setProperty("aws.accessKeyId", "ID");
        System.setProperty("aws.secretAccessKey", "secret");
    }

    @AfterEach
    void stop() {
        before.forEach((name, value) ->
                value.ifPresentOrElse(v -> System.setProperty(name, v), () -> System.clearProperty(name)));
        server.close();
    }

    private void assertSigned() {
        assertTrue(server.log().stream()
                .allMatch(hit -> hit.headers().get("authorization").startsWith("AWS4-HMAC-SHA256 Credential=ID/")));
    }

    @Test
    void location_isOpenedLikeAnyOther() {
        // example: open
        try (ZarrArray array = Zarr.openArray("s3://bucket/image.zarr")) {
            NdArray corner = array.read(Box.of(new long[] {0, 0, 0}, new long[] {8, 8, 8}));
            // end
            assertEquals(42, corner.longAt(3, 0, 0));
        }
        assertSigned();
    }

    @Test
    void settings_areGivenToABuilder() {
        URI endpoint = URI.create(server.uri().toString());
        String token = "token";
        // example: settings
        URI uri = URI.create("s3://bucket/image.zarr");
        AccessKey keys =
                new AccessKey("ID", "secret", Optional.of(token)); // without a token: S3Keys.of("ID", "secret")
        try (S3Store store =
                S3Store.builder(uri).endpoint(endpoint).credentials(keys).build()) {
            ZarrArray array = Zarr.openArray(store, "", ZarrOptions.defaults());
            // end
            assertEquals(16, array.shape()[0]);
        }
        assertSigned();
        assertEquals("token", server.log().get(0).headers().get("x-amz-security-token"));
    }
}
