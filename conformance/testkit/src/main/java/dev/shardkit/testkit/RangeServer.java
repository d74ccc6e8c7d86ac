package dev.shardkit.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A real HTTP server on a free port of the loopback interface that knows ranges, conditions and a number of bad habits,
 * and writes down what it was asked. For tests and demonstrations, not for the open network. Thread-safe.
 *
 * <p>It is the JDK's own server: without {@code -Dsun.net.httpserver.nodelay=true} it may take 40 ms for an answer.
 */
public final class RangeServer implements AutoCloseable {
    /** What a server may do wrong, or differently. */
    public enum Quirk {
        /** Sends the whole object for a range. */
        NO_RANGES,
        /** Sends no Accept-Ranges. */
        NO_ACCEPT_RANGES,
        /** Sends the whole object for a range of the last bytes. */
        SUFFIX_IS_WHOLE,
        /** Answers 416 to a range of the last bytes, with the size. */
        SUFFIX_416,
        /** Answers 416 to a range of the last bytes, without the size. */
        SUFFIX_416_BARE,
        /** Answers 400 to a range of the last bytes. */
        SUFFIX_400,
        /** Answers 501 to a range of the last bytes. */
        SUFFIX_501,
        /** Says in Content-Range that it begins a byte later. */
        WRONG_CONTENT_RANGE,
        /** Says in Content-Range that the size is unknown. */
        UNKNOWN_TOTAL,
        /** Sends no Content-Range with a 206. */
        NO_CONTENT_RANGE,
        /** Sends 206 and the whole object, rightly named, whatever was asked. */
        OTHER_RANGE,
        /** Sends a byte more than Content-Range says. */
        LONG_BODY,
        /** Sends bodies without Content-Length. */
        NO_LENGTH,
        /** Names gzip as the encoding of what it sends. */
        GZIP,
        /** Sends ETags that are weak. */
        WEAK_ETAG,
        /** Sends no ETag. */
        NO_ETAG,
        /** Sends no Last-Modified. */
        NO_LAST_MODIFIED,
        /** Pays no attention to If-Match. */
        NO_IF_MATCH,
        /** Sends a body that never ends. */
        ENDLESS
    }

    /** What it may do instead of answering. */
    public enum Fault {
        /** Closes the connection without an answer. */
        DROP,
        /** Sends half of the body and closes the connection. */
        SHORT_BODY
    }

    /**
     * One request as it was answered.
     *
     * @param range the Range header
     * @param status the status, 0 for none
     * @param bytes how many bytes of body were sent
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
    private final Map<String, Resource> objects = new ConcurrentHashMap<>();
    private final Optional<Path> directory;
    private final List<Hit> log = Collections.synchronizedList(new ArrayList<>());
    private final Deque<Reply.Canned> next = new ArrayDeque<>();
    private final CountDownLatch aborted = new CountDownLatch(1);
    /** An hour ago at first, and a second later with each put, so that Last-Modified tells every two puts apart. */
    private final AtomicLong lastPut =
            new AtomicLong(Instant.now().minus(Duration.ofHours(1)).getEpochSecond());

    private volatile Set<Quirk> quirks = Set.of();
    private volatile Duration delay = Duration.ZERO;
    private volatile Optional<Hold> hold = Optional.empty();

    private RangeServer(Optional<Path> directory) {
        this.directory = directory;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 256);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    /** A server with nothing on it. */
    public static RangeServer start() {
        return new RangeServer(Optional.empty());
    }

    /** A server of the files below {@code directory}, and of what is put. */
    public static RangeServer over(Path directory) {
        return new RangeServer(Optional.of(directory.toAbsolutePath().normalize()));
    }

    /** The URL of its root. */
    public URI uri() {
        InetSocketAddress address = server.getAddress();
        return URI.create("http://" + address.getAddress().getHostAddress() + ":" + address.getPort());
    }

    /** Makes {@code value} the object under {@code key}, with a Last-Modified of its own, long past. */
    public RangeServer put(String key, byte[] value) {
        return put(key, value, Instant.ofEpochSecond(lastPut.incrementAndGet()));
    }

    /** Makes {@code value} the object under {@code key}, last modified at {@code modified}. */
    public RangeServer put(String key, byte[] value, Instant modified) {
        objects.put(key, Resource.of(value, modified));
        return this;
    }

    /** Removes an object that was put. */
    public RangeServer remove(String key) {
        objects.remove(key);
        return this;
    }

    /** Takes on these habits, and no others. */
    public RangeServer quirks(Quirk... habits) {
        quirks = habits.length == 0 ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(List.of(habits)));
        return this;
    }

    /** Answers the next requests with {@code status}. */
    public RangeServer failNext(int times, int status, Map<String, String> headers) {
        return queue(times, new Reply.Canned(status, headers, Optional.empty()));
    }

    /** Breaks the answers to the next requests. */
    public RangeServer failNext(int times, Fault fault) {
        return queue(times, new Reply.Canned(0, Map.of(), Optional.of(fault)));
    }

    private RangeServer queue(int times, Reply.Canned canned) {
        synchronized (next) {
            next.addAll(Collections.nCopies(times, canned));
        }
        return this;
    }

    /** Forgets all habits and failures to come. */
    public RangeServer heal() {
        synchronized (next) {
            next.clear();
        }
        return quirks();
    }

    /** Takes so long before each answer: the latency of a far server. */
    public RangeServer delay(Duration latency) {
        delay = latency;
        return this;
    }

    /** From now on sends half of each body and then waits. */
    public Hold holdBodies() {
        Hold made = new Hold();
        hold = Optional.of(made);
        return made;
    }

    /** Bodies that wait in the middle. */
    public final class Hold {
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        private Hold() {}

        /** Waits until a body has come to its middle. */
        public void awaitReached() throws InterruptedException {
            reached.await();
        }

        /** Lets bodies go on, and holds no more. */
        public void release() {
            hold = Optional.empty();
            released.countDown();
        }

        void pass() throws InterruptedException {
            reached.countDown();
            released.await();
        }
    }

    /** Waits until a client has closed the connection in the middle of a body. */
    public void awaitAborted() throws InterruptedException {
        aborted.await();
    }

    /** All requests so far, in the order in which they were answered. */
    public List<Hit> log() {
        synchronized (log) {
            return List.copyOf(log);
        }
    }

    /** Forgets the requests so far. */
    public RangeServer clearLog() {
        log.clear();
        return this;
    }

    private Optional<Resource> resource(String key) throws IOException {
        Optional<Resource> put = Optional.ofNullable(objects.get(key));
        if (put.isPresent() || directory.isEmpty()) {
            return put;
        }
        Path file = directory.get().resolve(key).normalize();
        try {
            return file.startsWith(directory.get()) && Files.isRegularFile(file)
                    ? Optional.of(Resource.of(file))
                    : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private void handle(HttpExchange exchange) {
        String key = exchange.getRequestURI().getPath().substring(1);
        Map<String, String> headers = new TreeMap<>();
        exchange.getRequestHeaders()
                .forEach((name, values) ->
                        headers.put(name.toLowerCase(java.util.Locale.ROOT), String.join(", ", values)));
        Optional<Reply.Canned> canned;
        synchronized (next) {
            canned = Optional.ofNullable(next.poll());
        }
        Reply reply = new Reply(exchange, quirks, canned, hold);
        try (exchange) {
            if (!delay.isZero()) {
                Thread.sleep(delay.toMillis());
            }
            reply.send(resource(key), hit(exchange, key, headers));
        } catch (InterruptedException | IOException e) {
            aborted.countDown();
        }
    }

    private Reply.Done hit(HttpExchange exchange, String key, Map<String, String> headers) {
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
        hold.ifPresent(Hold::release);
        server.stop(0);
        threads.shutdownNow();
    }
}
