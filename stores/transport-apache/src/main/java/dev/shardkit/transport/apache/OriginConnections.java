package dev.shardkit.transport.apache;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.apache.hc.core5.reactor.IOSession;

/**
 * The pool of connections to one server, direct or through one proxy. Only the permits of the stores limit the number
 * of connections. While the first connection is being opened, further exchanges wait until it shows whether the server
 * supports HTTP/2. Thread-safe.
 */
final class OriginConnections {
    private static final long MAX_IDLE = Duration.ofSeconds(30).toNanos();

    /**
     * A server and the route to it.
     *
     * @param tls whether to use TLS
     * @param host its name or address, without brackets for IPv6
     * @param proxy the proxy, if there is one
     */
    record Key(boolean tls, String host, int port, Optional<InetSocketAddress> proxy) {
        /** Returns whether requests are sent to a proxy, which forwards them. */
        boolean isPlainProxied() {
            return !tls && proxy.isPresent();
        }

        /** Returns whether connections lead through a tunnel of a proxy. */
        boolean isTunnelled() {
            return tls && proxy.isPresent();
        }
    }

    private final Key key;
    private final ConnectionOpener opener;
    private final Executor threads;
    /** Idle HTTP/1.1 connections, the most recently used one first. */
    private final Deque<Connection> idle = new ArrayDeque<>();

    /** The HTTP/2 connections. */
    private final List<Connection> shared = new ArrayList<>();
    /** The exchanges that wait for the first connection. */
    private final Deque<RunningExchange> queue = new ArrayDeque<>();
    /** Whether the first connection is being opened. */
    private boolean isOpening;

    private boolean protocolKnown;

    /**
     * @param versions whether both HTTP/1.1 and HTTP/2 are possible; then the first connection negotiates the version
     */
    OriginConnections(Key key, ConnectionOpener opener, Executor threads, boolean versions) {
        this.key = key;
        this.opener = opener;
        this.threads = threads;
        this.protocolKnown = !versions;
    }

    Key key() {
        return key;
    }

    /** Starts an exchange on an open connection, or opens one. */
    void lease(RunningExchange running) {
        Optional<Connection> connection;
        synchronized (this) {
            connection = open();
            if (connection.isEmpty() && !protocolKnown) {
                if (isOpening) {
                    queue.add(running);
                    return;
                }
                isOpening = true;
            }
        }
        if (connection.isPresent()) {
            running.begin(connection.get());
        } else {
            threads.execute(() -> open(running));
        }
    }

    /** Returns an open connection with a place for an exchange; empty if there is none. */
    private Optional<Connection> open() {
        for (Iterator<Connection> iterator = shared.iterator(); iterator.hasNext(); ) {
            Connection next = iterator.next();
            if (!next.isOpen()) {
                iterator.remove();
            } else if (next.enter()) {
                return Optional.of(next);
            }
        }
        while (!idle.isEmpty()) {
            Connection next = idle.pop();
            if (next.isOpen() && next.enter()) {
                return Optional.of(next);
            }
        }
        return Optional.empty();
    }

    /** Opens a connection for an exchange. Blocks for the look-up of the server's name. */
    private void open(RunningExchange running) {
        try {
            opener.open(key, new ConnectionOpener.Result() {
                @Override
                public void opened(IOSession session, boolean isMultiplexed) {
                    OriginConnections.this.opened(
                            running, new Connection(session, OriginConnections.this, isMultiplexed));
                }

                @Override
                public void failed(IOException cause) {
                    OriginConnections.this.failed(running, cause);
                }
            });
        } catch (Throwable e) {
            failed(running, e);
        }
    }

    private void opened(RunningExchange running, Connection connection) {
        connection.enter();
        if (connection.isShared()) {
            synchronized (this) {
                shared.add(connection);
            }
        }
        List<RunningExchange> next = answered(true);
        running.begin(connection);
        next.forEach(this::lease);
    }

    private void failed(RunningExchange running, Throwable cause) {
        List<RunningExchange> next = answered(false);
        running.failed(cause);
        next.forEach(waiting -> waiting.failed(cause));
    }

    /**
     * Records that the opening of a connection has ended. Returns the exchanges that waited for it.
     *
     * @param isKnown whether it succeeded, so that the server's protocol is known
     */
    private synchronized List<RunningExchange> answered(boolean isKnown) {
        isOpening = false;
        protocolKnown |= isKnown;
        List<RunningExchange> next = List.copyOf(queue);
        queue.clear();
        return next;
    }

    /** Adds a connection to the pool for the next exchange, and closes connections that have been idle for a while. */
    void returnIdle(Connection connection) {
        List<Connection> expired = new ArrayList<>(0);
        synchronized (this) {
            idle.push(connection);
            long now = System.nanoTime();
            while (!idle.isEmpty() && (idle.peekLast().idle(now) > MAX_IDLE)) {
                expired.add(idle.removeLast());
            }
        }
        expired.forEach(Connection::close);
    }
}
