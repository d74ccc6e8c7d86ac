package dev.shardkit.soak;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * An HTTP server of files, with ranges and ETags, that can be restarted on the same port. Writers of its files must
 * replace them as a whole, so that each response has bytes of one version. Only one thread may call {@link #restart}.
 */
final class RestartingServer implements AutoCloseable {
    private static final int THREADS = 4;

    private final Path root;
    private final ExecutorService executor = Executors.newFixedThreadPool(THREADS, task -> {
        Thread thread = new Thread(task, "soak-server");
        thread.setDaemon(true);
        return thread;
    });
    private HttpServer server;
    private final int port;

    RestartingServer(Path root) throws IOException {
        this.root = root;
        this.server = start(0);
        this.port = server.getAddress().getPort();
    }

    private HttpServer start(int onPort) throws IOException {
        HttpServer started = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), onPort), 0);
        started.createContext("/", this::respond);
        started.setExecutor(executor);
        started.start();
        return started;
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + port + "/");
    }

    /** Cuts all connections, and starts the server again. */
    void restart() throws IOException {
        server.stop(0);
        server = start(port);
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }

    /** Answers a request for a file. The ETag changes with the file and with its content. */
    private void respond(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] all;
            String etag;
            try {
                Path file = root.resolve(exchange.getRequestURI().getPath().substring(1));
                Map<String, Object> before = Files.readAttributes(file, "unix:ino,ctime,size");
                all = Files.readAllBytes(file);
                etag = '"'
                        + Integer.toHexString(before.hashCode())
                        + '-'
                        + Integer.toHexString(Arrays.hashCode(all))
                        + '"';
            } catch (NoSuchFileException e) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            String match = exchange.getRequestHeaders().getFirst("If-Match");
            if (match != null && !match.equals(etag)) {
                exchange.sendResponseHeaders(412, -1);
                return;
            }
            exchange.getResponseHeaders().set("ETag", etag);
            send(exchange, all, exchange.getRequestHeaders().getFirst("Range"));
        }
    }

    /**
     * Sends the whole content, or the range {@code bytes=FROM-TO}, {@code bytes=FROM-} or {@code bytes=-LAST} of it.
     */
    private static void send(HttpExchange exchange, byte[] all, String range) throws IOException {
        int from = 0;
        int end = all.length;
        if (range != null) {
            String[] ends = range.substring("bytes=".length()).split("-", -1);
            from = ends[0].isEmpty() ? Math.max(0, all.length - Integer.parseInt(ends[1])) : Integer.parseInt(ends[0]);
            end = ends[0].isEmpty() || ends[1].isEmpty()
                    ? all.length
                    : Math.min(all.length, Integer.parseInt(ends[1]) + 1);
            exchange.getResponseHeaders().set("Content-Range", "bytes " + from + "-" + (end - 1) + "/" + all.length);
        }
        exchange.sendResponseHeaders(range == null ? 200 : 206, end == from ? -1 : end - from);
        exchange.getResponseBody().write(all, from, end - from);
    }
}
