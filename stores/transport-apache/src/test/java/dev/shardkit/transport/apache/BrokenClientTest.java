package dev.shardkit.transport.apache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.sun.net.httpserver.HttpServer;
import dev.shardkit.transport.Head;
import dev.shardkit.transport.Request;
import dev.shardkit.transport.Transport;
import dev.shardkit.transport.TransportSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.KeyManagementException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An I/O thread that ends by an error, as if memory ran out: its exchanges fail, and later ones succeed. */
@Timeout(300)
class BrokenClientTest {
    private static final class Answer implements Transport.Receiver {
        private final Request request;
        private final CompletableFuture<Integer> end = new CompletableFuture<>();
        private volatile int status;

        Answer(URI uri) {
            this.request = Request.get(uri, Map.of());
        }

        @Override
        public Request request() {
            return request;
        }

        @Override
        public Transport.BodyReceiver head(Head head) {
            status = head.status();
            return bytes -> Transport.Wish.MORE;
        }

        @Override
        public void done() {
            end.complete(status);
        }

        @Override
        public void failed(Throwable failure) {
            end.completeExceptionally(failure);
        }

        Throwable failure() {
            return end.handle((status, thrown) -> thrown).join();
        }
    }

    /** Fails on the I/O thread, whenever a connection needs TLS. */
    private static final class NoMemory extends SSLContextSpi {
        @Override
        protected void engineInit(KeyManager[] keys, TrustManager[] trusted, SecureRandom random)
                throws KeyManagementException {}

        @Override
        protected SSLSocketFactory engineGetSocketFactory() {
            throw new OutOfMemoryError("made up");
        }

        @Override
        protected SSLServerSocketFactory engineGetServerSocketFactory() {
            throw new OutOfMemoryError("made up");
        }

        @Override
        protected SSLEngine engineCreateSSLEngine() {
            throw new OutOfMemoryError("made up");
        }

        @Override
        protected SSLEngine engineCreateSSLEngine(String host, int port) {
            throw new OutOfMemoryError("made up");
        }

        @Override
        protected SSLSessionContext engineGetServerSessionContext() {
            throw new OutOfMemoryError("made up");
        }

        @Override
        protected SSLSessionContext engineGetClientSessionContext() {
            throw new OutOfMemoryError("made up");
        }
    }

    private static final class Context extends SSLContext {
        Context() throws NoSuchAlgorithmException {
            super(new NoMemory(), SSLContext.getDefault().getProvider(), "none");
        }
    }

    @Test
    void exchangesFail_andTheNextOneHasANewClient() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        CountDownLatch waiting = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        server.createContext("/never", exchange -> {
            waiting.countDown();
            try {
                over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.close();
        });
        server.createContext("/now", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        String place = "127.0.0.1:" + server.getAddress().getPort();
        TransportSettings settings = new TransportSettings(
                TransportSettings.Protocol.HTTP_1_1,
                Duration.ofSeconds(60),
                Optional.empty(),
                Optional.of(new Context()));
        try (Transport transport = new ApacheTransportProvider().open(settings)) {
            Answer never = new Answer(URI.create("http://" + place + "/never"));
            transport.send(never);
            waiting.await(60, TimeUnit.SECONDS);
            Answer broken = new Answer(URI.create("https://" + place + "/now"));
            transport.send(broken);
            assertInstanceOf(IOException.class, broken.failure());
            assertInstanceOf(IOException.class, never.failure());
            Answer now = new Answer(URI.create("http://" + place + "/now"));
            transport.send(now);
            assertEquals(204, now.end.get(60, TimeUnit.SECONDS));
        } finally {
            over.countDown();
            server.stop(0);
            threads.shutdownNow();
        }
    }
}
