package dev.shardkit.store.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.cloudtest.ScriptedServer;
import dev.shardkit.testkit.internal.LinksAndPipes;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
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

/** Locations, accounts and credentials. */
@Timeout(60)
class AzureStoreBuilderTest {
    private static final String TOKEN = "{\"access_token\":\"eyT\",\"expires_in\":3599}";

    private final ScriptedServer server = new ScriptedServer();

    @AfterEach
    void close() {
        server.close();
    }

    private ActiveDirectory directory(Map<String, String> environment) {
        return new ActiveDirectory(environment, server.uri().getAuthority());
    }

    private AzureOrigin origin(AzureStoreBuilder builder, Map<String, String> environment) {
        try (AzureStore store = builder.build(directory(environment))) {
            return ((AzureBulkOperations) store.store().bulk()).origin();
        }
    }

    private static AzureStoreBuilder az() {
        return AzureStore.builder(URI.create("az://box/a%20b"));
    }

    @Test
    void names_ofDataLakes_areRead() {
        AzureOrigin origin =
                origin(AzureStore.builder(URI.create("abfss://box@me.dfs.core.windows.net/a/b/")), Map.of());
        assertEquals("az://box/a/b at https://me.blob.core.windows.net", origin.describe());
        assertEquals(
                "https://me.blob.core.windows.net/box/a/b/c%2B",
                origin.blob(origin.location().nameOf("c+"), Map.of()).toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3://b/k",
                "az:///k",
                "az://id:secret@b/k",
                "az://b/k?sig=secret",
                "az://b/..",
                "abfs://b@me.dfs.secret.example/k",
                "abfs://me.dfs.core.windows.net/k",
                "abfs://b:secret@me.dfs.core.windows.net/k?secret"
            })
    void location_thatIsNone_isRefusedWithoutItsSecrets(String location) {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> AzureStore.builder(URI.create(location)));
        assertFalse(e.getMessage().contains("secret"), e.getMessage());
    }

    @Test
    void account_comesFromTheEnvironment() {
        assertEquals(
                "az://box/a b at https://me.blob.core.windows.net",
                origin(az(), Map.of("AZURE_STORAGE_ACCOUNT", "me")).describe());
        StoreException e = assertThrows(StoreException.class, () -> origin(az(), Map.of()));
        assertTrue(e.getMessage().contains("AZURE_STORAGE_ACCOUNT"), e.getMessage());
    }

    @Test
    void connectionString_hasAccountEndpointAndKey() {
        String text =
                "DefaultEndpointsProtocol=https;AccountName=me;AccountKey=U0VDUkVU;EndpointSuffix=core.windows.net";
        AzureOrigin origin = origin(az(), Map.of("AZURE_STORAGE_CONNECTION_STRING", text));
        assertEquals("https://me.blob.core.windows.net", origin.endpoint().toString());
        assertInstanceOf(Authorization.SharedKey.class, origin.authorization());
        assertFalse((origin.authorization() + origin.toString()).contains("U0VD"));
        AzureOrigin signed = origin(
                az().connectionString("BlobEndpoint=https://me.blob.core.windows.net;SharedAccessSignature=sv=1&sig=S"),
                Map.of());
        assertInstanceOf(Authorization.Signature.class, signed.authorization());
        assertFalse(signed.authorization().toString().contains("sig=S"));
    }

    @Test
    void wrongSecrets_areNotShown() {
        for (AzureStoreBuilder builder :
                new AzureStoreBuilder[] {az().account("me").accountKey("SECRET!")}) {
            var e = assertThrows(IllegalArgumentException.class, () -> origin(builder, Map.of()));
            assertFalse(e.toString().contains("SECRET"), e.toString());
        }
        var e = assertThrows(IllegalArgumentException.class, () -> az().sasToken("SECRET"));
        assertFalse(e.toString().contains("SECRET"), e.toString());
        e = assertThrows(IllegalArgumentException.class, () -> az().connectionString("BlobEndpoint=http://SECRET x"));
        assertFalse(e.toString().contains("SECRET"), e.toString());
    }

    @Test
    void otherServers_getNoDefaultToken() {
        assertInstanceOf(
                Authorization.Anonymous.class,
                origin(az().endpoint(URI.create("https://me.example")), Map.of())
                        .authorization());
        assertInstanceOf(
                Authorization.Tokens.class,
                origin(az().endpoint(URI.create("https://me.blob.core.windows.net")), Map.of())
                        .authorization());
    }

    private static void assertToken(Supplier<String> tokens) {
        assertEquals("eyT", tokens.get());
        assertEquals("eyT", tokens.get());
    }

    @Test
    void application_sendsItsSecretOrToken(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("token"), "ey.J\n");
        server.then(200, TOKEN).then(200, TOKEN);
        Map<String, String> environment =
                Map.of("AZURE_TENANT_ID", "t", "AZURE_CLIENT_ID", "c", "AZURE_AUTHORITY_HOST", server.uri() + "/");
        Map<String, String> secret = new HashMap<>(environment);
        secret.put("AZURE_CLIENT_SECRET", "s 1");
        assertToken(directory(secret).tokens());
        assertEquals("/t/oauth2/v2.0/token", server.seen.get(0).uri().getPath());
        assertEquals(
                "client_id=c&client_secret=s%201&grant_type=client_credentials"
                        + "&scope=https%3A%2F%2Fstorage.azure.com%2F.default",
                server.seen.get(0).body());
        Map<String, String> federated = new HashMap<>(environment);
        federated.put("AZURE_FEDERATED_TOKEN_FILE", file.toString());
        assertToken(directory(federated).tokens());
        assertTrue(server.seen.get(1).body().contains("client_assertion=ey.J&"));
        assertEquals(2, server.seen.size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " \n", "SECRET token", "SECRET\u00e9", "SECRET\0"})
    void tokenFile_thatHoldsNone_isRefusedWithoutItsContent(String content, @TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("token"), content);
        assertRefused(file.toString());
    }

    @Test
    void tokenFile_thatIsLarge_orNoFile_isRefused(@TempDir Path folder) throws Exception {
        assertRefused(
                Files.write(folder.resolve("large"), new byte[(64 << 10) + 1]).toString());
        assertRefused(folder.toString());
        assertRefused(folder.resolve("missing").toString());
    }

    /** A pipe without a writer would block, and {@code /dev/zero} has no end. */
    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "there are no named pipes in folders")
    void tokenFile_thatIsNotRegular_isNotOpened(@TempDir Path folder) throws Exception {
        Path pipe = folder.resolve("pipe");
        LinksAndPipes.pipe(pipe);
        assertRefused(pipe.toString());
        assertRefused("/dev/zero");
    }

    private void assertRefused(String file) {
        Map<String, String> environment = Map.of(
                "AZURE_TENANT_ID",
                "t",
                "AZURE_CLIENT_ID",
                "c",
                "AZURE_AUTHORITY_HOST",
                server.uri().toString(),
                "AZURE_FEDERATED_TOKEN_FILE",
                file);
        StoreException e =
                assertThrows(StoreException.class, directory(environment).tokens()::get);
        assertTrue(e.getMessage().contains(file), e.getMessage());
        assertTrue(e.getMessage().contains("AZURE_FEDERATED_TOKEN_FILE"), e.getMessage());
        assertFalse(e.getMessage().contains("SECRET"), e.getMessage());
        assertTrue(server.seen.isEmpty());
    }

    @Test
    void machine_isAskedForItsIdentity() {
        server.then(200, TOKEN).then(200, TOKEN);
        assertToken(directory(Map.of()).tokens());
        assertEquals(
                "/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https%3A%2F%2Fstorage.azure.com%2F",
                server.seen.get(0).uri().toString());
        assertEquals(Optional.of("true"), server.seen.get(0).header("metadata"));
        assertToken(directory(Map.of("IDENTITY_ENDPOINT", server.uri() + "/msi", "IDENTITY_HEADER", "h"))
                .tokens());
        assertEquals(Optional.of("h"), server.seen.get(1).header("x-identity-header"));
    }

    @Test
    void noCredentials_saysWhatWasTried() {
        server.then(404, "");
        StoreException e =
                assertThrows(StoreException.class, directory(Map.of()).tokens()::get);
        assertTrue(
                e.getMessage().contains("AZURE_STORAGE_KEY") && e.getMessage().contains("anonymous"), e.getMessage());
    }
}
