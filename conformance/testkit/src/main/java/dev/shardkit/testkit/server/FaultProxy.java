package dev.shardkit.testkit.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * Stands before an HTTP server, such as that of a cloud, and breaks exchanges. It passes requests on byte for byte, so
 * signatures stay valid. Each exchange has connections of its own. Thread-safe.
 */
public final class FaultProxy implements AutoCloseable {
    /** What happens to an exchange. */
    public enum Fault {
        /** Nothing. */
        NONE,
        /** The connection is reset; the server does not see the request. */
        BROKEN_BEFORE,
        /** The server acts, and the connection is reset instead of its answer. */
        LOST_ANSWER,
        /** The answer ends in its middle. */
        CUT_ANSWER,
        /** HTTP 503 SlowDown; the server does not see the request. */
        SLOW_DOWN,
        /** HTTP 500; the server does not see the request. */
        ERROR_BEFORE,
        /** HTTP 500; the server acts. */
        ERROR_AFTER,
        /** HTTP 429 with a Retry-After; the server does not see the request. */
        TOO_MANY,
        /** The answer is late. */
        DELAY
    }

    /**
     * The first line of a request: {@code PUT /bucket/key HTTP/1.1}.
     *
     * @param method such as {@code PUT}
     * @param target such as {@code /bucket/key}
     */
    public record Request(String method, String target) {}

    private final URI server;
    private final ServerSocket socket;
    private final Function<Request, Fault> faults;
    /** The connections that are open, to clients and to the server. */
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    private final AtomicInteger exchanges = new AtomicInteger();

    /**
     * Starts a proxy on a free port.
     *
     * @param server the server, which speaks HTTP without TLS
     * @param faults chooses what happens to a request; called on several threads
     */
    public FaultProxy(URI server, Function<Request, Fault> faults) {
        this.server = server;
        this.faults = faults;
        try {
            socket = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "fault-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns the URL that stands for the server's. */
    public URI uri() {
        return URI.create("http://127.0.0.1:" + socket.getLocalPort() + server.getPath());
    }

    /** Returns how many exchanges have begun. */
    public int exchanges() {
        return exchanges.get();
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                open.add(client);
                start(() -> serve(client));
            } catch (IOException e) {
                return;
            }
        }
    }

    /** Passes one exchange on, with the fault that {@link #faults} chooses for it. */
    private void serve(Socket client) {
        try (client) {
            InputStream in = client.getInputStream();
            byte[] head = head(in);
            if (head.length == 0) {
                return;
            }
            String text = new String(head, StandardCharsets.ISO_8859_1);
            String[] line = text.substring(0, text.indexOf('\r')).split(" ");
            Fault fault = faults.apply(new Request(line[0], line[1]));
            exchanges.incrementAndGet();
            byte[] body = in.readNBytes(length(text));
            answer(client, fault, head, body);
        } catch (IOException e) {
            return; // the client has gone
        } finally {
            open.remove(client);
        }
    }

    /** Sends the answer, with the fault, and passes the request on to the server unless the fault comes before. */
    private void answer(Socket client, Fault fault, byte[] head, byte[] body) throws IOException {
        switch (fault) {
            case BROKEN_BEFORE -> client.setSoLinger(true, 0); // so closing the socket resets the connection
            case SLOW_DOWN -> send(client, error("503 Slow Down", "SlowDown", ""));
            case TOO_MANY -> send(client, error("429 Too Many Requests", "TooManyRequests", "Retry-After: 0\r\n"));
            case ERROR_BEFORE -> send(client, error("500 Internal Server Error", "InternalError", ""));
            case LOST_ANSWER -> {
                forward(head, body);
                client.setSoLinger(true, 0);
            }
            case ERROR_AFTER -> {
                forward(head, body);
                send(client, error("500 Internal Server Error", "InternalError", ""));
            }
            case CUT_ANSWER -> {
                byte[] answer = forward(head, body);
                send(client, Arrays.copyOf(answer, answer.length / 2));
            }
            case DELAY -> {
                byte[] answer = forward(head, body);
                LockSupport.parkNanos(20_000_000); // 20 ms
                send(client, answer);
            }
            default -> send(client, forward(head, body));
        }
    }

    private static void send(Socket client, byte[] answer) throws IOException {
        OutputStream out = client.getOutputStream();
        out.write(answer);
        out.flush();
    }

    private static byte[] error(String status, String code, String header) {
        String body = "<Error><Code>" + code + "</Code><RequestId>proxy</RequestId></Error>";
        String answer = "HTTP/1.1 " + status + "\r\n" + header + "Connection: close\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body;
        return answer.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Sends a request to the server; returns the whole answer. */
    private byte[] forward(byte[] head, byte[] body) throws IOException {
        try (Socket there = new Socket(server.getHost(), server.getPort())) {
            open.add(there);
            OutputStream out = there.getOutputStream();
            // a further field instead of the empty line: the server closes the connection, which ends its answer
            out.write(head, 0, head.length - 2);
            out.write("Connection: close\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            out.write(body);
            out.flush();
            byte[] answer = there.getInputStream().readAllBytes();
            open.remove(there);
            return answer;
        }
    }

    /** Reads the head of a request with its empty line; empty if the connection ends before. */
    private static byte[] head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int last = 0;
        for (int b = in.read(); b >= 0; b = in.read()) {
            head.write(b);
            last = last << 8 | b;
            if (last == 0x0d0a0d0a) { // CR LF CR LF: the empty line ends the head
                return head.toByteArray();
            }
        }
        return new byte[0];
    }

    /** Returns the length of the body by the head; 0 if the head has no Content-Length. */
    private static int length(String head) {
        return head.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-length:"))
                .mapToInt(line ->
                        Integer.parseInt(line.substring(line.indexOf(':') + 1).strip()))
                .findFirst()
                .orElse(0);
    }

    /** Closes all connections; the server goes on. */
    @Override
    public void close() throws IOException {
        socket.close();
        for (Socket one : open) {
            one.close();
        }
    }
}
