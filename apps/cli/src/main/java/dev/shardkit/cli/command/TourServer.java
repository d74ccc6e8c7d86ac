package dev.shardkit.cli.command;

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
 * Serves a folder on the loopback interface, with single byte ranges, and counts requests. Only for the tour: not a
 * general web server. Thread-safe.
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

    /** Serves {@code root} at a free port. */
    public static TourServer of(Path root) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        TourServer tour = new TourServer(root.toRealPath(), server);
        server.createContext("/", tour::answer);
        server.setExecutor(tour.threads);
        server.start();
        return tour;
    }

    /** Returns the URL of the folder. */
    public String url() {
        return "http://" + server.getAddress().getAddress().getHostAddress() + ":"
                + server.getAddress().getPort();
    }

    /** Returns the requests so far. */
    public Asked asked() {
        return new Asked(requests.get(), bytes.get());
    }

    /**
     * The traffic of the server.
     *
     * @param requests the number of requests
     * @param bytes the number of content bytes sent
     */
    public record Asked(long requests, long bytes) {
        public Asked since(Asked before) {
            return new Asked(requests - before.requests, bytes - before.bytes);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        requests.incrementAndGet();
        try (exchange) {
            Path file = root.resolve(exchange.getRequestURI().getPath().substring(1))
                    .normalize();
            boolean get = exchange.getRequestMethod().equals("GET");
            if (!get || !file.startsWith(root) || !Files.isRegularFile(file)) {
                exchange.sendResponseHeaders(get ? 404 : 405, -1);
                return;
            }
            try (FileChannel content = FileChannel.open(file, StandardOpenOption.READ)) {
                long changed = Files.getLastModifiedTime(file).toMillis();
                exchange.getResponseHeaders().set("ETag", "\"" + content.size() + "-" + changed + "\"");
                exchange.getResponseHeaders().set("Accept-Ranges", "bytes");
                send(exchange, content);
            }
        }
    }

    private void send(HttpExchange exchange, FileChannel content) throws IOException {
        long size = content.size();
        Matcher range =
                RANGE.matcher(Optional.ofNullable(exchange.getRequestHeaders().getFirst("Range"))
                        .orElse(""));
        long from = 0;
        long to = size;
        if (range.matches() && range.group(1).isEmpty()) {
            from = Math.max(0, size - Long.parseLong(range.group(2)));
        } else if (range.matches()) {
            from = Long.parseLong(range.group(1));
            to = range.group(2).isEmpty() ? size : Math.min(size, Long.parseLong(range.group(2)) + 1);
        }
        if (from >= to && size > 0) {
            exchange.getResponseHeaders().set("Content-Range", "bytes */" + size);
            exchange.sendResponseHeaders(416, -1);
            return;
        }
        if (range.matches()) {
            exchange.getResponseHeaders().set("Content-Range", "bytes " + from + "-" + (to - 1) + "/" + size);
        }
        exchange.sendResponseHeaders(range.matches() ? 206 : 200, to == from ? -1 : to - from);
        ByteBuffer body = ByteBuffer.allocate(Math.toIntExact(to - from));
        while (body.hasRemaining() && content.read(body, from + body.position()) >= 0) {
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
