package dev.shardkit.testkit.transport;

import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.shardkit.transport.Request;
import dev.shardkit.transport.Transport;
import dev.shardkit.transport.TransportProvider;
import dev.shardkit.transport.TransportSettings;
import dev.shardkit.transport.TransportSettings.Protocol;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** The base class of suites for transports: starts a real server, and closes the transports of a test after it. */
@Timeout(300)
abstract class TransportFixture {
    static final TransportSettings SETTINGS = TransportSettings.of(Protocol.HTTP_1_1, Duration.ofSeconds(60));

    final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Transport> transports = new ArrayList<>();
    final HttpServer server = server();

    /** Returns the client under test. */
    protected abstract TransportProvider provider();

    private HttpServer server() {
        try {
            HttpServer made = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            made.setExecutor(threads);
            made.start();
            return made;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    final void serveEcho() {
        serve("/echo", TransportFixture::echo);
    }

    @AfterEach
    final void stop() {
        transports.forEach(Transport::close);
        server.stop(0);
        threads.shutdownNow();
    }

    /** Serves a path of the server by {@code handler}. */
    final void serve(String path, HttpHandler handler) {
        server.createContext(path, exchange -> {
            try (exchange) {
                handler.handle(exchange);
            }
        });
    }

    /** Responds with the request's body, and with its method, length and header X-Own as headers. */
    static void echo(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        exchange.getResponseHeaders().add("X-Method", exchange.getRequestMethod());
        exchange.getResponseHeaders()
                .add("X-Length", String.valueOf(exchange.getRequestHeaders().getFirst("Content-Length")));
        exchange.getResponseHeaders()
                .add("X-Own", String.valueOf(exchange.getRequestHeaders().getFirst("X-Own")));
        exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    final URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    final Transport transport() {
        return transport(SETTINGS);
    }

    final Transport transport(TransportSettings settings) {
        Transport made = provider().open(settings);
        transports.add(made);
        return made;
    }

    final TransportExchange get(String path) {
        return TransportExchange.to(transport(), Request.get(uri(path), Map.of()));
    }

    static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns the exception with which an exchange fails. */
    static Throwable failure(TransportExchange answer) {
        return assertThrows(ExecutionException.class, answer::get).getCause();
    }
}
