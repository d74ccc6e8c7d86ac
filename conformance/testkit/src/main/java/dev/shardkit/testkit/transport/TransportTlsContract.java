package dev.shardkit.testkit.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.shardkit.testkit.server.TestCertificate;
import dev.shardkit.transport.Request;
import dev.shardkit.transport.Transport;
import dev.shardkit.transport.TransportProvider;
import dev.shardkit.transport.TransportSettings;
import dev.shardkit.transport.TransportSettings.Protocol;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of {@link Transport}s as tests of TLS with a real server, directly and through proxies. To test a
 * transport, extend this class.
 */
@Timeout(300)
public abstract class TransportTlsContract {
    private static final SSLContext TLS = TestCertificate.context();
    private static final byte[] BODY = new byte[300_000];

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Transport> transports = new ArrayList<>();
    private @Nullable HttpsServer server;

    /** For subclasses. */
    protected TransportTlsContract() {}

    /** Returns the client under test. */
    protected abstract TransportProvider provider();

    @BeforeEach
    final void start() throws IOException {
        HttpsServer made = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        made.setHttpsConfigurator(new HttpsConfigurator(TLS));
        made.setExecutor(threads);
        made.createContext("/body", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, BODY.length);
                exchange.getResponseBody().write(BODY);
            }
        });
        made.start();
        server = made;
    }

    @AfterEach
    final void stop() {
        transports.forEach(Transport::close);
        if (server != null) {
            server.stop(0);
        }
        threads.shutdownNow();
    }

    /** Requests the body; trusts the certificates of the JDK if {@code tls} is null. */
    private TransportExchange get(String host, @Nullable SSLContext tls, @Nullable ProxySelector proxy) {
        return get(open(Duration.ofSeconds(60), tls, proxy), host);
    }

    private Transport open(Duration connectTimeout, @Nullable SSLContext tls, @Nullable ProxySelector proxy) {
        Transport transport = provider()
                .open(new TransportSettings(
                        Protocol.HTTP_2, connectTimeout, Optional.ofNullable(proxy), Optional.ofNullable(tls)));
        transports.add(transport);
        return transport;
    }

    private TransportExchange get(Transport transport, String host) {
        URI uri = URI.create("https://" + host + ":"
                + Objects.requireNonNull(server).getAddress().getPort() + "/body");
        return TransportExchange.to(transport, Request.get(uri, Map.of()));
    }

    private static Throwable failure(TransportExchange answer) {
        return assertThrows(ExecutionException.class, answer::get).getCause();
    }

    @Test
    void certificateThatIsTrusted_serves() throws Exception {
        assertArrayEquals(BODY, get("localhost", TLS, null).get());
    }

    @Test
    void certificateThatIsNotTrusted_fails() {
        assertInstanceOf(IOException.class, failure(get("localhost", null, null)));
    }

    @Test
    void certificateOfAnotherName_fails() {
        assertInstanceOf(IOException.class, failure(get("127.0.0.1", TLS, null)));
    }

    private static ProxySelector through(TunnelProxy proxy) {
        return new ProxySelector() {
            @Override
            public List<Proxy> select(URI target) {
                return List.of(new Proxy(Proxy.Type.HTTP, proxy.address()));
            }

            @Override
            public void connectFailed(URI target, SocketAddress address, IOException failure) {}
        };
    }

    @Test
    void proxy_makesATunnel() throws Exception {
        try (TunnelProxy proxy = new TunnelProxy(threads, TunnelProxy.Reaction.MAKE_A_TUNNEL)) {
            assertArrayEquals(BODY, get("localhost", TLS, through(proxy)).get());
            String target =
                    "localhost:" + Objects.requireNonNull(server).getAddress().getPort();
            assertEquals(List.of("CONNECT " + target + " HTTP/1.1"), proxy.asked());
        }
    }

    @Test
    void proxyThatRefusesATunnel_fails() throws Exception {
        try (TunnelProxy proxy = new TunnelProxy(threads, TunnelProxy.Reaction.REFUSE)) {
            Throwable failure = failure(get("localhost", TLS, through(proxy)));
            assertInstanceOf(IOException.class, failure);
            assertTrue(failure.getMessage().contains("502"), failure.getMessage());
        }
    }

    /**
     * Two exchanges: the second one waits for the first connection, which finds out whether the server speaks HTTP/2.
     */
    @Test
    void proxyThatDoesNotAnswer_fails_onceTheTimeToConnectIsOver() throws Exception {
        try (TunnelProxy proxy = new TunnelProxy(threads, TunnelProxy.Reaction.BE_SILENT)) {
            Transport transport = open(Duration.ofMillis(300), TLS, through(proxy));
            TransportExchange first = get(transport, "localhost");
            TransportExchange second = get(transport, "localhost");
            assertInstanceOf(IOException.class, failure(first));
            assertInstanceOf(IOException.class, failure(second));
        }
    }
}
