package dev.shardkit.store.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Fetched;
import dev.shardkit.store.StoreListener;
import dev.shardkit.testkit.RangeServer;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;

/** Clients that do more than to send. */
class CallersClientTest extends HttpFixture {
    /** A client that does all by another one. */
    private abstract static class Wrapping extends HttpClient {
        final HttpClient client = HttpClient.newHttpClient();

        @Override
        public <T> CompletableFuture<HttpResponse<T>> sendAsync(
                HttpRequest request, HttpResponse.BodyHandler<T> handler, HttpResponse.PushPromiseHandler<T> pushes) {
            return sendAsync(request, handler);
        }

        @Override
        public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
                throws IOException, InterruptedException {
            return client.send(request, handler);
        }

        @Override
        public Optional<CookieHandler> cookieHandler() {
            return client.cookieHandler();
        }

        @Override
        public Optional<Duration> connectTimeout() {
            return client.connectTimeout();
        }

        @Override
        public Redirect followRedirects() {
            return client.followRedirects();
        }

        @Override
        public Optional<ProxySelector> proxy() {
            return client.proxy();
        }

        @Override
        public SSLContext sslContext() {
            return client.sslContext();
        }

        @Override
        public SSLParameters sslParameters() {
            return client.sslParameters();
        }

        @Override
        public Optional<Authenticator> authenticator() {
            return client.authenticator();
        }

        @Override
        public Version version() {
            return client.version();
        }

        @Override
        public Optional<Executor> executor() {
            return client.executor();
        }
    }

    /** Sends a request that was refused once more, as an interceptor that renews its authorization does. */
    private static final class Renewing extends Wrapping {
        @Override
        public <T> CompletableFuture<HttpResponse<T>> sendAsync(
                HttpRequest request, HttpResponse.BodyHandler<T> handler) {
            return client.sendAsync(request, handler)
                    .thenCompose(first -> first.statusCode() == 401
                            ? client.sendAsync(request, handler)
                            : CompletableFuture.completedFuture(first));
        }
    }

    /** Takes so many requests at once, as the JDK's does over a connection of HTTP/2 with so many streams. */
    private static final class Narrow extends Wrapping {
        private final AtomicInteger underWay = new AtomicInteger();
        private final AtomicInteger refused = new AtomicInteger();
        private volatile int streams = 3;

        @Override
        public <T> CompletableFuture<HttpResponse<T>> sendAsync(
                HttpRequest request, HttpResponse.BodyHandler<T> handler) {
            if (underWay.incrementAndGet() > streams) {
                underWay.decrementAndGet();
                refused.incrementAndGet();
                return CompletableFuture.failedFuture(new IOException("too many concurrent streams"));
            }
            return client.sendAsync(request, handler).whenComplete((v, thrown) -> underWay.decrementAndGet());
        }
    }

    @Test
    void clientThatSendsAgain_isWaitedFor() throws Exception {
        server.failNext(1, 401, Map.of());
        try (HttpStore store =
                HttpStore.builder(server.uri()).client(new Renewing()).build()) {
            assertEquals(1_000_000, found(store, slice(10, 20)).objectSize());
        }
        assertEquals(List.of("401 bytes=10-29", "206 bytes=10-29"), asked());
    }

    /** The supplier waits for a request of the same client, whose one thread must not be ours meanwhile. */
    @Test
    void tokenThatIsAskedForByTheSameClient_doesNotWaitForItself() throws Exception {
        ExecutorService one = Executors.newSingleThreadExecutor();
        try {
            HttpClient client = HttpClient.newBuilder().executor(one).build();
            HttpRequest forToken =
                    HttpRequest.newBuilder(server.uri().resolve("k")).build();
            server.quirks(RangeServer.Quirk.SUFFIX_416_BARE); // so a second request follows upon the first one's answer
            try (HttpStore store = HttpStore.builder(server.uri())
                    .client(client)
                    .retries(QUICK)
                    .bearerToken(() -> ""
                            + client.sendAsync(forToken, HttpResponse.BodyHandlers.discarding())
                                    .join()
                                    .statusCode())
                    .build()) {
                CompletableFuture<Fetched> first = store.fetch("k", suffix(5), Optional.empty(), StoreListener.NONE);
                assertEquals(1_000_000, ((Fetched.Found) first.get()).objectSize());
            }
        } finally {
            one.shutdown();
        }
    }

    @Test
    void connectionWithTooFewStreams_takesAllRequestsInTheEnd() throws Exception {
        RangeServer.Hold hold = server.holdBodies();
        Narrow narrow = new Narrow();
        try (HttpStore store = HttpStore.builder(server.uri())
                .client(narrow)
                .retries(RetryPolicy.none())
                .build()) {
            List<CompletableFuture<Fetched>> all = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                all.add(store.fetch("k", slice(i, 1000), Optional.empty(), StoreListener.NONE));
            }
            hold.awaitReached();
            while (narrow.refused.get() == 0) {
                Thread.onSpinWait();
            }
            hold.release();
            for (CompletableFuture<Fetched> one : all) {
                assertEquals(1000, ((Fetched.Found) one.get()).bytes().size());
            }
        }
    }

    /** Another user of the client has every stream for a while. */
    @Test
    void connectionFullOfOthersRequests_isWaitedFor() throws Exception {
        Narrow narrow = new Narrow();
        narrow.streams = 0;
        try (HttpStore store = HttpStore.builder(server.uri())
                .client(narrow)
                .retries(RetryPolicy.none())
                .maxConcurrentRequests(1)
                .build()) {
            CompletableFuture<Fetched> one = store.fetch("k", slice(0, 1000), Optional.empty(), StoreListener.NONE);
            while (narrow.refused.get() < 3) {
                Thread.onSpinWait();
            }
            narrow.streams = 1;
            assertEquals(1000, ((Fetched.Found) one.get()).bytes().size());
        }
    }

    @Test
    void connectionThatStaysFull_endsWithTheDeadline() throws Exception {
        Narrow narrow = new Narrow();
        narrow.streams = 0;
        try (HttpStore store = HttpStore.builder(server.uri())
                .client(narrow)
                .retries(RetryPolicy.none())
                .deadline(Duration.ofSeconds(2))
                .maxConcurrentRequests(1)
                .build()) {
            Throwable failure;
            do { // on a busy machine the deadline may come before the first refusal
                CompletableFuture<Fetched> one = store.fetch("k", slice(0, 1000), Optional.empty(), StoreListener.NONE);
                failure = assertThrows(ExecutionException.class, one::get).getCause();
                assertInstanceOf(StoreException.class, failure);
            } while (!failure.getMessage().contains("too many concurrent streams"));
            assertTrue(narrow.refused.get() > 0);
        }
    }
}
