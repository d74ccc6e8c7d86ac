package dev.shardkit.testkit.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.transport.Payload;
import dev.shardkit.transport.Request;
import dev.shardkit.transport.Transport;
import dev.shardkit.transport.TransportSettings;
import dev.shardkit.transport.TransportSettings.Protocol;
import java.io.IOException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link dev.shardkit.transport.Transport}s as tests: requests to a real server and its responses. To
 * test a transport, extend this class and {@link TransportEndsContract}.
 */
public abstract class TransportContract extends TransportFixture {
    /** For subclasses. */
    protected TransportContract() {}

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
            TransportExchange answer =
                    TransportExchange.to(transport, new Request("PUT", uri("/echo"), Map.of("X-Own", "é"), payload));
            assertArrayEquals(bytes, answer.get());
            assertEquals(Optional.of("PUT"), answer.headers().firstValue("x-method"));
            assertEquals(Optional.of("3000000"), answer.headers().firstValue("X-LENGTH"));
        }
    }

    @Test
    void exchangesThatEndAtOnce_mayFollowOneAnother() throws Exception {
        Transport transport = transport();
        List<TransportExchange> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            all.add(TransportExchange.doneAtOnce(
                    transport, new Request("GET", uri("/echo"), Map.of("X-Own", "n" + i), Payload.NONE)));
        }
        for (int i = 0; i < 200; i++) {
            assertEquals(0, all.get(i).get().length);
            assertEquals(Optional.of("n" + i), all.get(i).headers().firstValue("X-Own"));
        }
    }

    @Test
    void methodsWithoutABody_saySo() throws Exception {
        Transport transport = transport();
        for (String method : List.of("PUT", "POST")) {
            TransportExchange answer = TransportExchange.to(
                    transport, new Request(method, uri("/echo"), Map.of("X-Own", "here"), Payload.NONE));
            assertEquals(0, answer.get().length);
            assertEquals(Optional.of("0"), answer.headers().firstValue("X-Length"), method);
            assertEquals(Optional.of("here"), answer.headers().firstValue("X-Own"));
        }
        for (String method : List.of("GET", "DELETE", "HEAD")) {
            TransportExchange answer =
                    TransportExchange.to(transport, new Request(method, uri("/echo"), Map.of(), Payload.NONE));
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
        TransportExchange answer = get("/moved");
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
        TransportExchange answer = get("/gz");
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
        TransportExchange answer = get("/busy");
        answer.get();
        assertEquals(503, answer.status());
        assertEquals(1, hits.size());
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
    void many_shareConnections() throws Exception {
        LinkedBlockingQueue<Integer> ports = new LinkedBlockingQueue<>();
        serve("/port", exchange -> {
            ports.add(exchange.getRemoteAddress().getPort());
            echo(exchange);
        });
        Transport transport = transport();
        for (int i = 0; i < 50; i++) {
            TransportExchange.to(transport, Request.get(uri("/port"), Map.of())).get();
        }
        assertTrue(ports.stream().distinct().count() < 10, ports::toString);
        List<TransportExchange> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            all.add(TransportExchange.to(transport, Request.get(uri("/port"), Map.of())));
        }
        for (TransportExchange answer : all) {
            assertEquals(0, answer.get().length);
        }
    }

    /** Checks that a proxy gets the whole URL of an http request. */
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
        TransportExchange answer =
                TransportExchange.to(transport, Request.get(URI.create("http://nowhere.invalid/a?b=c"), Map.of()));
        answer.get();
        assertEquals(
                Optional.of("http://nowhere.invalid/a?b=c"), answer.headers().firstValue("X-Target"));
    }
}
