package dev.shardkit.store.cloudtest;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** A server that gives prepared answers, in order, and remembers the requests. Status 0 breaks the connection. */
public final class ScriptedServer implements AutoCloseable {
    /** A request; {@code headers} by names in lower case. */
    public record Seen(String method, URI uri, Map<String, String> headers, String body) {
        /** Returns a header by its name in lower case. */
        public Optional<String> header(String name) {
            return Optional.ofNullable(headers.get(name));
        }
    }

    /** A prepared answer; status 0 breaks the connection. */
    public record Answer(int status, Map<String, String> headers, String body) {}

    /** The requests so far. */
    public final List<Seen> seen = new CopyOnWriteArrayList<>();

    private final Deque<Function<List<Seen>, Answer>> answers = new ArrayDeque<>();
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** Starts the server. */
    public ScriptedServer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    /** Returns the URL of the server. */
    public URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Adds an answer. */
    public ScriptedServer then(int status, Map<String, String> headers, String body) {
        return then(requests -> new Answer(status, headers, body));
    }

    /** Adds an answer that is computed from all requests so far. The last of them is the one to answer. */
    public synchronized ScriptedServer then(Function<List<Seen>, Answer> answer) {
        answers.add(answer);
        return this;
    }

    /** Adds an answer without headers. */
    public ScriptedServer then(int status, String body) {
        return then(status, Map.of(), body);
    }

    /** Waits until so many requests have come. */
    public void await(int requests) {
        while (seen.size() < requests) {
            Thread.onSpinWait();
        }
    }

    private synchronized Function<List<Seen>, Answer> next() {
        return Optional.ofNullable(answers.poll())
                .orElse(requests -> new Answer(500, Map.of(), "no answer was prepared"));
    }

    private void answer(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        Map<String, String> headers = new TreeMap<>();
        exchange.getRequestHeaders()
                .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.get(0)));
        seen.add(new Seen(
                exchange.getRequestMethod(),
                exchange.getRequestURI(),
                headers,
                new String(body, StandardCharsets.UTF_8)));
        Answer given = next().apply(seen);
        if (given.status() != 0) {
            given.headers().forEach(exchange.getResponseHeaders()::set);
            byte[] text = given.body().getBytes(StandardCharsets.UTF_8);
            boolean empty = text.length == 0 || exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(given.status(), empty ? -1 : text.length);
            if (!empty) {
                exchange.getResponseBody().write(text);
            }
        }
        exchange.close(); // without an answer, this breaks the connection
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
