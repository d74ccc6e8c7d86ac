package dev.shardkit.transport.apache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.shardkit.transport.Head;
import dev.shardkit.transport.Request;
import dev.shardkit.transport.Transport;
import dev.shardkit.transport.TransportSettings;
import dev.shardkit.transport.TransportSettings.Protocol;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A server may close a kept connection at any moment (RFC 9112, section 9.5). A request that was not sent before is
 * sent on another connection.
 */
@Timeout(300)
class KeptConnectionTest {
    /** One more than the I/O threads, so two connections have the same thread. */
    private static final int CONNECTIONS = 3;

    private final Transport transport =
            new ApacheTransportProvider().open(TransportSettings.of(Protocol.HTTP_1_1, Duration.ofSeconds(60)));
    private final Server server = new Server();

    @AfterEach
    void stop() throws IOException {
        transport.close();
        server.socket.close();
    }

    /** One connection, as the server sees it. */
    private record Accepted(Socket socket, String path) {
        void send(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
        }
    }

    /** Notes the requests, and which connections they came on. The test sends the responses. */
    private static final class Server {
        private final LinkedBlockingQueue<Accepted> requests = new LinkedBlockingQueue<>();
        private final ServerSocket socket;

        Server() {
            try {
                socket = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            start(() -> {
                while (true) {
                    Socket client = socket.accept();
                    start(() -> read(client));
                }
            });
        }

        private interface Work {
            void run() throws IOException;
        }

        private static void start(Work work) {
            Thread thread = new Thread(
                    () -> {
                        try {
                            work.run();
                        } catch (IOException e) {
                            // closed
                        }
                    },
                    "kept-connection-server");
            thread.setDaemon(true);
            thread.start();
        }

        private void read(Socket client) throws IOException {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.startsWith("GET ")) {
                    requests.add(new Accepted(client, line.split(" ")[1]));
                }
            }
        }

        Accepted next() throws InterruptedException {
            Accepted next = requests.poll(60, TimeUnit.SECONDS);
            if (next == null) {
                throw new AssertionError("no request came");
            }
            return next;
        }
    }

    /** An exchange that notes its threads. A body that ends with "block" blocks the I/O thread until the gate opens. */
    private final class Noting extends CompletableFuture<String> implements Transport.Receiver {
        private final String path;
        private final CompletableFuture<Thread> responding = new CompletableFuture<>();
        private final CountDownLatch blocked = new CountDownLatch(1);
        private final CountDownLatch gate;
        private final StringBuilder body = new StringBuilder();
        private volatile @Nullable Thread requesting;

        Noting(String path, CountDownLatch gate) {
            this.path = path;
            this.gate = gate;
        }

        Noting send() {
            transport.send(this);
            return this;
        }

        @Override
        public Request request() {
            requesting = Thread.currentThread();
            return Request.get(URI.create("http://127.0.0.1:" + server.socket.getLocalPort() + path), Map.of());
        }

        @Override
        public boolean requestMayWait() {
            return false;
        }

        @Override
        public Transport.BodyReceiver head(Head head) {
            responding.complete(Thread.currentThread());
            return this::take;
        }

        private Transport.Wish take(ByteBuffer bytes) {
            while (bytes.hasRemaining()) {
                body.append((char) bytes.get());
            }
            if (body.toString().endsWith("block")) {
                blocked.countDown();
                await(gate);
            }
            return Transport.Wish.MORE;
        }

        @Override
        public void done() {
            complete(body.toString());
        }

        @Override
        public void failed(Throwable failure) {
            completeExceptionally(failure);
        }

        String result() throws Exception {
            return get(60, TimeUnit.SECONDS);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(60, TimeUnit.SECONDS)) {
                throw new AssertionError("the latch stayed closed");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void requestThatWasNotSent_isSentOnAnotherConnection() throws Exception {
        while (!isSentAgain()) {
            // the end of the connection arrived late
        }
    }

    /**
     * Blocks the I/O thread of an idle connection, lets the server close the connection, and sends a request: the
     * transport learns of the end only after it has chosen this connection. Returns false if the end arrived after the
     * request was sent, which then has to fail.
     */
    private boolean isSentAgain() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        Map<String, Noting> exchanges = new HashMap<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            exchanges.put("/" + i, new Noting("/" + i, gate).send());
        }
        Map<Thread, List<Accepted>> byThread = new HashMap<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            Accepted accepted = server.next();
            accepted.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
            Thread io = exchanges.get(accepted.path()).responding.get(60, TimeUnit.SECONDS);
            byThread.computeIfAbsent(io, thread -> new ArrayList<>()).add(accepted);
        }
        List<Accepted> pair = byThread.values().stream()
                .filter(all -> all.size() > 1)
                .findFirst()
                .orElseThrow();
        Accepted idle = pair.get(0);
        Accepted busy = pair.get(1);

        idle.send("idle!");
        assertEquals("idle!", exchanges.get(idle.path()).result());
        busy.send("block");
        await(exchanges.get(busy.path()).blocked);
        idle.socket().shutdownOutput();
        Noting next = new Noting("/next", gate).send();
        assertSame(Thread.currentThread(), next.requesting, "the request has its connection");
        gate.countDown();

        Accepted accepted = server.next();
        boolean isOther = accepted.socket() != idle.socket();
        if (isOther) {
            accepted.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext");
            assertEquals("next", next.result());
        } else {
            assertInstanceOf(IOException.class, failure(next));
        }
        assertEquals("block", exchanges.get(busy.path()).result());
        for (Accepted other : byThread.values().stream().flatMap(List::stream).toList()) {
            other.socket().close();
        }
        accepted.socket().close();
        return isOther;
    }

    private static Throwable failure(Noting exchange) throws Exception {
        try {
            throw new AssertionError("expected a failure, found " + exchange.result());
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }
}
