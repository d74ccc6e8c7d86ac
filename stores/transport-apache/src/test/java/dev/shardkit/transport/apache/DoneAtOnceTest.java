package dev.shardkit.transport.apache;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpServer;
import dev.shardkit.transport.Head;
import dev.shardkit.transport.Request;
import dev.shardkit.transport.Transport;
import dev.shardkit.transport.TransportSettings;
import dev.shardkit.transport.TransportSettings.Protocol;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The thread of an exchange's end. */
@Timeout(120)
class DoneAtOnceTest {
    private static final String IO = "shardkit-http-io";

    private final Transport transport =
            new ApacheTransportProvider().open(TransportSettings.of(Protocol.HTTP_1_1, Duration.ofSeconds(60)));
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 5);
            exchange.getResponseBody().write("hello".getBytes());
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        transport.close();
        server.stop(0);
    }

    /** Notes the thread that ends it, after some exchanges more that begin inside the end of the one before. */
    private class Noting implements Transport.Receiver {
        private final boolean mayWait;
        private final AtomicInteger left;
        private final CompletableFuture<String> thread;

        Noting(boolean mayWait, int left) {
            this(mayWait, new AtomicInteger(left), new CompletableFuture<>());
        }

        private Noting(boolean mayWait, AtomicInteger left, CompletableFuture<String> thread) {
            this.mayWait = mayWait;
            this.left = left;
            this.thread = thread;
        }

        @Override
        public Request request() {
            return Request.get(
                    URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/"), Map.of());
        }

        @Override
        public boolean requestMayWait() {
            return false;
        }

        @Override
        public Transport.BodyReceiver head(Head head) {
            return bytes -> Transport.Wish.MORE;
        }

        @Override
        public boolean doneMayWait() {
            return mayWait;
        }

        @Override
        public void done() {
            if (left.getAndDecrement() > 0) {
                transport.send(new Noting(mayWait, left, thread));
            } else {
                thread.complete(Thread.currentThread().getName());
            }
        }

        @Override
        public void failed(Throwable failure) {
            thread.completeExceptionally(failure);
        }

        boolean isIo() throws Exception {
            return thread.get(60, TimeUnit.SECONDS).startsWith(IO);
        }
    }

    @Test
    void receiverThatNeverWaits_endsOnTheIoThread_andBeginsTheNextThere() throws Exception {
        Noting chain = new Noting(false, 500);
        transport.send(chain);
        assertEquals(true, chain.isIo());
    }

    @Test
    void otherReceivers_endOnAnotherThread() throws Exception {
        Noting chain = new Noting(true, 20);
        transport.send(chain);
        assertEquals(false, chain.isIo());
    }

    @Test
    void receiverThatFailsToSay_isDoneOnAnotherThread() throws Exception {
        Noting failing = new Noting(false, 0) {
            @Override
            public boolean doneMayWait() {
                throw new AssertionError("not known");
            }
        };
        transport.send(failing);
        assertEquals(false, failing.isIo());
    }
}
