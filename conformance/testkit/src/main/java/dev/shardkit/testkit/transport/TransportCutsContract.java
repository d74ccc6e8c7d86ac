package dev.shardkit.testkit.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.fail;

import dev.shardkit.testkit.server.CutServer;
import dev.shardkit.transport.Payload;
import dev.shardkit.transport.Request;
import dev.shardkit.transport.Transport;
import dev.shardkit.transport.TransportProvider;
import dev.shardkit.transport.TransportSettings;
import dev.shardkit.transport.TransportSettings.Protocol;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of {@link Transport}s as tests: a response that ends before its last byte fails. For each byte of a
 * response, a server closes or resets the connection after this byte. The one exception is a body that ends with the
 * connection: no client can tell that it is short. To test a transport, extend this class.
 */
@Timeout(300)
public abstract class TransportCutsContract {
    private static final TransportSettings SETTINGS = TransportSettings.of(Protocol.HTTP_1_1, Duration.ofSeconds(60));

    /** For subclasses. */
    protected TransportCutsContract() {}

    /** Returns the client under test. */
    protected abstract TransportProvider provider();

    /** Responses of all kinds, to requests with various methods. */
    private enum Answer {
        LENGTH("GET", "hello", "HTTP/1.1 200 OK\r\nETag: \"x\"\r\nServer: x\r\nContent-Length: 5\r\n\r\nhello"),
        RANGE(
                "GET",
                "ell",
                "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 1-3/5\r\nContent-Length: 3\r\n\r\nell"),
        EMPTY("GET", "", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nETag: \"x\"\r\n\r\n"),
        CHUNKS(
                "GET",
                "hello, world",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0005\r\nhello\r\n007;a=b\r\n, world\r\n0\r\n\r\n"),
        TRAILERS(
                "GET",
                "hello",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX-Sum: 1\r\nX-End: 2\r\n\r\n"),
        NOT_FOUND("GET", "gone", "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\ngone"),
        NOT_MODIFIED("GET", "", "HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n"),
        HINTS(
                "GET",
                "hello",
                "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"),
        FOLDED("GET", "hello", "HTTP/1.1 200 OK\r\nX-Long: a\r\n b\r\nContent-Length: 5\r\n\r\nhello"),
        HEAD("HEAD", "", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: \"x\"\r\n\r\n"),
        STORED("PUT", "", "HTTP/1.1 200 OK\r\nETag: \"x\"\r\nContent-Length: 0\r\n\r\n"),
        CONTINUED(
                "PUT",
                "",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nETag: \"x\"\r\nContent-Length: 0\r\n\r\n"),
        REFUSED("PUT", "no", "HTTP/1.1 412 Precondition Failed\r\nContent-Length: 2\r\n\r\nno"),
        LISTED(
                "POST",
                "<a><b/></a>",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n<a><b/></a>\r\n0\r\n\r\n"),
        DELETED("DELETE", "", "HTTP/1.1 204 No Content\r\nx-amz-request-id: 1\r\n\r\n"),
        /** The body ends with the connection. */
        CLOSED("GET", "hello", "HTTP/1.1 200 OK\r\nConnection: close\r\nETag: \"x\"\r\n\r\nhello"),
        OLD("GET", "hello", "HTTP/1.0 200 OK\r\nServer: old\r\n\r\nhello");

        private final String method;
        private final String body;
        /** The whole response, head and body. */
        private final String bytes;

        Answer(String method, String body, String bytes) {
            this.method = method;
            this.body = body;
            this.bytes = bytes;
        }

        /** Returns the first length at which a client may take the answer as complete. */
        int complete(CutServer.End end) {
            if (this == TRAILERS) { // the last chunk ends the body, and clients may ignore trailers
                return bytes.indexOf("\r\n0\r\n") + 5;
            }
            boolean endsWithConnection = (this == CLOSED || this == OLD) && end == CutServer.End.CLOSE;
            return endsWithConnection ? bytes.length() - body.length() : bytes.length();
        }

        Request request(CutServer server) {
            Payload payload = method.equals("PUT") || method.equals("POST")
                    ? Payload.of(List.of(ByteBuffer.wrap(new byte[] {1, 2, 3})))
                    : Payload.NONE;
            return new Request(method, server.uri().resolve("/" + name()), Map.of(), payload);
        }
    }

    @Test
    void answerThatEndsEarly_fails() throws Exception {
        for (Answer answer : Answer.values()) {
            assertCutsFail(answer, CutServer.End.CLOSE);
        }
    }

    @Test
    void answerThatIsReset_fails() throws Exception {
        for (Answer answer : Answer.values()) {
            assertCutsFail(answer, CutServer.End.RESET);
        }
    }

    /** Checks that a response fails after each incomplete length, and succeeds whole before and after that. */
    private void assertCutsFail(Answer answer, CutServer.End end) throws Exception {
        byte[] bytes = answer.bytes.getBytes(StandardCharsets.ISO_8859_1);
        int whole = answer.complete(end);
        try (CutServer server = CutServer.answering(request -> bytes);
                Transport transport = provider().open(SETTINGS)) {
            server.cut(CutServer.Cut.NONE);
            expectWhole(answer, transport, server);
            for (int length = 0; length < whole; length++) {
                server.cut(new CutServer.Cut(length, end));
                String where = answer + " that ends after " + quoted(answer.bytes.substring(0, length));
                TransportExchange cut = TransportExchange.to(transport, answer.request(server));
                try {
                    fail(where + ": expected a failure, found status " + statusAfter(cut) + " and a complete body");
                } catch (ExecutionException e) {
                    assertInstanceOf(IOException.class, e.getCause(), where);
                }
            }
            server.cut(CutServer.Cut.NONE);
            expectWhole(answer, transport, server);
        }
    }

    private static int statusAfter(TransportExchange answer) throws Exception {
        answer.get();
        return answer.status();
    }

    private static void expectWhole(Answer answer, Transport transport, CutServer server) throws Exception {
        TransportExchange whole = TransportExchange.to(transport, answer.request(server));
        assertArrayEquals(answer.body.getBytes(StandardCharsets.ISO_8859_1), whole.get(), answer.name());
        String last = answer.bytes.substring(answer.bytes.lastIndexOf("HTTP/1."));
        String status = last.substring(9, 12); // after "HTTP/1.1 "
        assertEquals(Integer.parseInt(status), whole.status(), answer.name());
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\r", "\\r").replace("\n", "\\n") + "\"";
    }
}
