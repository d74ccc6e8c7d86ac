package dev.shardkit.transport.apache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.testkit.internal.Rounds;
import dev.shardkit.testkit.server.TestCertificate;
import dev.shardkit.transport.Head;
import dev.shardkit.transport.Payload;
import dev.shardkit.transport.Request;
import dev.shardkit.transport.Transport;
import dev.shardkit.transport.TransportSettings;
import dev.shardkit.transport.TransportSettings.Protocol;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.Message;
import org.apache.hc.core5.http.URIScheme;
import org.apache.hc.core5.http.impl.bootstrap.HttpAsyncServer;
import org.apache.hc.core5.http.nio.AsyncRequestConsumer;
import org.apache.hc.core5.http.nio.AsyncServerRequestHandler;
import org.apache.hc.core5.http.nio.entity.BasicAsyncEntityConsumer;
import org.apache.hc.core5.http.nio.support.AsyncResponseBuilder;
import org.apache.hc.core5.http.nio.support.BasicRequestConsumer;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.http2.HttpVersionPolicy;
import org.apache.hc.core5.http2.config.H2Config;
import org.apache.hc.core5.http2.impl.nio.bootstrap.H2ServerBootstrap;
import org.apache.hc.core5.http2.ssl.H2ServerTlsStrategy;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.reactor.ListenerEndpoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** HTTP/2 over TLS, with a real server: many exchanges share a connection, and each ends by itself. */
@Timeout(300)
class Http2Test {
    private static final SSLContext TLS = TestCertificate.context();
    private static final byte[] LARGE = new byte[8 << 20];
    private static final int STREAMS = 5;

    private final Set<String> connections = ConcurrentHashMap.newKeySet();
    private final Set<String> versions = ConcurrentHashMap.newKeySet();
    private final HttpAsyncServer server = H2ServerBootstrap.bootstrap()
            .setTlsStrategy(new H2ServerTlsStrategy(TLS))
            .setVersionPolicy(HttpVersionPolicy.NEGOTIATE)
            .setH2Config(H2Config.custom().setMaxConcurrentStreams(STREAMS).build())
            .register("*", handler())
            .create();
    private final Transport transport = new ApacheTransportProvider()
            .open(new TransportSettings(Protocol.HTTP_2, Duration.ofSeconds(60), Optional.empty(), Optional.of(TLS)));
    private int port;

    /** Answers with the request's body, and with a large one to requests without. */
    private AsyncServerRequestHandler<Message<HttpRequest, byte[]>> handler() {
        return new AsyncServerRequestHandler<>() {
            @Override
            public AsyncRequestConsumer<Message<HttpRequest, byte[]>> prepare(
                    HttpRequest request, EntityDetails entity, HttpContext context) {
                return new BasicRequestConsumer<>(entity == null ? null : new BasicAsyncEntityConsumer());
            }

            @Override
            public void handle(Message<HttpRequest, byte[]> message, ResponseTrigger trigger, HttpContext context)
                    throws org.apache.hc.core5.http.HttpException, java.io.IOException {
                HttpCoreContext known = HttpCoreContext.cast(context);
                connections.add(known.getEndpointDetails().getRemoteAddress().toString());
                versions.add(String.valueOf(known.getProtocolVersion()));
                byte[] body = message.getBody() == null ? LARGE : message.getBody();
                trigger.submitResponse(
                        AsyncResponseBuilder.create(200)
                                .setEntity(body, ContentType.APPLICATION_OCTET_STREAM)
                                .build(),
                        context);
            }
        };
    }

    /** An answer, of which at most so many bytes are taken. */
    private static final class Answer extends CompletableFuture<byte[]> implements Transport.Receiver {
        private final Request request;
        private final long most;
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();

        Answer(Request request, long most) {
            this.request = request;
            this.most = most;
        }

        @Override
        public Request request() {
            return request;
        }

        @Override
        public Transport.BodyReceiver head(Head head) {
            assertEquals(200, head.status());
            return bytes -> {
                byte[] piece = new byte[bytes.remaining()];
                bytes.get(piece);
                body.writeBytes(piece);
                return body.size() >= most ? Transport.Wish.STOP : Transport.Wish.MORE;
            };
        }

        @Override
        public void done() {
            complete(body.toByteArray());
        }

        @Override
        public void failed(Throwable failure) {
            completeExceptionally(failure);
        }
    }

    @BeforeEach
    void start() throws Exception {
        server.start();
        ListenerEndpoint listening = server.listen(new InetSocketAddress("localhost", 0), URIScheme.HTTPS)
                .get();
        port = ((InetSocketAddress) listening.getAddress()).getPort();
    }

    @AfterEach
    void stop() {
        transport.close();
        server.close(CloseMode.IMMEDIATE);
    }

    private Answer send(String method, Payload payload, long most) {
        return send(port, method, payload, most);
    }

    private Answer send(int to, String method, Payload payload, long most) {
        URI uri = URI.create("https://localhost:" + to + "/a?b=c");
        Answer answer = new Answer(new Request(method, uri, Map.of("X-Own", "here"), payload), most);
        transport.send(answer);
        return answer;
    }

    private static byte[] get(Answer answer) throws Exception {
        return answer.get(120, TimeUnit.SECONDS);
    }

    @Test
    void more_thanTheServersStreams_shareAConnection() throws Exception {
        List<Answer> all = new ArrayList<>();
        Random random = new Random(1);
        for (int i = 0; i < 60; i++) {
            byte[] bytes = new byte[random.nextInt(300_000) + 1];
            random.nextBytes(bytes);
            all.add(send("PUT", Payload.of(List.of(ByteBuffer.wrap(bytes))), Long.MAX_VALUE));
        }
        for (Answer answer : all) {
            ByteBuffer sent = answer.request.payload().pieces().get(0);
            byte[] expected = new byte[sent.remaining()];
            sent.get(expected);
            assertArrayEquals(expected, get(answer));
        }
        assertEquals(Set.of("HTTP/2.0"), versions);
        assertEquals(1, connections.size(), connections::toString);
    }

    /**
     * The client remembers a cancelled stream for one second. On a busy machine, it may read late frames of that stream
     * only after this second. It then closes the connection with {@code STREAM_CLOSED}, and the other exchanges of the
     * connection fail with an {@code IOException}. Stores retry such requests, and so does this test.
     */
    @Test
    void exchangeThatStops_orIsCancelled_leavesTheOthers() throws Exception {
        List<Answer> whole = new ArrayList<>();
        int lost = 0;
        for (int i = 0; i < (Rounds.areMany() ? 10 : 3); i++) {
            whole.add(send("GET", Payload.NONE, Long.MAX_VALUE));
            lost += getOrAgain(send("GET", Payload.NONE, 100_000), 100_000);
            URI uri = URI.create("https://localhost:" + port + "/");
            transport
                    .send(new Answer(Request.get(uri, Map.of()), Long.MAX_VALUE))
                    .cancel();
        }
        for (Answer answer : whole) {
            lost += getOrAgain(answer, LARGE.length);
        }
        assertTrue(lost > 0 || connections.size() == 1, connections::toString);
    }

    /**
     * Waits for an answer of at least {@code least} bytes, and retries the request if a late frame has closed its
     * connection. Returns the number of retries.
     */
    private int getOrAgain(Answer answer, int least) throws Exception {
        Answer last = answer;
        for (int lost = 0; ; lost++) {
            try {
                assertTrue(get(last).length >= least);
                return lost;
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof IOException)
                        || !"Stream closed".equals(e.getCause().getMessage())) {
                    throw e;
                }
                last = send("GET", Payload.NONE, answer.most);
            }
        }
    }

    /** Passes bytes on between a client and the server; the connection ends after so many bytes of the server. */
    private final class Relay implements AutoCloseable {
        private final ServerSocket socket;
        private final long most;

        Relay(long most) throws IOException {
            this.most = most;
            this.socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
            start(this::accept);
        }

        private void start(Runnable work) {
            Thread thread = new Thread(work, "relay");
            thread.setDaemon(true);
            thread.start();
        }

        private void accept() {
            try {
                while (true) {
                    Socket client = socket.accept();
                    Socket there = new Socket("localhost", port);
                    start(() -> pass(client, there, Long.MAX_VALUE));
                    start(() -> pass(there, client, most));
                }
            } catch (IOException e) {
                // closed
            }
        }

        private void pass(Socket from, Socket to, long bytes) {
            try (from;
                    to) {
                byte[] piece = new byte[4096];
                long left = bytes;
                while (left > 0) {
                    int n = from.getInputStream().read(piece);
                    if (n < 0) {
                        return;
                    }
                    int sent = (int) Math.min(n, left);
                    to.getOutputStream().write(piece, 0, sent);
                    left -= sent;
                }
            } catch (IOException e) {
                // one of them has ended
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    /** TLS, frames and bodies end anywhere: a stream without its END_STREAM is no answer. */
    @Test
    void connectionThatEndsAnywhere_givesAWholeAnswer_orFails() throws Exception {
        byte[] bytes = new byte[20_000];
        new Random(3).nextBytes(bytes);
        int broken = 0;
        int whole = 0;
        for (long most = 1_000; whole == 0; most += 1_500) {
            try (Relay relay = new Relay(most)) {
                Answer answer = send(
                        relay.socket.getLocalPort(),
                        "PUT",
                        Payload.of(List.of(ByteBuffer.wrap(bytes))),
                        Long.MAX_VALUE);
                try {
                    assertArrayEquals(bytes, get(answer), "after " + most + " bytes");
                    whole++;
                } catch (ExecutionException e) {
                    assertInstanceOf(IOException.class, e.getCause());
                    broken++;
                }
            }
        }
        assertTrue(broken > 5, broken + " connections have ended early");
    }
}
