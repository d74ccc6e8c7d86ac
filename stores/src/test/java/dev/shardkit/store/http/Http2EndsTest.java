package dev.shardkit.store.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.StoreListener;
import dev.shardkit.testkit.internal.Rounds;
import dev.shardkit.testkit.server.TestCertificate;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A server of HTTP/2 ends a stream or its connection in the middle of a body. Stores at {@code https:} locations are
 * the only ones that talk HTTP/2. The request is retried; a body without END_STREAM is never an object.
 */
@Timeout(600)
class Http2EndsTest {
    private static final SSLContext TLS = TestCertificate.context();
    private static final byte[] OBJECT = new byte[3_000];

    static {
        new Random(7).nextBytes(OBJECT);
    }

    private static HttpStore store(URI base) {
        return HttpStore.builder(base)
                .tls(TLS)
                .retries(new RetryPolicy(3, Duration.ofMillis(1), Duration.ofMillis(2)))
                .build();
    }

    /** How an answer ends early. */
    private enum End {
        RESET_WITHOUT_ERROR,
        RESET_WITH_ERROR,
        RESET_AS_CANCELLED,
        RESET_AS_REFUSED,
        GOAWAY,
        GOAWAY_OF_EARLIER_STREAMS,
        CLOSE,
        CLOSE_IN_FRAME
    }

    /** A server on frames. Each answer is the object; those that {@code isCut} accepts by number end early. */
    private static final class Frames implements AutoCloseable {
        private static final int DATA = 0;
        private static final int HEADERS = 1;
        private static final int RST_STREAM = 3;
        private static final int SETTINGS = 4;
        private static final int PING = 6;
        private static final int GOAWAY = 7;
        private static final int ACK = 1;
        private static final int END_STREAM = 1;
        private static final int END_HEADERS = 4;
        private static final int PREFACE = 24;

        private final SSLServerSocket socket;
        private final End end;
        private final boolean sized;
        private final int pieces;
        private final IntPredicate isCut;
        private final AtomicInteger requests = new AtomicInteger();

        /**
         * @param sized whether answers have a Content-Length
         * @param pieces how many thirds of the body come before the early end
         */
        Frames(End end, boolean sized, int pieces, IntPredicate isCut) throws IOException {
            this.end = end;
            this.sized = sized;
            this.pieces = pieces;
            this.isCut = isCut;
            socket = (SSLServerSocket)
                    TLS.getServerSocketFactory().createServerSocket(0, 10, InetAddress.getLoopbackAddress());
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"h2"});
            socket.setSSLParameters(parameters);
            start(this::accept);
        }

        URI uri() {
            return URI.create("https://localhost:" + socket.getLocalPort() + "/");
        }

        private static void start(Runnable work) {
            Thread thread = new Thread(work, "frames");
            thread.setDaemon(true);
            thread.start();
        }

        private void accept() {
            try {
                while (true) {
                    SSLSocket client = (SSLSocket) socket.accept();
                    start(() -> serve(client));
                }
            } catch (IOException e) {
                // closed
            }
        }

        private void serve(SSLSocket client) {
            try (client) {
                DataInputStream in = new DataInputStream(client.getInputStream());
                OutputStream out = client.getOutputStream();
                in.readFully(new byte[PREFACE]);
                frame(out, SETTINGS, 0, 0, new byte[0]);
                boolean open = true;
                while (open) {
                    int first = in.readInt();
                    int type = first & 0xff;
                    int flags = in.readUnsignedByte();
                    int stream = in.readInt();
                    byte[] payload = new byte[first >>> 8];
                    in.readFully(payload);
                    if ((type == SETTINGS || type == PING) && (flags & ACK) == 0) {
                        frame(out, type, ACK, 0, type == PING ? payload : new byte[0]);
                    } else if (type == HEADERS) {
                        open = answer(out, stream, isCut.test(requests.getAndIncrement()));
                    }
                }
            } catch (IOException e) {
                // the client has gone
            }
        }

        /** Returns whether the connection stays open. */
        private boolean answer(OutputStream out, int stream, boolean cut) throws IOException {
            ByteArrayOutputStream head = new ByteArrayOutputStream();
            head.write(0x88); // :status 200
            literal(head, 34, "\"x\""); // etag
            if (sized) {
                literal(head, 28, Integer.toString(OBJECT.length)); // content-length
            }
            frame(out, HEADERS, END_HEADERS, stream, head.toByteArray());
            int third = OBJECT.length / 3;
            for (int i = 0; i < (cut ? pieces : 3); i++) {
                byte[] piece = new byte[third];
                System.arraycopy(OBJECT, i * third, piece, 0, third);
                frame(out, DATA, i == 2 ? END_STREAM : 0, stream, piece);
            }
            return !cut || end(out, stream);
        }

        private boolean end(OutputStream out, int stream) throws IOException {
            switch (end) {
                case RESET_WITHOUT_ERROR -> frame(out, RST_STREAM, 0, stream, numbers(0));
                case RESET_WITH_ERROR -> frame(out, RST_STREAM, 0, stream, numbers(2));
                case RESET_AS_REFUSED -> frame(out, RST_STREAM, 0, stream, numbers(7));
                case RESET_AS_CANCELLED -> frame(out, RST_STREAM, 0, stream, numbers(8));
                case GOAWAY -> frame(out, GOAWAY, 0, 0, numbers(stream, 0));
                case GOAWAY_OF_EARLIER_STREAMS -> frame(out, GOAWAY, 0, 0, numbers(stream - 2, 0));
                case CLOSE_IN_FRAME -> out.write(new byte[] {0, 4, 0, DATA, 0, 0, 0, 0, (byte) stream, 1, 2, 3});
                default -> {}
            }
            out.flush();
            return end.name().startsWith("RESET");
        }

        private static byte[] numbers(int... numbers) {
            ByteBuffer bytes = ByteBuffer.allocate(4 * numbers.length);
            for (int number : numbers) {
                bytes.putInt(Math.max(0, number));
            }
            return bytes.array();
        }

        /** Adds a header field that is not indexed, with a name of the static table of HPACK. */
        private static void literal(ByteArrayOutputStream head, int name, String value) {
            head.write(0x0f);
            head.write(name - 15);
            head.write(value.length());
            head.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
        }

        private static void frame(OutputStream out, int type, int flags, int stream, byte[] payload)
                throws IOException {
            ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
            frame.putInt(payload.length << 8 | type)
                    .put((byte) flags)
                    .putInt(stream)
                    .put(payload);
            out.write(frame.array());
            out.flush();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static byte[] get(HttpStore store) throws Exception {
        FetchResult found = store.fetch("a", ByteRange.whole(10_000), Optional.empty(), StoreListener.NONE)
                .get(300, TimeUnit.SECONDS);
        return assertInstanceOf(FetchResult.Found.class, found).bytes().toArray();
    }

    @Test
    void bodyThatEndsEarly_isAskedForAgain() throws Exception {
        for (End end : End.values()) {
            // By default a third of the pairs: each end, and each number of pieces.
            for (int pieces = Rounds.areMany() ? 0 : end.ordinal() % 3; pieces < 3; pieces += Rounds.stride(3)) {
                boolean sized = (end.ordinal() + pieces) % 2 == 0;
                String where = end + " after " + pieces + ", sized " + sized;
                try (Frames server = new Frames(end, sized, pieces, number -> number == 0);
                        HttpStore store = store(server.uri())) {
                    assertArrayEquals(OBJECT, get(store), where);
                    assertEquals(2, server.requests.get(), where);
                }
            }
        }
    }

    @Test
    void bodiesThatAlwaysEndEarly_areAnError() throws Exception {
        for (End end : End.values()) {
            try (Frames server = new Frames(end, false, 2, number -> true);
                    HttpStore store = store(server.uri())) {
                ExecutionException e = assertThrows(ExecutionException.class, () -> get(store), end.name());
                assertInstanceOf(StoreException.class, e.getCause());
                assertTrue(server.requests.get() >= 3, end + ": " + server.requests);
            }
        }
    }

    @Test
    void wholeBodies_takeOneRequestEach() throws Exception {
        try (Frames server = new Frames(End.CLOSE, false, 0, number -> false);
                HttpStore store = store(server.uri())) {
            assertArrayEquals(OBJECT, get(store));
            assertArrayEquals(OBJECT, get(store));
            assertEquals(2, server.requests.get());
        }
    }
}
