package dev.shardkit.transport.apache;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpServer;
import dev.shardkit.transport.Head;
import dev.shardkit.transport.Request;
import dev.shardkit.transport.Transport;
import dev.shardkit.transport.TransportSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checks that plain HTTP works in a JVM whose certificates cannot be loaded. */
@Timeout(300)
class CertificatesTest {
    @Test
    void plainHttp_loadsNone() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> exchange.sendResponseHeaders(204, -1));
        server.start();
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process child = new ProcessBuilder(
                        java,
                        "-Djavax.net.ssl.trustStoreType=unknown",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Client.class.getName(),
                        "127.0.0.1:" + server.getAddress().getPort())
                .inheritIO()
                .start();
        try {
            assertEquals(0, child.waitFor());
        } finally {
            child.destroyForcibly();
            server.stop(0);
        }
    }

    /** Expects an answer over HTTP, and a failure over HTTPS. */
    static final class Client {
        private Client() {}

        public static void main(String[] args) throws Exception {
            boolean plain = "204".equals(get(URI.create("http://" + args[0])));
            boolean secure = get(URI.create("https://" + args[0])).contains("TLS could not be set up");
            System.exit(plain && secure ? 0 : 1);
        }

        /** Returns the status or the message of the failure. */
        static String get(URI uri) throws Exception {
            CompletableFuture<String> end = new CompletableFuture<>();
            TransportSettings settings =
                    TransportSettings.of(TransportSettings.Protocol.HTTP_2, Duration.ofSeconds(20));
            try (Transport transport = new ApacheTransportProvider().open(settings)) {
                transport.send(new Transport.Receiver() {
                    private int status;

                    @Override
                    public Request request() {
                        return Request.get(uri, Map.of());
                    }

                    @Override
                    public Transport.BodyReceiver head(Head head) {
                        status = head.status();
                        return bytes -> Transport.Wish.MORE;
                    }

                    @Override
                    public void done() {
                        end.complete(String.valueOf(status));
                    }

                    @Override
                    public void failed(Throwable failure) {
                        end.complete(String.valueOf(failure.getMessage()));
                    }
                });
                return end.get();
            }
        }
    }
}
