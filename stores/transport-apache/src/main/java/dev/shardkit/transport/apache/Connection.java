package dev.shardkit.transport.apache;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hc.core5.concurrent.CancellableDependency;
import org.apache.hc.core5.http.HttpConnection;
import org.apache.hc.core5.http.nio.command.RequestExecutionCommand;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.reactor.Command;
import org.apache.hc.core5.reactor.IOSession;

/** A connection to a server. With HTTP/1.1 it serves one exchange at a time, with HTTP/2 many. Thread-safe. */
final class Connection {
    /** The maximum number of exchanges that share a connection; servers allow 100 or more. */
    private static final int MAX_STREAMS = 100;

    private final IOSession session;
    private final OriginConnections origin;
    private final boolean shared;

    /** The number of exchanges on this connection. */
    private final AtomicInteger exchanges = new AtomicInteger();

    /** Whether the connection has been ready for requests: with HTTP/2, after the exchange of settings. */
    private volatile boolean isReady;

    /** The time of {@link System#nanoTime} at which the last exchange ended. */
    private volatile long idleSince;

    Connection(IOSession session, OriginConnections origin, boolean shared) {
        this.session = session;
        this.origin = origin;
        this.shared = shared;
    }

    /** Returns whether several exchanges can share this connection. */
    boolean isShared() {
        return shared;
    }

    /** Returns whether the server is a proxy that needs the absolute URL. */
    boolean wantsWholeUrl() {
        return origin.key().isPlainProxied();
    }

    /** Returns the name or address of the server, without brackets for IPv6. */
    String host() {
        return origin.key().host();
    }

    /** Reserves a place for an exchange. Returns false if the connection serves its maximum number of exchanges. */
    boolean enter() {
        int maxStreams = shared ? MAX_STREAMS : 1;
        int current = exchanges.get();
        while (current < maxStreams) {
            if (exchanges.compareAndSet(current, current + 1)) {
                return true;
            }
            current = exchanges.get();
        }
        return false;
    }

    /**
     * Returns whether requests can be sent. An HTTP/2 connection accepts them even before the client and the server
     * have exchanged their settings.
     */
    boolean isOpen() {
        boolean takesRequests = session.getHandler() instanceof HttpConnection http && http.isOpen();
        isReady |= takesRequests;
        return session.isOpen() && (takesRequests || shared && !isReady);
    }

    /** Returns the idle time in nanoseconds. */
    long idle(long nowNanos) {
        return nowNanos - idleSince;
    }

    /** Sends a request. Returns false if the connection is closed. */
    boolean execute(ExchangeHandler handler, CancellableDependency stream) {
        session.enqueue(
                new RequestExecutionCommand(handler, null, shared ? stream : null, HttpCoreContext.create()),
                Command.Priority.NORMAL);
        return session.isOpen();
    }

    /**
     * Ends an exchange that leaves the connection open. An HTTP/1.1 connection then serves further ones if
     * {@code isReusable}; otherwise it is closed.
     */
    void release(boolean isReusable) {
        exchanges.decrementAndGet();
        if (!shared) {
            if (isReusable && isOpen()) {
                idleSince = System.nanoTime();
                origin.returnIdle(this);
            } else {
                session.close(CloseMode.GRACEFUL);
            }
        }
    }

    /** Called after an exchange whose connection or stream the core closes. */
    void stopped() {
        exchanges.decrementAndGet();
    }

    /** Cancels an exchange from a thread other than the I/O threads. */
    void abort(CancellableDependency stream) {
        exchanges.decrementAndGet();
        if (shared) {
            stream.cancel();
        } else {
            close();
        }
    }

    void close() {
        session.close(CloseMode.IMMEDIATE);
    }
}
