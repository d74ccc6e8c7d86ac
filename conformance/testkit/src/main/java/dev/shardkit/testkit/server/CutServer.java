package dev.shardkit.testkit.server;

import java.io.BufferedInputStream;
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
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP server on raw sockets whose answers can end after any byte, head and body. It sends the bytes that a function
 * returns, up to the cut, and then closes or resets the connection. It listens on a free port of the loopback
 * interface. For tests, not for an open network. Thread-safe.
 *
 * <p>{@link #before} makes it a proxy: the answers are those of another server.
 */
public final class CutServer implements AutoCloseable {
    /** The maximum number of bytes of the head of a request. */
    private static final int MAX_HEAD = 1 << 16;

    /** How a connection ends after a cut. */
    public enum End {
        /** The connection is closed: the client reads the end of the stream. */
        CLOSE,
        /** The connection is reset: the client reads an error. */
        RESET
    }

    /**
     * Where an answer ends.
     *
     * @param length how many bytes of the answer are sent; an answer that has no more is whole
     * @param end how the connection ends if the answer is cut
     */
    public record Cut(long length, End end) {
        /** No cut: the connection stays open. */
        public static final Cut NONE = new Cut(Long.MAX_VALUE, End.CLOSE);
    }

    /**
     * A request.
     *
     * @param target the path, with the query
     * @param head the request line and the header fields, with the empty line
     * @param headers by lower-case name
     */
    public record Asked(String method, String target, byte[] head, Map<String, String> headers, byte[] body) {}

    /** Returns the bytes of an answer, head and body. */
    @FunctionalInterface
    public interface Answers {
        /** Returns the answer to a request. */
        byte[] to(Asked asked) throws IOException;
    }

    private final Answers answers;
    /** The path of {@link #uri}. */
    private final String path;

    private final ServerSocket socket;
    /** The connections that are open. */
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    private final AtomicInteger cutAnswers = new AtomicInteger();
    private volatile Function<Asked, Cut> cuts = asked -> Cut.NONE;

    private CutServer(Answers answers, String path) {
        this.answers = answers;
        this.path = path;
        try {
            socket = new ServerSocket(0, 256, InetAddress.getByName("127.0.0.1"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    /** Starts a server with these answers. */
    public static CutServer answering(Answers answers) {
        return new CutServer(answers, "");
    }

    /** Starts a proxy before a server. It passes requests on byte for byte, so signatures stay valid. */
    public static CutServer before(URI server) {
        return new CutServer(asked -> forward(server, asked), server.getPath());
    }

    private static byte[] forward(URI server, Asked asked) throws IOException {
        try (Socket there = new Socket(server.getHost(), server.getPort())) {
            OutputStream out = there.getOutputStream();
            // a further field instead of the empty line: the server closes the connection, which ends its answer
            out.write(asked.head(), 0, asked.head().length - 2);
            out.write("Connection: close\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            out.write(asked.body());
            out.flush();
            return there.getInputStream().readAllBytes();
        }
    }

    /** Returns the URL of its root; that of a proxy has the path of its server. */
    public URI uri() {
        return URI.create("http://127.0.0.1:" + socket.getLocalPort() + path);
    }

    /** Cuts all later answers at the same byte. */
    public CutServer cut(Cut cut) {
        return cuts(asked -> cut);
    }

    /** Cuts each later answer where a function says. Resets {@link #made}. */
    public CutServer cuts(Function<Asked, Cut> each) {
        cuts = each;
        cutAnswers.set(0);
        return this;
    }

    /** Returns how many answers were cut. */
    public int made() {
        return cutAnswers.get();
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "cut-server");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = socket.accept();
                client.setTcpNoDelay(true);
                open.add(client);
                start(() -> serve(client));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void serve(Socket client) {
        try (client) {
            InputStream in = new BufferedInputStream(client.getInputStream());
            boolean isConnected = true;
            for (Asked asked = read(in); isConnected && asked != null; asked = isConnected ? read(in) : null) {
                isConnected = answer(client, asked);
            }
        } catch (IOException e) {
            // the client has disconnected
        } finally {
            open.remove(client);
        }
    }

    /** Sends an answer or its beginning; returns whether the connection stays open. */
    private boolean answer(Socket client, Asked asked) throws IOException {
        Cut cut = cuts.apply(asked);
        byte[] answer = answers.to(asked);
        int length = (int) Math.min(answer.length, cut.length());
        boolean isCut = length < answer.length;
        if (isCut) {
            cutAnswers.incrementAndGet();
        }
        OutputStream out = client.getOutputStream();
        out.write(answer, 0, length);
        out.flush();
        if (isCut && cut.end() == End.RESET) {
            client.setSoLinger(true, 0); // so closing the socket resets the connection
        }
        return !isCut && staysOpen(answer);
    }

    /** Returns whether the last head in the answer keeps the connection; interim answers (1xx) may precede it. */
    private static boolean staysOpen(byte[] answer) {
        String text = new String(answer, StandardCharsets.ISO_8859_1);
        int last = Math.max(0, text.lastIndexOf("HTTP/1."));
        String head = text.substring(0, Math.max(last, text.indexOf("\r\n\r\n", last)))
                .toLowerCase(Locale.ROOT);
        return !head.contains("connection: close") && !text.startsWith("HTTP/1.0");
    }

    /** Reads a request; null at the end of the connection, or after too long a head. */
    private static @Nullable Asked read(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int last = 0;
        while (last != 0x0d0a0d0a) { // CR LF CR LF: the empty line ends the head
            int b = in.read();
            if (b < 0 || head.size() > MAX_HEAD) {
                return null;
            }
            head.write(b);
            last = last << 8 | b;
        }
        String[] lines = head.toString(StandardCharsets.ISO_8859_1).split("\r\n");
        Map<String, String> headers = new HashMap<>();
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            headers.put(
                    lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
                    lines[i].substring(colon + 1).strip());
        }
        String[] line = lines[0].split(" ");
        byte[] body = in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
        return new Asked(line[0], line[1], head.toByteArray(), headers, body);
    }

    @Override
    public void close() {
        try {
            socket.close();
            for (Socket one : open) {
                one.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
