package dev.shardkit.testkit.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP server on a free port of the loopback interface. It supports ranges and conditions, can imitate the quirks of
 * other servers, and records its requests. For tests and demonstrations, not for an open network. Thread-safe.
 *
 * <p>It uses the JDK's server: without {@code -Dsun.net.httpserver.nodelay=true} an answer may take 40 ms.
 */
public final class RangeServer implements AutoCloseable {
    /** The ways in which a server may differ. */
    public enum Quirk {
        /** Answers a range with the whole object. */
        NO_RANGES,
        /** Sends no Accept-Ranges. */
        NO_ACCEPT_RANGES,
        /** Answers a suffix range with the whole object. */
        SUFFIX_IS_WHOLE,
        /** Answers a suffix range with 416 and the size. */
        SUFFIX_416,
        /** Answers a suffix range with 416, without the size. */
        SUFFIX_416_BARE,
        /** Answers a suffix range with 400. */
        SUFFIX_400,
        /** Answers a suffix range with 501. */
        SUFFIX_501,
        /** Sends a Content-Range that begins one byte later. */
        WRONG_CONTENT_RANGE,
        /** Sends a Content-Range without the size. */
        UNKNOWN_TOTAL,
        /** Sends a 206 without Content-Range. */
        NO_CONTENT_RANGE,
        /** Sends 206 with the whole object and the matching Content-Range, whatever was requested. */
        OTHER_RANGE,
        /** Sends one byte more than Content-Range declares. */
        LONG_BODY,
        /** Sends bodies without Content-Length. */
        NO_LENGTH,
        /** Declares gzip as the encoding of the body. */
        GZIP,
        /** Sends weak ETags. */
        WEAK_ETAG,
        /** Sends no ETag. */
        NO_ETAG,
        /** Sends no Last-Modified. */
        NO_LAST_MODIFIED,
        /** Ignores If-Match. */
        NO_IF_MATCH,
        /** Sends a body that never ends. */
        ENDLESS
    }

    /** The faults that can replace an answer. */
    public enum Fault {
        /** Closes the connection without an answer. */
        DROP,
        /** Sends half of the body and closes the connection. */
        SHORT_BODY
    }

    /**
     * One request and its answer.
     *
     * @param range the Range header
     * @param status the status, 0 for none
     * @param bytes the number of body bytes sent
     * @param headers the request's headers, by lower-case name
     * @param query the raw query, empty for none
     */
    public record Hit(
            String method,
            String key,
            Optional<String> range,
            int status,
            long bytes,
            Map<String, String> headers,
            String query) {}

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "range-server");
        thread.setDaemon(true);
        return thread;
    });
    private final Resources resources;
    private final List<Hit> log = Collections.synchronizedList(new ArrayList<>());
    /** The answers that replace those of the next requests. */
    private final Deque<Reply.Canned> next = new ArrayDeque<>();
    /** Opened when a client has closed the connection in the middle of a body. */
    private final CountDownLatch aborted = new CountDownLatch(1);

    private volatile Set<Quirk> quirks = Set.of();
    private volatile Duration delay = Duration.ZERO;
    private volatile @Nullable Hold hold;

    private RangeServer(Resources resources) {
        this.resources = resources;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 256);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    /** Starts a server without objects. */
    public static RangeServer start() {
        return new RangeServer(new Resources(null));
    }

    /** Starts a server of the files below {@code directory}, and of objects that are put. */
    public static RangeServer over(Path directory) {
        return new RangeServer(new Resources(directory.toAbsolutePath().normalize()));
    }

    /** Returns the URL of its root. */
    public URI uri() {
        InetSocketAddress address = server.getAddress();
        return URI.create("http://" + address.getAddress().getHostAddress() + ":" + address.getPort());
    }

    /** Makes {@code value} the object under {@code key}, with a unique Last-Modified in the past. */
    public RangeServer put(String key, byte[] value) {
        resources.put(key, value);
        return this;
    }

    /** Makes {@code value} the object under {@code key}, last modified at {@code modified}. */
    public RangeServer put(String key, byte[] value, Instant modified) {
        resources.put(key, value, modified);
        return this;
    }

    /** Removes an object that was put. */
    public RangeServer remove(String key) {
        resources.remove(key);
        return this;
    }

    /** Sets the quirks, replacing any others. */
    public RangeServer quirks(Quirk... habits) {
        quirks = habits.length == 0 ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(List.of(habits)));
        return this;
    }

    /** Answers the next requests with {@code status}. */
    public RangeServer failNext(int times, int status, Map<String, String> headers) {
        return queue(times, new Reply.Canned(status, headers, null));
    }

    /** Replaces the next answers by a fault. */
    public RangeServer failNext(int times, Fault fault) {
        return queue(times, new Reply.Canned(0, Map.of(), fault));
    }

    private RangeServer queue(int times, Reply.Canned canned) {
        synchronized (next) {
            next.addAll(Collections.nCopies(times, canned));
        }
        return this;
    }

    /** Removes all quirks and pending failures. */
    public RangeServer clearFaults() {
        synchronized (next) {
            next.clear();
        }
        return quirks();
    }

    /** Delays each answer, to imitate the latency of a remote server. */
    public RangeServer delay(Duration latency) {
        delay = latency;
        return this;
    }

    /** Sends only half of each body from now on, and then waits. */
    public Hold holdBodies() {
        Hold made = new Hold();
        hold = made;
        return made;
    }

    /** Bodies that wait in the middle. */
    public final class Hold {
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        private Hold() {}

        /** Waits until a body has reached its middle. */
        public void awaitReached() throws InterruptedException {
            reached.await();
        }

        /** Continues the waiting bodies, and holds no more. */
        public void release() {
            hold = null;
            released.countDown();
        }

        /** Called by an answer in the middle of its body: waits until the bodies are released. */
        void pass() throws InterruptedException {
            reached.countDown();
            released.await();
        }
    }

    /** Waits until a client has closed the connection in the middle of a body. */
    public void awaitAborted() throws InterruptedException {
        aborted.await();
    }

    /** Returns all requests so far, in the order of their answers. */
    public List<Hit> log() {
        synchronized (log) {
            return List.copyOf(log);
        }
    }

    /** Clears the list of requests. */
    public RangeServer clearLog() {
        log.clear();
        return this;
    }

    /** Answers a request, after the delay and with the faults that the test has set. */
    private void handle(HttpExchange exchange) {
        String key = exchange.getRequestURI().getPath().substring(1);
        Map<String, String> headers = new TreeMap<>();
        exchange.getRequestHeaders()
                .forEach((name, values) ->
                        headers.put(name.toLowerCase(java.util.Locale.ROOT), String.join(", ", values)));
        Reply.Canned canned;
        synchronized (next) {
            canned = next.poll();
        }
        Reply reply = new Reply(exchange, quirks, canned, hold);
        try (exchange) {
            if (!delay.isZero()) {
                Thread.sleep(delay.toMillis());
            }
            reply.send(resources.find(key), recorder(exchange, key, headers));
        } catch (InterruptedException | IOException e) {
            aborted.countDown();
        }
    }

    /** Returns the callback that adds the request and its answer to the log. */
    private Reply.Done recorder(HttpExchange exchange, String key, Map<String, String> headers) {
        return (status, bytes) -> log.add(new Hit(
                exchange.getRequestMethod(),
                key,
                Optional.ofNullable(headers.get("range")),
                status,
                bytes,
                Collections.unmodifiableMap(headers),
                Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse("")));
    }

    @Override
    public void close() {
        Hold waiting = hold;
        if (waiting != null) {
            waiting.release();
        }
        server.stop(0);
        threads.shutdownNow();
    }
}
