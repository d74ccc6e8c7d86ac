package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.s3.S3Store;
import dev.shardkit.testkit.server.VersityServer;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The commands on {@code s3:} locations. */
@Tag("one-jdk")
class S3CommandsTest extends CloudCommands {
    private final String root =
            "s3://" + VersityServer.BUCKET + "/" + VersityServer.fresh().replace(" ", "%20");

    @BeforeEach
    void signIn() {
        System.setProperty("aws.accessKeyId", VersityServer.ACCESS_KEY);
        System.setProperty("aws.secretAccessKey", VersityServer.SECRET_KEY);
    }

    @AfterEach
    void signOut() {
        System.clearProperty("aws.accessKeyId");
        System.clearProperty("aws.secretAccessKey");
    }

    @Override
    List<String> server() {
        return List.of("--s3-endpoint", VersityServer.server().toString());
    }

    @Override
    String at(String name) {
        return root + "/" + name;
    }

    /** The version of an upload in parts ends with their number. */
    @Override
    void checkLarge(String url, String key) throws Exception {
        URI server = VersityServer.server();
        try (S3Store store = S3Store.builder(URI.create(url)).endpoint(server).build()) {
            String version = BlockingStore.to(store).open(key).orElseThrow().version();
            assertTrue(version.matches("s:\"[0-9a-f]+-3\""), version);
        }
    }

    @Test
    void errors_nameBucketAndKey_notTheSecret() {
        System.setProperty("aws.secretAccessKey", "WRONGSECRET");
        Cli.Result refused = Cli.bad(1, VersityServer.BUCKET, onServer("read", at("a")));
        assertTrue(refused.err().contains("HTTP 403"), refused.err());
        assertTrue(!refused.err().contains("WRONGSECRET"), refused.err());
    }
}
