package dev.shardkit.store.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.StoreListener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bytes that flow slowly are waited for, and so are those that wait for their turn behind them. */
@Timeout(120)
class SlowLinkTest {
    private static final int PIECES = 30;
    private static final int PIECE = 4 << 10;
    private static final Duration DEADLINE = Duration.ofSeconds(2);

    private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(2);

    /** Sends a piece every 100 ms: the body takes longer than the deadline. */
    private void drip(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, (long) PIECES * PIECE);
        AtomicInteger sent = new AtomicInteger();
        CompletableFuture<String> end = new CompletableFuture<>();
        var pieces = clock.scheduleAtFixedRate(
                () -> {
                    try {
                        exchange.getResponseBody().write(new byte[PIECE]);
                        exchange.getResponseBody().flush();
                        if (sent.incrementAndGet() == PIECES) {
                            end.complete("");
                        }
                    } catch (IOException e) {
                        end.complete("");
                    }
                },
                0,
                100,
                TimeUnit.MILLISECONDS);
        end.join();
        pieces.cancel(false);
        exchange.close();
    }

    private static void whole(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, (long) PIECES * PIECE);
        exchange.getResponseBody().write(new byte[PIECES * PIECE]);
        exchange.close();
    }

    @Test
    void bodyThatFlowsForLongerThanTheDeadline_comes_andTheNextOneToo() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 8);
        server.createContext("/a", this::drip);
        server.createContext("/b", SlowLinkTest::whole);
        server.start();
        URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        try (HttpStore store = HttpStore.builder(uri)
                .deadline(DEADLINE)
                .maxConcurrentRequests(1)
                .retries(RetryPolicy.none())
                .build()) {
            var first = store.fetch("a", ByteRange.whole(), Optional.empty(), StoreListener.NONE);
            var second = store.fetch("b", ByteRange.whole(), Optional.empty(), StoreListener.NONE);
            assertEquals(PIECES * PIECE, ((FetchResult.Found) first.get()).objectSize());
            assertEquals(PIECES * PIECE, ((FetchResult.Found) second.get()).objectSize());
        } finally {
            server.stop(0);
            clock.shutdownNow();
        }
    }
}
