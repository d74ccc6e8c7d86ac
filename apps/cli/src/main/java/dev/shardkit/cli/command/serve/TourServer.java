package dev.shardkit.cli.command.serve;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Serves a folder on the loopback interface, supports single byte ranges, and counts requests. For the tour only.
 * Thread-safe.
 */
public final class TourServer implements AutoCloseable {
    private static final Pattern RANGE = Pattern.compile("bytes=([0-9]*)-([0-9]*)");
    private static final int THREADS = 4;

    private final Path root;
    private final HttpServer server;
    private final ExecutorService threads;
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();

    private TourServer(Path root, HttpServer server) {
        this.root = root;
        this.server = server;
        this.threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "tour-server");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Starts to serve {@code root} on a free port. */
    public static TourServer start(Path root) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        TourServer tour = new TourServer(root.toRealPath(), server);
        server.createContext("/", tour::handle);
        server.setExecutor(tour.threads);
        server.start();
        return tour;
    }

    /** Returns the URL of the folder. */
    public String url() {
        return "http://" + server.getAddress().getAddress().getHostAddress() + ":"
                + server.getAddress().getPort();
    }

    /** Returns the traffic so far. */
    public Traffic traffic() {
        return new Traffic(requests.get(), bytes.get());
    }

    /**
     * The traffic of the server.
     *
     * @param requests the number of requests
     * @param bytes the number of content bytes sent
     */
    public record Traffic(long requests, long bytes) {
        public Traffic minus(Traffic earlier) {
            return new Traffic(requests - earlier.requests, bytes - earlier.bytes);
        }
    }

    /** Answers a request for a file; only GET is allowed. */
    private void handle(HttpExchange exchange) throws IOException {
        requests.incrementAndGet();
        try (exchange) {
            Path file = root.resolve(exchange.getRequestURI().getPath().substring(1))
                    .normalize();
            boolean isGet = exchange.getRequestMethod().equals("GET");
            if (!isGet || !file.startsWith(root) || !Files.isRegularFile(file)) {
                exchange.sendResponseHeaders(isGet ? 404 : 405, -1);
                return;
            }
            try (FileChannel content = FileChannel.open(file, StandardOpenOption.READ)) {
                long modifiedMillis = Files.getLastModifiedTime(file).toMillis();
                exchange.getResponseHeaders().set("ETag", "\"" + content.size() + "-" + modifiedMillis + "\"");
                exchange.getResponseHeaders().set("Accept-Ranges", "bytes");
                sendFile(exchange, content);
            }
        }
    }

    /** Sends a file, or the range of it that the request names. */
    private void sendFile(HttpExchange exchange, FileChannel content) throws IOException {
        long size = content.size();
        Matcher range =
                RANGE.matcher(Optional.ofNullable(exchange.getRequestHeaders().getFirst("Range"))
                        .orElse(""));
        long start = 0;
        long end = size;
        if (range.matches() && range.group(1).isEmpty()) { // "bytes=-N" requests the last N bytes
            start = Math.max(0, size - Long.parseLong(range.group(2)));
        } else if (range.matches()) {
            start = Long.parseLong(range.group(1));
            end = range.group(2).isEmpty() ? size : Math.min(size, Long.parseLong(range.group(2)) + 1);
        }
        if (start >= end && size > 0) {
            exchange.getResponseHeaders().set("Content-Range", "bytes */" + size);
            exchange.sendResponseHeaders(416, -1);
            return;
        }
        if (range.matches()) {
            exchange.getResponseHeaders().set("Content-Range", "bytes " + start + "-" + (end - 1) + "/" + size);
        }
        // The length -1 means no body; 0 would mean a body of unknown length.
        exchange.sendResponseHeaders(range.matches() ? 206 : 200, end == start ? -1 : end - start);
        ByteBuffer body = ByteBuffer.allocate(Math.toIntExact(end - start));
        while (body.hasRemaining() && content.read(body, start + body.position()) >= 0) {
            continue;
        }
        bytes.addAndGet(body.position());
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body.array(), 0, body.position());
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
