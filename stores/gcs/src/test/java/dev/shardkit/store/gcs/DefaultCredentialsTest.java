package dev.shardkit.store.gcs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.cloudtest.ScriptedServer;
import dev.shardkit.testkit.internal.LinksAndPipes;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Application default credentials, and locations. */
@Timeout(60)
class DefaultCredentialsTest {
    private static final String TOKEN = "{\"access_token\":\"ya29.T\",\"expires_in\":3599,\"token_type\":\"Bearer\"}";

    private final ScriptedServer server = new ScriptedServer();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        server.close();
    }

    private Supplier<String> tokens(Map<String, String> environment) {
        return new DefaultCredentials(environment, folder, server.uri()).tokens();
    }

    private Path file(String document) throws Exception {
        return Files.writeString(folder.resolve("key.json"), document);
    }

    @Test
    void serviceAccount_signsAnAssertion() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        KeyPair pair = generator.generateKeyPair();
        String pem = "-----BEGIN PRIVATE KEY-----\\n"
                + Base64.getEncoder().encodeToString(pair.getPrivate().getEncoded())
                + "\\n-----END PRIVATE KEY-----\\n";
        Path file = file("{\"type\":\"service_account\",\"client_email\":\"me@p\",\"private_key_id\":\"k1\","
                + "\"private_key\":\"" + pem + "\",\"token_uri\":\"" + server.uri() + "/token\"}");
        server.then(200, TOKEN);
        Supplier<String> tokens = tokens(Map.of("GOOGLE_APPLICATION_CREDENTIALS", file.toString()));
        assertEquals("ya29.T", tokens.get());
        assertEquals("ya29.T", tokens.get());
        assertEquals(1, server.seen.size(), "kept until it expires");
        String form = URLDecoder.decode(server.seen.get(0).body(), StandardCharsets.UTF_8);
        String[] jwt = form.substring("assertion=".length(), form.indexOf("&grant_type="))
                .split("\\.");
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initVerify(pair.getPublic());
        signature.update((jwt[0] + "." + jwt[1]).getBytes(StandardCharsets.US_ASCII));
        assertTrue(signature.verify(Base64.getUrlDecoder().decode(jwt[2])));
        String claims = new String(Base64.getUrlDecoder().decode(jwt[1]), StandardCharsets.UTF_8);
        assertTrue(claims.contains("me@p") && claims.contains(server.uri() + "/token"), claims);
    }

    @Test
    void user_sendsTheRefreshToken_andNoErrorShowsIt() throws Exception {
        Files.createDirectories(folder.resolve(".config/gcloud"));
        Files.writeString(
                folder.resolve(".config/gcloud/application_default_credentials.json"),
                "{\"type\":\"authorized_user\",\"client_id\":\"c\",\"client_secret\":\"SECRET1\","
                        + "\"refresh_token\":\"SECRET2\"}");
        server.then(200, TOKEN);
        assertEquals("ya29.T", tokens(Map.of()).get());
        assertEquals(
                "client_id=c&client_secret=SECRET1&grant_type=refresh_token&refresh_token=SECRET2",
                server.seen.get(0).body());
        server.then(400, "{\"error\":\"invalid_grant\",\"error_description\":\"expired\"}");
        Supplier<String> tokens = tokens(Map.of());
        StoreException e = assertThrows(StoreException.class, tokens::get);
        assertTrue(e.getMessage().contains("invalid_grant: expired"), e.getMessage());
        assertFalse(e.getMessage().contains("SECRET"), e.getMessage());
        assertThrows(StoreException.class, tokens::get);
        assertEquals(2, server.seen.size(), "a failure is remembered");
    }

    @Test
    void metadataService_isAskedLast() {
        server.then(200, TOKEN);
        assertEquals(
                "ya29.T",
                tokens(Map.of("GCE_METADATA_HOST", server.uri().getAuthority())).get());
        assertEquals(Optional.of("Google"), server.seen.get(0).header("metadata-flavor"));
    }

    @Test
    void noCredentials_saysWhatWasTried() {
        StoreException e = assertThrows(StoreException.class, tokens(Map.of("NO_GCE_CHECK", "true"))::get);
        assertTrue(e.getMessage().contains("GOOGLE_APPLICATION_CREDENTIALS"), e.getMessage());
        assertTrue(e.getMessage().contains("anonymous"), e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nothing",
                "[]",
                "{\"type\":\"external_account\"}",
                "{\"type\":\"service_account\"}",
                "{\"type\":\"service_account\",\"client_email\":\"e\",\"private_key\":\"SECRET\"}",
                "{\"type\":\"service_account\",\"client_email\":\"e\",\"private_key\":\"U0VDUkVU\"}"
            })
    void wrongFile_isRefusedWithoutItsSecrets(String document) throws Exception {
        Path file = file(document);
        StoreException e = assertThrows(
                StoreException.class, tokens(Map.of("GOOGLE_APPLICATION_CREDENTIALS", file.toString()))::get);
        assertFalse(e.toString().contains("SECRET") || e.toString().contains("U0VD"), e.getMessage());
    }

    /** A pipe without a writer would block, and {@code /dev/zero} has no end. */
    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "there are no named pipes in folders")
    void fileThatIsLarge_orNotRegular_isRefused() throws Exception {
        Path pipe = folder.resolve("pipe");
        LinksAndPipes.pipe(pipe);
        Path large = Files.write(folder.resolve("large"), new byte[(1 << 20) + 1]);
        for (Object file : new Object[] {pipe, large, folder, folder.resolve("missing"), "/dev/zero"}) {
            StoreException e = assertThrows(
                    StoreException.class, tokens(Map.of("GOOGLE_APPLICATION_CREDENTIALS", file.toString()))::get);
            assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"s3://b/k", "gs:///k", "gs://id:secret@b/k", "gs://b/k?secret=1", "gs://b/a//b", "gs://b/.."})
    void location_thatIsNone_isRefusedWithoutItsSecrets(String location) {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> GcsStore.builder(URI.create(location)));
        assertFalse(e.getMessage().contains("secret"), e.getMessage());
    }

    @Test
    void otherServers_getNoDefaultCredentials() throws Exception {
        Map<String, String> environment =
                new HashMap<>(Map.of("STORAGE_EMULATOR_HOST", server.uri().getAuthority()));
        environment.put("GOOGLE_APPLICATION_CREDENTIALS", "none");
        var defaults = new DefaultCredentials(environment, folder, server.uri());
        try (GcsStore store = GcsStore.builder(URI.create("gs://b/p")).build(defaults)) {
            assertEquals("gs://b/p at " + server.uri(), store.describe());
            server.then(404, "No such object: b/p/k");
            assertTrue(BlockingStore.to(store).open("k").isEmpty());
            assertEquals(Optional.empty(), server.seen.get(0).header("authorization"));
        }
        try (GcsStore store =
                GcsStore.builder(URI.create("gs://b/p")).anonymous().build()) {
            assertEquals("gs://b/p", store.describe());
        }
    }
}
