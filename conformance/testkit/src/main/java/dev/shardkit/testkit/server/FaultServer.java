package dev.shardkit.testkit.server;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP server on raw sockets that controls each byte of its answers, so it can produce faults that no HTTP library
 * allows. It listens on a free port of the loopback interface. For tests, not for an open network. Thread-safe.
 *
 * <p>Use {@link RangeServer} for unusual but valid servers, and this one for broken servers and networks.
 */
public final class FaultServer implements AutoCloseable {
    /** The faults of the server, or of the network in front of it. */
    public enum Fault {
        /** No fault: correct ranges, ETags and If-Match. */
        NONE,
        /** No server listens. */
        REFUSED,
        /** Resets the connection instead of answering. */
        RESET_BEFORE_BODY,
        /** Resets the connection in the middle of the body. */
        RESET_IN_BODY,
        /** Sends half of the body and then nothing. */
        STALL,
        /** Sends the body at some ten bytes a second. */
        DRIP,
        /** Sends half of the body and closes the connection. */
        SHORT_BODY,
        /** Sends a Content-Length that is one byte larger than Content-Range and body. */
        WRONG_LENGTH,
        /** Sends a Content-Range that begins one byte later. */
        WRONG_CONTENT_RANGE,
        /** Sends a 206 without Content-Range. */
        NO_CONTENT_RANGE,
        /** Answers a range request with 200 and the whole object. */
        OK_FOR_PARTIAL,
        /** Answers 416 to every range, without the size. */
        UNSATISFIABLE,
        /** Answers 404 from the second request on. */
        GONE_MIDWAY,
        /** Answers 403. */
        FORBIDDEN,
        /** Answers 429 with a Retry-After. */
        TOO_MANY,
        /** Answers 500 to the first request. */
        ERROR_ONCE,
        /** Answers 500. */
        ERROR_ALWAYS,
        /** Redirects to the same URL. */
        REDIRECT_LOOP,
        /** Redirects to another host. */
        REDIRECT_ELSEWHERE,
        /** Redirects to another scheme. */
        REDIRECT_DOWNGRADE,
        /** Sends the body compressed by gzip, with the matching header. */
        GZIP,
        /** Sends the range as multipart/byteranges. */
        MULTIPART,
        /** Sends a different ETag with each answer. */
        CHANGING_ETAGS,
        /** Sends a body that never ends. */
        ENDLESS_BODY,
        /** Sends a head of 16 MiB. */
        HUGE_HEAD,
        /** Uses HTTP/1.0: without a length, the end of the connection ends the body. */
        HTTP_1_0,
        /** Announces that the connection stays open, and closes it. */
        CLOSED_KEEP_ALIVE,
        /** Sends bytes that are not HTTP. */
        NOT_HTTP
    }

    private final Map<String, byte[]> objects = new ConcurrentHashMap<>();
    /** The connections that are open. Guarded by this object. */
    private final Set<Socket> open = new HashSet<>();

    private final AtomicInteger requests = new AtomicInteger();
    private final int port;
    private @Nullable ServerSocket listening;
    /** Reserves the port while the server does not listen. */
    private @Nullable Socket holding;

    private volatile @Nullable Thread accepting;
    private volatile Fault fault = Fault.NONE;
    /** The faults of the first requests; {@link #fault} is that of all others. */
    private volatile List<Fault> sequence = List.of();

    private FaultServer() throws IOException {
        listen(0);
        port = Objects.requireNonNull(listening).getLocalPort();
    }

    /** Starts a server without objects and without faults. */
    public static FaultServer start() {
        try {
            return new FaultServer();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the URL of its root. */
    public URI uri() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** Makes {@code value} the object under {@code key}. */
    public FaultServer put(String key, byte[] value) {
        objects.put(key, value.clone());
        return this;
    }

    /** Sets the fault, replacing any other. Closes open connections. */
    public FaultServer fault(Fault kind) {
        sequence = List.of();
        return set(kind);
    }

    /**
     * Gives each of the next requests a fault of its own, in this order; later requests have none. Closes open
     * connections. {@link Fault#REFUSED} is not a fault of a request.
     */
    public FaultServer sequence(List<Fault> faults) {
        if (faults.contains(Fault.REFUSED)) {
            throw new IllegalArgumentException("expected faults of requests, found " + faults);
        }
        sequence = List.copyOf(faults);
        return set(Fault.NONE);
    }

    /** Sets the fault of all requests, and listens unless the fault is {@link Fault#REFUSED}. */
    private FaultServer set(Fault kind) {
        fault = kind;
        requests.set(0);
        try {
            disconnect();
            if (kind == Fault.REFUSED) {
                stop();
                hold();
            } else {
                listen(port);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Returns the number of requests since the fault was set. */
    public int requests() {
        return requests.get();
    }

    /** Waits until clients have closed all connections; returns whether they did within {@code seconds}. */
    public synchronized boolean awaitNoConnections(long seconds) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!open.isEmpty() && System.nanoTime() < end) {
            TimeUnit.NANOSECONDS.timedWait(this, end - System.nanoTime());
        }
        return open.isEmpty();
    }

    private synchronized void listen(int at) throws IOException {
        if (listening == null) {
            ServerSocket socket = new ServerSocket();
            socket.setReuseAddress(true);
            release();
            socket.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), at), 256);
            listening = socket;
            accepting = start(() -> accept(socket));
        }
    }

    private synchronized void stop() throws IOException {
        if (listening != null) {
            listening.close();
            listening = null;
        }
    }

    /**
     * Reserves the port without listening, so that connections are refused and no other program takes the port. Called
     * after {@link #stop}. Waits for the thread that accepts connections: the port is free when that thread has ended.
     */
    private void hold() throws IOException {
        try {
            Objects.requireNonNull(accepting).join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        synchronized (this) {
            if (holding == null) {
                Socket bound = new Socket();
                holding = bound;
                bound.setReuseAddress(true);
                bound.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port));
            }
        }
    }

    private synchronized void release() throws IOException {
        if (holding != null) {
            holding.close();
            holding = null;
        }
    }

    /** Closes all open connections. */
    private void disconnect() throws IOException {
        List<Socket> all;
        synchronized (this) {
            all = List.copyOf(open);
        }
        for (Socket s : all) {
            s.close();
        }
    }

    private static Thread start(Runnable work) {
        Thread thread = new Thread(work, "fault-server");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Accepts connections, each with a thread of its own, until the socket is closed. */
    private void accept(ServerSocket socket) {
        try {
            while (true) {
                Socket connection = socket.accept();
                if (fault == Fault.REFUSED) { // it came while the server stopped listening
                    connection.close();
                    continue;
                }
                connection.setTcpNoDelay(true);
                synchronized (this) {
                    open.add(connection);
                }
                start(() -> serve(connection));
            }
        } catch (IOException e) {
            // no server listens any more
        }
    }

    /** Answers the requests of a connection until it ends. */
    private void serve(Socket connection) {
        try (connection) {
            InputStream in = new BufferedInputStream(connection.getInputStream());
            FaultReply reply = new FaultReply(connection, this::fault);
            for (Optional<FaultRequest> request = nextRequest(in); request.isPresent(); request = nextRequest(in)) {
                if (!reply.send(
                        request.get(),
                        Optional.ofNullable(objects.get(request.get().key())))) {
                    return;
                }
            }
        } catch (IOException e) {
            // the client has disconnected
        } finally {
            synchronized (this) {
                open.remove(connection);
                notifyAll();
            }
        }
    }

    private Optional<FaultRequest> nextRequest(InputStream in) throws IOException {
        return FaultRequest.read(in, requests::incrementAndGet);
    }

    /** Returns the fault of a request by its number, counted from 1. */
    private Fault fault(int request) {
        List<Fault> faults = sequence;
        return request <= faults.size() ? faults.get(request - 1) : fault;
    }

    @Override
    public void close() {
        try {
            stop();
            release();
            disconnect();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
