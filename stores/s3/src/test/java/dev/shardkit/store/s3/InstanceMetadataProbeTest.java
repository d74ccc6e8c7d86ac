package dev.shardkit.store.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.shardkit.spi.error.StoreException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether there is a metadata service is found out with one short request. */
@Timeout(60)
class InstanceMetadataProbeTest {
    private static Optional<String> missing(Map<String, String> environment) {
        return new InstanceMetadataProbe(environment, name -> Optional.empty(), 50).missing();
    }

    private static Optional<String> missingAt(int port) {
        return missing(Map.of("AWS_EC2_METADATA_SERVICE_ENDPOINT", "http://127.0.0.1:" + port + "/"));
    }

    @Test
    void serviceThatAnswers_isThere() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/latest/api/token", exchange -> {
            exchange.sendResponseHeaders(403, -1);
            exchange.close();
        });
        server.start();
        try {
            String endpoint = "http://127.0.0.1:" + server.getAddress().getPort();
            var patient = new InstanceMetadataProbe(
                    Map.of(), name -> Optional.of(endpoint).filter(e -> name.endsWith("_endpoint")), 30_000);
            assertEquals(Optional.empty(), patient.missing());
        } finally {
            server.stop(0);
        }
    }

    @Test
    void serviceThatIsSilent_isMissing() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String reason = missingAt(silent.getLocalPort()).orElseThrow();
            assertEquals("no answer from http://127.0.0.1:" + silent.getLocalPort(), reason);
        }
    }

    /** The first line of the answer never ends. */
    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1", "H", "SSH-2.0"})
    void serviceWhoseAnswerHasNoEnd_isNotAwaited(String first) throws Exception {
        try (ServerSocket endless = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> {
                try (Socket asked = endless.accept()) {
                    asked.getOutputStream().write(first.getBytes(StandardCharsets.US_ASCII));
                    asked.getOutputStream().flush();
                    while (asked.getInputStream().read() >= 0) {
                        Thread.onSpinWait();
                    }
                } catch (IOException e) {
                    return; // the client has gone
                }
            });
            server.start();
            boolean isHttp = first.startsWith("HTTP/");
            Map<String, String> environment =
                    Map.of("AWS_EC2_METADATA_SERVICE_ENDPOINT", "http://127.0.0.1:" + endless.getLocalPort());
            var metadata = new InstanceMetadataProbe(environment, name -> Optional.empty(), isHttp ? 30_000 : 50);
            assertEquals(isHttp, metadata.missing().isEmpty());
            server.join();
        }
    }

    @Test
    void serviceThatIsSwitchedOff_isNotAsked() {
        String reason = missing(Map.of("AWS_EC2_METADATA_DISABLED", "TRUE")).orElseThrow();
        assertTrue(reason.contains("AWS_EC2_METADATA_DISABLED"), reason);
    }

    @Test
    void endpointThatIsNoUrl_isMissing() {
        assertTrue(missing(Map.of("AWS_EC2_METADATA_SERVICE_ENDPOINT", "file:/tmp"))
                .isPresent());
        assertTrue(missing(Map.of("AWS_EC2_METADATA_SERVICE_ENDPOINT", "not a url"))
                .isPresent());
    }

    @Test
    void chain_saysWhatItTried() {
        var none = new InstanceMetadataProbe(Map.of("AWS_EC2_METADATA_DISABLED", "true"), name -> Optional.empty(), 50);
        CredentialsProvider chain = CredentialsChain.of("no-such-profile", new ProfileFiles(), none);
        String message =
                assertThrows(StoreException.class, () -> chain.keys().get()).getMessage();
        for (String source : new String[] {"environment", "profile (", "container metadata", "instance metadata ("}) {
            assertTrue(message.contains(source), message);
        }
        chain.end().run();
    }
}
