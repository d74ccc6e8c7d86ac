package dev.shardkit.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.shardkit.transport.TransportSettings.Protocol;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every transport must do, over a real server. */
@Timeout(120)
public abstract class TransportContract {
    private static final TransportSettings SETTINGS = TransportSettings.of(Protocol.HTTP_1_1, Duration.ofSeconds(60));

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Transport> transports = new ArrayList<>();
    private final HttpServer server = server();

    /** The client under test. */
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
    void isEmpty() {
        serve("/echo", TransportContract::echo);
    }

    @AfterEach
    void stop() {
        transports.forEach(Transport::close);
        server.stop(0);
        threads.shutdownNow();
    }

    private void serve(String path, HttpHandler handler) {
        server.createContext(path, exchange -> {
            try (exchange) {
                handler.handle(exchange);
            }
        });
    }

    /** Answers with the request's body, its method and what frames it. */
    private static void echo(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        exchange.getResponseHeaders().add("X-Method", exchange.getRequestMethod());
        exchange.getResponseHeaders()
                .add("X-Length", String.valueOf(exchange.getRequestHeaders().getFirst("Content-Length")));
        exchange.getResponseHeaders()
                .add("X-Own", String.valueOf(exchange.getRequestHeaders().getFirst("X-Own")));
        exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    private Transport transport() {
        return transport(SETTINGS);
    }

    private Transport transport(TransportSettings settings) {
        Transport made = provider().open(settings);
        transports.add(made);
        return made;
    }

    private Answer get(String path) {
        return Answer.to(transport(), Request.get(uri(path), Map.of()));
    }

    @Test
    void put_sendsItsPieces_andAgain() throws Exception {
        byte[] bytes = new byte[3_000_000];
        new Random(7).nextBytes(bytes);
        Payload payload = Payload.of(List.of(
                ByteBuffer.wrap(bytes, 0, 5),
                ByteBuffer.allocate(0),
                ByteBuffer.wrap(bytes, 5, 2_000_000),
                ByteBuffer.allocateDirect(999_995)
                        .put(bytes, 2_000_005, 999_995)
                        .flip()));
        Transport transport = transport();
        for (int i = 0; i < 3; i++) {
            Answer answer = Answer.to(transport, new Request("PUT", uri("/echo"), Map.of("X-Own", "é"), payload));
            assertArrayEquals(bytes, answer.get());
            assertEquals(Optional.of("PUT"), answer.headers().firstValue("x-method"));
            assertEquals(Optional.of("3000000"), answer.headers().firstValue("X-LENGTH"));
        }
    }

    @Test
    void methodsWithoutABody_saySo() throws Exception {
        Transport transport = transport();
        for (String method : List.of("PUT", "POST")) {
            Answer answer =
                    Answer.to(transport, new Request(method, uri("/echo"), Map.of("X-Own", "here"), Payload.NONE));
            assertEquals(0, answer.get().length);
            assertEquals(Optional.of("0"), answer.headers().firstValue("X-Length"), method);
            assertEquals(Optional.of("here"), answer.headers().firstValue("X-Own"));
        }
        for (String method : List.of("GET", "DELETE", "HEAD")) {
            Answer answer = Answer.to(transport, new Request(method, uri("/echo"), Map.of(), Payload.NONE));
            assertEquals(0, answer.get().length);
            assertEquals(Optional.of(method), answer.headers().firstValue("X-Method"));
        }
    }

    @Test
    void statusAndHeaders_arrive_andRedirectsAreNotFollowed() throws Exception {
        serve("/moved", exchange -> {
            exchange.getResponseHeaders().add("Location", "/echo");
            exchange.getResponseHeaders().put("X-Two", List.of("a", "b"));
            exchange.sendResponseHeaders(307, -1);
        });
        Answer answer = get("/moved");
        answer.get();
        assertEquals(307, answer.status());
        assertEquals(List.of("a", "b"), answer.headers().allValues("X-two"));
        assertEquals(Optional.empty(), answer.headers().firstValue("X-Method"));
    }

    @Test
    void noHeaderOfTheClientsOwn_asksForAnEncoding() throws Exception {
        serve("/gz", exchange -> {
            exchange.getResponseHeaders()
                    .add("X-Asked", String.valueOf(exchange.getRequestHeaders().getFirst("Accept-Encoding")));
            exchange.getResponseHeaders().add("Content-Encoding", "gzip");
            exchange.sendResponseHeaders(200, 3);
            exchange.getResponseBody().write(new byte[] {1, 2, 3});
        });
        Answer answer = get("/gz");
        assertArrayEquals(new byte[] {1, 2, 3}, answer.get());
        assertEquals(Optional.of("null"), answer.headers().firstValue("X-Asked"));
        assertEquals(Optional.of("gzip"), answer.headers().firstValue("Content-Encoding"));
    }

    @Test
    void statusesOfErrors_areAnswers_andNotSentAgain() throws Exception {
        LinkedBlockingQueue<String> hits = new LinkedBlockingQueue<>();
        serve("/busy", exchange -> {
            hits.add("hit");
            exchange.getResponseHeaders().add("Retry-After", "1");
            exchange.sendResponseHeaders(503, -1);
        });
        Answer answer = get("/busy");
        answer.get();
        assertEquals(503, answer.status());
        assertEquals(1, hits.size());
    }

    @Test
    void bodyThatStops_isDone() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        serve("/endless", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try {
                while (true) {
                    exchange.getResponseBody().write(new byte[65536]);
                }
            } catch (IOException e) { // the client has closed
                end.countDown();
            }
        });
        Transport transport = transport();
        Answer answer = Answer.upTo(transport, Request.get(uri("/endless"), Map.of()), 100_000);
        assertTrue(answer.get().length >= 100_000);
        assertTrue(end.await(60, TimeUnit.SECONDS), "the connection is closed");
        assertEquals(
                0, Answer.to(transport, Request.get(uri("/echo"), Map.of())).get().length);
    }

    @Test
    void cancel_endsTheExchange_andItsConnection() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        serve("/slow", exchange -> {
            begun.countDown();
            exchange.sendResponseHeaders(200, 0);
            try {
                while (true) {
                    exchange.getResponseBody().write(new byte[1]);
                    exchange.getResponseBody().flush();
                    Thread.onSpinWait();
                }
            } catch (IOException e) {
                end.countDown();
            }
        });
        Answer answer = get("/slow");
        begun.await();
        answer.cancel();
        assertTrue(end.await(60, TimeUnit.SECONDS), "the connection is closed");
    }

    @Test
    void shortBody_fails() throws Exception {
        serve("/short", exchange -> {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write(new byte[10]);
            exchange.getResponseBody().flush();
        });
        assertInstanceOf(IOException.class, failure(get("/short")));
    }

    @Test
    void refusedConnection_fails() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        Request request = Request.get(URI.create("http://127.0.0.1:" + port + "/"), Map.of());
        assertInstanceOf(IOException.class, failure(Answer.to(transport(), request)));
    }

    @Test
    void requestThatCannotBeMade_andReceiverThatThrows_fail() throws Exception {
        IllegalStateException own = new IllegalStateException("mine");
        assertEquals(own, failure(Answer.of(transport(), () -> {
            throw own;
        })));
        assertEquals(own, failure(Answer.thatThrows(transport(), Request.get(uri("/echo"), Map.of()), own)));
    }

    @Test
    void headersThatCannotBeSent_areRefused_withoutTheirValue() {
        for (String name : List.of("", "a b", "a:", "é")) {
            assertThrows(IllegalArgumentException.class, () -> Request.get(uri("/"), Map.of(name, "v")));
        }
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> Request.get(uri("/"), Map.of("X", "hush\r\nY: z")));
        assertTrue(!e.getMessage().contains("hush"), e.getMessage());
    }

    @Test
    void callsThatMayWait_stopNoOtherExchange() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        Transport transport = transport();
        List<Answer> waiting = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            waiting.add(Answer.of(transport, () -> {
                await(over);
                return Request.get(uri("/echo"), Map.of());
            }));
            waiting.add(Answer.thatWaits(transport, Request.get(uri("/echo"), Map.of()), over));
        }
        assertEquals(
                0, Answer.to(transport, Request.get(uri("/echo"), Map.of())).get().length);
        over.countDown();
        for (Answer answer : waiting) {
            assertEquals(0, answer.get().length);
        }
    }

    static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void many_shareConnections() throws Exception {
        LinkedBlockingQueue<Integer> ports = new LinkedBlockingQueue<>();
        serve("/port", exchange -> {
            ports.add(exchange.getRemoteAddress().getPort());
            echo(exchange);
        });
        Transport transport = transport();
        for (int i = 0; i < 50; i++) {
            Answer.to(transport, Request.get(uri("/port"), Map.of())).get();
        }
        assertTrue(ports.stream().distinct().count() < 10, ports::toString);
        List<Answer> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            all.add(Answer.to(transport, Request.get(uri("/port"), Map.of())));
        }
        for (Answer answer : all) {
            assertEquals(0, answer.get().length);
        }
    }

    /** A proxy gets the whole URL of an http request. */
    @Test
    void proxy_isUsed() throws Exception {
        serve("/", exchange -> {
            exchange.getResponseHeaders()
                    .add("X-Target", exchange.getRequestURI().toString());
            exchange.sendResponseHeaders(200, -1);
        });
        ProxySelector proxy = new ProxySelector() {
            @Override
            public List<Proxy> select(URI target) {
                return List.of(new Proxy(Proxy.Type.HTTP, server.getAddress()));
            }

            @Override
            public void connectFailed(URI target, SocketAddress address, IOException failure) {}
        };
        Transport transport = transport(
                new TransportSettings(Protocol.HTTP_1_1, Duration.ofSeconds(60), Optional.of(proxy), Optional.empty()));
        Answer answer = Answer.to(transport, Request.get(URI.create("http://nowhere.invalid/a?b=c"), Map.of()));
        answer.get();
        assertEquals(
                Optional.of("http://nowhere.invalid/a?b=c"), answer.headers().firstValue("X-Target"));
    }

    @Test
    void closing_failsWhatIsUnderWay() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        serve("/held", exchange -> {
            begun.countDown();
            await(over);
        });
        Transport transport = transport();
        Answer answer = Answer.to(transport, Request.get(uri("/held"), Map.of()));
        begun.await();
        transport.close();
        assertNotEquals(Optional.empty(), Optional.of(failure(answer)));
        over.countDown();
    }

    private static Throwable failure(Answer answer) {
        return assertThrows(ExecutionException.class, answer::get).getCause();
    }
}
