package dev.shardkit.store.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.cloudtest.ScriptedServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each kind of credentials that AWS's chain finds signs a request. AWS's libraries take the same settings from
 * environment variables and from the JVM's properties; tests can set only the latter.
 */
@Timeout(60)
@DisabledIfEnvironmentVariable(named = "AWS_ACCESS_KEY_ID", matches = ".+")
@DisabledIfEnvironmentVariable(named = "AWS_REGION", matches = ".+")
class CredentialKindsTest {
    private static final String FUTURE = "2099-01-01T00:00:00Z";

    private final FakeS3 server = new FakeS3();
    private final Map<String, Optional<String>> before = new HashMap<>();

    @TempDir
    Path folder;

    @BeforeEach
    void hideOwnFiles() {
        set("aws.configFile", folder.resolve("config").toString());
        set("aws.sharedCredentialsFile", folder.resolve("credentials").toString());
        set("aws.disableEc2Metadata", "true");
    }

    @AfterEach
    void close() {
        before.forEach((name, value) ->
                value.ifPresentOrElse(v -> System.setProperty(name, v), () -> System.clearProperty(name)));
        server.close();
    }

    private void set(String property, String value) {
        before.putIfAbsent(property, Optional.ofNullable(System.getProperty(property)));
        System.setProperty(property, value);
    }

    private S3StoreBuilder builder() {
        return S3Store.builder(URI.create("s3://bucket")).endpoint(server.uri());
    }

    /** Reads an object and returns the request that came. */
    private ScriptedServer.Seen read(S3StoreBuilder builder) throws Exception {
        server.then(404, "NoSuchKey");
        try (S3Store store = builder.build()) {
            store.store()
                    .fetch("a", ByteRange.whole(), Optional.empty(), StoreListener.NONE)
                    .get();
        }
        return server.seen.get(server.seen.size() - 1);
    }

    private static void assertSigned(String keyId, Optional<String> token, ScriptedServer.Seen request) {
        String signature = request.header("authorization").orElseThrow();
        assertTrue(signature.startsWith("AWS4-HMAC-SHA256 Credential=" + keyId + "/"), signature);
        assertEquals(token, request.header("x-amz-security-token"));
    }

    /** Returns the error of a read for which no credentials are found. */
    private String missing(S3StoreBuilder builder) {
        ExecutionException e = assertThrows(ExecutionException.class, () -> read(builder));
        assertTrue(server.seen.isEmpty(), "no request was sent");
        return String.valueOf(e.getCause().getMessage());
    }

    private void config(String... lines) throws IOException {
        Files.write(folder.resolve("config"), List.of(lines));
    }

    @Test
    void systemProperties_sign() throws Exception {
        set("aws.accessKeyId", "PROPKEY");
        set("aws.secretAccessKey", "secret");
        assertSigned("PROPKEY", Optional.empty(), read(builder().region("eu-west-1")));
    }

    @Test
    void profile_signs_inItsRegion() throws Exception {
        config("[profile lab]", "region = ap-south-1", "s3 =", "  addressing_style = path");
        Files.write(
                folder.resolve("credentials"),
                List.of("[lab]", "aws_access_key_id = LABKEY", "aws_secret_access_key = secret"));
        ScriptedServer.Seen request = read(builder().profile("lab"));
        assertSigned("LABKEY", Optional.empty(), request);
        assertTrue(request.header("authorization").orElseThrow().contains("/ap-south-1/s3/"));
        set("aws.profile", "lab");
        assertSigned("LABKEY", Optional.empty(), read(builder()));
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the processes of profiles are commands of a POSIX shell")
    void processOfAProfile_signs() throws Exception {
        Path script = Files.writeString(
                folder.resolve("keys.sh"),
                "echo '{\"Version\": 1, \"AccessKeyId\": \"PROCKEY\", \"SecretAccessKey\": \"secret\","
                        + " \"SessionToken\": \"proctoken\", \"Expiration\": \"" + FUTURE + "\"}'\n");
        config("[profile process]", "credential_process = sh \"" + script + "\"");
        assertSigned(
                "PROCKEY",
                Optional.of("proctoken"),
                read(builder().profile("process").region("eu-west-1")));
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the processes of profiles are commands of a POSIX shell")
    void processThatFails_isAnErrorOfTheProfile() throws Exception {
        config("[profile process]", "credential_process = sh -c 'exit 3'");
        String message = missing(builder().profile("process"));
        assertTrue(
                message.contains("profile (Failed to refresh process-based credentials: the exit code is 3)"), message);
    }

    /** A server of credentials; remembers the requests' methods and paths. */
    private static final class KeyServer implements AutoCloseable {
        private final HttpServer server;
        private final ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();

        KeyServer() throws IOException {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.start();
        }

        URI uri() {
            return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        }

        KeyServer at(String path, HttpHandler handler) {
            server.createContext(path, exchange -> {
                seen.add(exchange.getRequestMethod() + " "
                        + exchange.getRequestURI().getPath());
                handler.handle(exchange);
            });
            return this;
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static String keys(String id) {
        return "{\"Code\": \"Success\", \"LastUpdated\": \"2020-01-01T00:00:00Z\", \"Type\": \"AWS-HMAC\","
                + " \"AccessKeyId\": \"" + id + "\", \"SecretAccessKey\": \"secret\", \"Token\": \"token-" + id
                + "\", \"Expiration\": \"" + FUTURE + "\"}";
    }

    @Test
    void container_signs() throws Exception {
        try (KeyServer keys = new KeyServer()) {
            keys.at("/v1/keys", exchange -> {
                boolean allowed =
                        "pod-token".equals(exchange.getRequestHeaders().getFirst("Authorization"));
                answer(exchange, allowed ? 200 : 403, allowed ? keys("TASKKEY") : "");
            });
            set("aws.containerCredentialsFullUri", keys.uri() + "/v1/keys");
            set(
                    "aws.containerAuthorizationTokenFile",
                    Files.writeString(folder.resolve("token"), "pod-token").toString());
            assertSigned("TASKKEY", Optional.of("token-TASKKEY"), read(builder().region("eu-west-1")));
        }
    }

    @Test
    void containerAtAnotherEndpoint_signs() throws Exception {
        try (KeyServer keys = new KeyServer()) {
            keys.at("/v1/keys", exchange -> answer(exchange, 200, keys("TASKKEY")));
            set("aws.containerServiceEndpoint", keys.uri().toString());
            set("aws.containerCredentialsPath", "/v1/keys");
            assertSigned("TASKKEY", Optional.of("token-TASKKEY"), read(builder().region("eu-west-1")));
        }
    }

    @Test
    void containerThatRefuses_isNamed() throws Exception {
        try (KeyServer keys = new KeyServer()) {
            keys.at("/v1/keys", exchange -> answer(exchange, 403, ""));
            set("aws.containerCredentialsFullUri", keys.uri() + "/v1/keys");
            String message = missing(builder());
            assertTrue(message.contains("container metadata ("), message);
        }
    }

    @Test
    void instance_signs() throws Exception {
        set("aws.disableEc2Metadata", "false");
        try (KeyServer keys = new KeyServer()) {
            keys.at("/latest/api/token", exchange -> {
                exchange.getResponseHeaders().set("x-aws-ec2-metadata-token-ttl-seconds", "60");
                answer(exchange, 200, "session");
            });
            keys.at("/latest/meta-data/iam/", exchange -> {
                boolean allowed = "session".equals(exchange.getRequestHeaders().getFirst("x-aws-ec2-metadata-token"));
                boolean lists = exchange.getRequestURI().getPath().endsWith("/");
                answer(exchange, allowed ? 200 : 401, !allowed ? "" : lists ? "role" : keys("ROLEKEY"));
            });
            set("aws.ec2MetadataServiceEndpoint", keys.uri().toString());
            assertSigned("ROLEKEY", Optional.of("token-ROLEKEY"), read(builder().region("eu-west-1")));
            Set<String> methods =
                    keys.seen.stream().map(s -> s.substring(0, s.indexOf(' '))).collect(Collectors.toSet());
            assertEquals(Set.of("PUT", "GET"), methods, keys.seen::toString);
        }
    }

    @Test
    void webIdentity_andRoles_nameTheMissingJar() throws Exception {
        config(
                "[profile base]",
                "aws_access_key_id = BASEKEY",
                "aws_secret_access_key = secret",
                "[profile up]",
                "role_arn = arn:aws:iam::1:role/up",
                "source_profile = base");
        set(
                "aws.webIdentityTokenFile",
                Files.writeString(folder.resolve("token"), "t").toString());
        set("aws.roleArn", "arn:aws:iam::1:role/pod");
        String lacks = "(the class path lacks software.amazon.awssdk:sts)";
        String message = missing(builder().profile("up"));
        assertTrue(message.contains("web identity " + lacks), message);
        assertTrue(message.contains("profile " + lacks), message);
    }

    @Test
    void singleSignOn_namesTheMissingJar() throws Exception {
        config(
                "[profile me]",
                "sso_start_url = https://example.org/start",
                "sso_region = us-east-1",
                "sso_account_id = 1",
                "sso_role_name = reader");
        String message = missing(builder().profile("me"));
        assertTrue(message.contains("profile (the class path lacks software.amazon.awssdk:sso)"), message);
        assertFalse(message.contains("web identity ("), message);
    }

    @Test
    void login_namesTheMissingJar() throws Exception {
        config("[profile me]", "login_session = arn:aws:iam::1:user/me");
        String message = missing(builder().profile("me"));
        assertTrue(message.contains("profile (the class path lacks software.amazon.awssdk:signin)"), message);
    }
}
