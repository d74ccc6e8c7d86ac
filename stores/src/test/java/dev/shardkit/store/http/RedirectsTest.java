package dev.shardkit.store.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.FetchResult;
import dev.shardkit.testkit.server.RangeServer;
import dev.shardkit.testkit.server.TestCertificate;
import dev.shardkit.transport.Head;
import dev.shardkit.transport.Headers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Redirects, and the settings of connections: proxies and certificates. */
class RedirectsTest extends HttpFixture {
    private final RangeServer other = RangeServer.start().put("there/k", value);

    @AfterEach
    void stopTheOther() {
        other.close();
    }

    private HttpStoreBuilder builder() {
        return HttpStore.builder(URI.create(
                        "http://us3r:passw0rd@127.0.0.1:" + server.uri().getPort()))
                .retries(QUICK)
                .headers(() -> Map.of("X-Key", "h3ader"));
    }

    private void redirects(int times, int status, String location) {
        server.clearLog().failNext(times, status, Map.of("Location", location));
    }

    private static StoreException fails(HttpStore store) {
        StoreException e = assertThrows(StoreException.class, () -> found(store, slice(5, 6)));
        for (String secret : List.of("passw0rd", "h3ader", "s1gnature")) {
            assertFalse(e.getMessage().contains(secret), e.getMessage());
        }
        return e;
    }

    private byte[] read(HttpStore store) throws Exception {
        FetchResult.Found found = found(store, slice(5, 6));
        assertEquals(value.length, found.objectSize());
        return found.bytes().toArray();
    }

    private byte[] expected() {
        return java.util.Arrays.copyOfRange(value, 5, 11);
    }

    @Test
    void sameHost_isFollowedWithTheHeaders() throws Exception {
        server.put("moved/k", value);
        try (HttpStore store = builder().build()) {
            for (int status : new int[] {301, 302, 303, 307, 308}) {
                redirects(1, status, "/moved/k?part=1");
                assertArrayEquals(expected(), read(store));
                RangeServer.Hit hit = server.log().get(1);
                assertEquals(
                        "moved/k part=1 bytes=5-10",
                        hit.key() + " " + hit.query() + " " + hit.range().orElse("-"));
                assertEquals("h3ader", hit.headers().get("x-key"));
                assertTrue(hit.headers().get("authorization").startsWith("Basic "), "authorization");
            }
        }
    }

    @Test
    void otherHost_isRefusedUnlessAllowed_andNeverReceivesCredentials() throws Exception {
        String target = other.uri() + "/there/k?sig=s1gnature";
        try (HttpStore store = builder().build();
                HttpStore follower = builder().redirects(Redirects.ANY_HOST).build()) {
            redirects(1, 302, target);
            StoreException e = fails(store);
            assertTrue(e.getMessage().contains(other.uri().toString()), e.getMessage());
            assertEquals(List.of(), other.log());
            redirects(1, 302, target);
            assertArrayEquals(expected(), read(follower));
            RangeServer.Hit hit = other.log().get(0);
            assertEquals("sig=s1gnature", hit.query());
            assertFalse(
                    hit.headers().containsKey("authorization"), hit.headers().toString());
            assertFalse(hit.headers().containsKey("x-key"), hit.headers().toString());
            redirects(1, 302, target);
            other.failNext(1, 403, Map.of());
            e = fails(follower);
            assertTrue(e.getMessage().contains("redirected to " + other.uri() + ": HTTP 403"), e.getMessage());
        }
    }

    @Test
    void noRedirects_areFollowedIfTheStoreSaysSo() {
        redirects(1, 302, "/k");
        try (HttpStore store = builder().redirects(Redirects.NONE).build()) {
            assertTrue(fails(store).getMessage().contains("redirect"));
        }
        assertEquals(1, server.log().size());
    }

    @Test
    void loop_ends() {
        redirects(100, 302, "/k");
        try (HttpStore store = builder().build()) {
            assertTrue(fails(store).getMessage().contains("more than 5 redirects"));
        }
        assertEquals(6, server.log().size());
    }

    @Test
    void retry_beginsAtTheStoresUrlAgain() throws Exception {
        redirects(1, 307, other.uri() + "/there/k");
        other.failNext(1, 503, Map.of("Retry-After", "0"));
        try (HttpStore store = builder().redirects(Redirects.ANY_HOST).build()) {
            assertArrayEquals(expected(), read(store));
        }
        assertEquals(2, server.log().size());
        assertEquals(1, other.log().size());
    }

    @Test
    void absence_isThatOfTheTarget() throws Exception {
        redirects(1, 302, "/nothing");
        try (HttpStore store = builder().build()) {
            assertEquals(new FetchResult.Absent(), fetch(store, "k", slice(0, 1), Optional.empty()));
        }
    }

    @Test
    void location_isChecked() {
        for (String bad : List.of("ftp://127.0.0.1/k", "http://", "file:///etc/passwd", "http://a b/", "//u:p@h/k")) {
            redirects(1, 302, bad);
            try (HttpStore store = builder().redirects(Redirects.ANY_HOST).build()) {
                assertTrue(fails(store).getMessage().contains("HTTP 302: a redirect "), bad);
            }
            assertEquals(1, server.log().size(), bad);
        }
    }

    private static String decided(String from, String location, Redirects allowed) {
        Head head = new Head(302, new Headers(Map.of("Location", List.of(location))));
        RedirectRules.Decision decision = new RedirectRules(allowed, host -> true)
                .decisionFor(head, URI.create(from))
                .orElseThrow();
        return decision instanceof RedirectRules.Follow to ? to.target().toString() : "no";
    }

    @Test
    void host_isTheSame_withTheSamePort_orSecured() {
        for (Redirects allowed : List.of(Redirects.SAME_HOST, Redirects.ANY_HOST)) {
            boolean any = allowed == Redirects.ANY_HOST;
            assertEquals("https://H/b", decided("http://h/a", "https://H/b", allowed));
            assertEquals("http://h:80/b", decided("http://h/a", "http://h:80/b#c", allowed));
            assertEquals("http://h/a/c?d", decided("http://h/a/b", "c?d", allowed));
            assertEquals("no", decided("https://h/a", "http://h/a", allowed));
            assertEquals(any ? "http://h:81/a" : "no", decided("http://h/a", "http://h:81/a", allowed));
            assertEquals(any ? "https://h:444/a" : "no", decided("http://h/a", "https://h:444/a", allowed));
            assertEquals(any ? "http://i/a" : "no", decided("http://h/a", "//i/a", allowed));
        }
    }

    private static HttpsServer secure(SSLContext tls, URI plain) throws IOException {
        HttpsServer secure = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
        secure.setHttpsConfigurator(new HttpsConfigurator(tls));
        secure.createContext("/own", exchange -> {
            exchange.sendResponseHeaders(200, 3);
            exchange.getResponseBody().write(new byte[] {1, 2, 3});
            exchange.close();
        });
        secure.createContext("/away", exchange -> {
            exchange.getResponseHeaders().add("Location", plain + "/k");
            exchange.sendResponseHeaders(302, -1);
            exchange.close();
        });
        secure.start();
        return secure;
    }

    @Test
    void certificates_areTheStores_andHttpsIsNotLeft() throws Exception {
        SSLContext tls = TestCertificate.context();
        HttpsServer secure = secure(tls, server.uri());
        URI base = URI.create("https://localhost:" + secure.getAddress().getPort());
        try (HttpStore trusting = HttpStore.builder(base)
                        .tls(tls)
                        .redirects(Redirects.ANY_HOST)
                        .retries(QUICK)
                        .build();
                HttpStore strange = HttpStore.builder(base).retries(QUICK).build()) {
            FetchResult.Found found = (FetchResult.Found) fetch(trusting, "own", suffix(2), Optional.empty());
            assertArrayEquals(new byte[] {2, 3}, found.bytes().toArray());
            StoreException e =
                    assertThrows(StoreException.class, () -> fetch(trusting, "away", slice(0, 1), Optional.empty()));
            assertTrue(e.getMessage().contains("from HTTPS to HTTP"), e.getMessage());
            assertThrows(StoreException.class, () -> fetch(strange, "own", suffix(2), Optional.empty()));
        } finally {
            secure.stop(0);
        }
        assertEquals(List.of(), server.log());
    }

    @Test
    void proxy_isTheStores() throws Exception {
        ProxySelector selector = new ProxySelector() {
            @Override
            public List<Proxy> select(URI target) {
                return List.of(new Proxy(
                        Proxy.Type.HTTP,
                        new InetSocketAddress("127.0.0.1", server.uri().getPort())));
            }

            @Override
            public void connectFailed(URI target, SocketAddress address, IOException failure) {}
        };
        try (HttpStore store = HttpStore.builder(URI.create("http://shardkit.invalid"))
                .proxy(selector)
                .retries(QUICK)
                .build()) {
            assertArrayEquals(expected(), read(store));
        }
        assertEquals("shardkit.invalid", server.log().get(0).headers().get("host"));
    }
}
