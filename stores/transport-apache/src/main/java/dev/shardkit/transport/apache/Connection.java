package dev.shardkit.transport.apache;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hc.core5.concurrent.CancellableDependency;
import org.apache.hc.core5.http.HttpConnection;
import org.apache.hc.core5.http.nio.command.RequestExecutionCommand;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.reactor.Command;
import org.apache.hc.core5.reactor.IOSession;

/** A connection to an origin: with HTTP/1.1 for one exchange at a time, with HTTP/2 for many. Thread-safe. */
final class Connection {
    /** How many exchanges may share a connection; servers allow 100 or more. */
    private static final int MAX_STREAMS = 100;

    private final IOSession session;
    private final OriginConnections origin;
    private final boolean shared;
    private final AtomicInteger exchanges = new AtomicInteger();
    private volatile boolean isReady;
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

    /** Reserves a place for an exchange. Returns false if there is none. */
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

    /** Returns whether it is open for requests. With HTTP/2, that is before the exchange of settings is complete. */
    boolean isOpen() {
        boolean takes = session.getHandler() instanceof HttpConnection http && http.isOpen();
        isReady |= takes;
        return session.isOpen() && (takes || shared && !isReady);
    }

    /** Returns the idle time in nanoseconds. */
    long idle(long nanos) {
        return nanos - idleSince;
    }

    /** Sends a request. Returns false if the connection is closed. */
    boolean execute(ExchangeHandler handler, CancellableDependency stream) {
        session.enqueue(
                new RequestExecutionCommand(handler, null, shared ? stream : null, HttpCoreContext.create()),
                Command.Priority.NORMAL);
        return session.isOpen();
    }

    /** Called after an exchange. The connection serves the next one if request and response are complete. */
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
