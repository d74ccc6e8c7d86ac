package dev.shardkit.store.azure;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.shardkit.store.cloud.BucketLocation;
import dev.shardkit.store.cloudtest.AzuriteServer;
import dev.shardkit.transport.Payload;
import dev.shardkit.transport.Request;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A server that adds Put Block From URL to Azurite, which 3.35.0 lacks. It reads the source from Azurite, with the
 * range, the condition and the authorization that the request names, so that Azurite itself checks them, and puts the
 * bytes as a block. It forwards all other requests unchanged.
 */
final class AzuriteFront implements AutoCloseable {
    /** What the server makes of a copy. */
    enum Way {
        HONEST,
        /** As servers without the operation. */
        LACKING,
        /** As accounts that refuse requests from elsewhere, also from the service itself. */
        DENYING,
        /** Fails with HTTP 500. */
        FAILING,
        /** Breaks the connection. */
        LOSING,
        /** Ignores the range. */
        WHOLE,
        /** Ignores the source. */
        OTHER
    }

    private static final String ACCOUNT = "devstoreaccount1";
    private static final Set<String> OWN_HEADERS =
            Set.of("connection", "content-length", "expect", "host", "transfer-encoding", "upgrade");
    private static final Authorization.SharedKey KEY = Authorization.SharedKey.of(
            ACCOUNT,
            AzureSettings.ofConnection("UseDevelopmentStorage=true").key().orElseThrow());

    /** The sources of copies. */
    final List<URI> copies = new CopyOnWriteArrayList<>();
    /** The number of bytes that the bodies of requests had. */
    final AtomicLong sent = new AtomicLong();

    private final Way way;
    private final URI azurite = URI.create("http://" + AzuriteServer.endpoint().getAuthority());
    private final HttpClient client = HttpClient.newHttpClient();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;

    AzuriteFront(Way way) {
        this.way = way;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    /** Returns the key of the account. */
    static Authorization.SharedKey key() {
        return KEY;
    }

    /** Returns a builder for a store behind this server, with small blocks. */
    AzureStoreBuilder builder(URI location) {
        URI endpoint = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/" + ACCOUNT);
        return Azurite.builder(location).endpoint(endpoint).partSize(64 << 10);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.get(0)));
            if (headers.containsKey("x-ms-source-range")) {
                copy(exchange, headers, body);
                return;
            }
            sent.addAndGet(body.length);
            answer(exchange, send(exchange.getRequestMethod(), at(exchange.getRequestURI()), headers, body));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private URI at(URI uri) {
        return azurite.resolve(uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery()));
    }

    private HttpResponse<byte[]> send(String method, URI uri, Map<String, String> headers, byte[] body)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .method(method, body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
        headers.forEach((name, value) -> {
            if (!OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
                request.header(name, value);
            }
        });
        return client.send(request.build(), BodyHandlers.ofByteArray());
    }

    private static void answer(HttpExchange exchange, HttpResponse<byte[]> answer) throws IOException {
        answer.headers().map().forEach((name, values) -> {
            if (!OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
                exchange.getResponseHeaders().set(name, values.get(0));
            }
        });
        answer(exchange, answer.statusCode(), answer.body());
    }

    private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
        boolean empty = body.length == 0 || exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, empty ? -1 : body.length);
        if (!empty) {
            exchange.getResponseBody().write(body);
        }
    }

    private static void refuse(HttpExchange exchange, int status, String code) throws IOException {
        exchange.getResponseHeaders().set("x-ms-error-code", code);
        String error = "<Error><Code>" + code + "</Code><Message>about " + code + "</Message></Error>";
        answer(exchange, status, error.getBytes(StandardCharsets.UTF_8));
    }

    private void copy(HttpExchange exchange, Map<String, String> headers, byte[] body)
            throws IOException, InterruptedException {
        URI source = URI.create(headers.get("x-ms-copy-source"));
        copies.add(source);
        if (way == Way.LACKING || way == Way.DENYING || body.length > 0) {
            refuse(exchange, way == Way.LACKING ? 501 : 403, way == Way.LACKING ? "NotImplemented" : "Denied");
            return;
        }
        if (way == Way.LOSING) {
            return; // without an answer, this breaks the connection
        }
        if (way == Way.FAILING) {
            refuse(exchange, 500, "InternalError");
            return;
        }
        // Azurite checks the signature of the request before it refuses the operation.
        HttpResponse<byte[]> own = send("PUT", at(exchange.getRequestURI()), headers, body);
        if (own.statusCode() == 403) {
            answer(exchange, own);
            return;
        }
        Map<String, String> reading = new TreeMap<>(
                Map.of("Range", headers.get("x-ms-source-range"), "If-Match", headers.get("x-ms-source-if-match")));
        if (way == Way.WHOLE) {
            reading.remove("Range");
        }
        HttpResponse<byte[]> read = send("GET", at(source), reading, new byte[0]);
        if (read.statusCode() == 412) {
            refuse(exchange, 412, "SourceConditionNotMet");
        } else if (read.statusCode() / 100 != 2) {
            refuse(exchange, read.statusCode(), "CannotVerifyCopySource");
        } else {
            byte[] block = way == Way.OTHER ? new byte[] {0} : read.body();
            answer(exchange, putBlock(at(exchange.getRequestURI()), block));
        }
    }

    private HttpResponse<byte[]> putBlock(URI uri, byte[] block) throws IOException, InterruptedException {
        URI endpoint = AzuriteServer.endpoint();
        var origin = new AzureOrigin(
                new BucketLocation("az", AzuriteServer.CONTAINER, "", ""), endpoint, KEY, Clock.systemUTC());
        var signed = origin.signed(new Request("PUT", uri, Map.of(), Payload.of(List.of(ByteBuffer.wrap(block)))));
        Map<String, String> headers = new TreeMap<>(signed.request().headers());
        return send("PUT", signed.request().uri(), headers, block);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
