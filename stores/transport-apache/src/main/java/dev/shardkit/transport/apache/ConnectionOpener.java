package dev.shardkit.transport.apache;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.nio.command.RequestExecutionCommand;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.http2.HttpVersionPolicy;
import org.apache.hc.core5.http2.ssl.ApplicationProtocol;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.reactor.Command;
import org.apache.hc.core5.reactor.ConnectionInitiator;
import org.apache.hc.core5.reactor.IOSession;
import org.apache.hc.core5.reactor.ProtocolIOSession;
import org.apache.hc.core5.util.Timeout;

/**
 * Opens connections: looks up addresses, connects, requests tunnels from proxies, and negotiates TLS and the version of
 * HTTP. Thread-safe.
 */
final class ConnectionOpener {
    private static final String HTTP_2 = ApplicationProtocol.HTTP_2.id;

    /** Receives the result by one call, usually on an I/O thread. */
    interface Result {
        /** The connection is open; {@code shared} if it speaks HTTP/2. */
        void opened(IOSession session, boolean shared);

        void failed(IOException cause);
    }

    private final ConnectionInitiator initiator;
    private final Tls tls;
    private final HttpVersionPolicy versions;
    private final Timeout timeout;
    /** The connections that are being opened. */
    private final Set<Future<IOSession>> connecting = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;

    ConnectionOpener(ConnectionInitiator initiator, Tls tls, HttpVersionPolicy versions, Timeout timeout) {
        this.initiator = initiator;
        this.tls = tls;
        this.versions = versions;
        this.timeout = timeout;
    }

    /** Opens a connection. Blocks only for the look-up of the name, and to load certificates. */
    void open(OriginConnections.Key key, Result result) throws IOException {
        if (key.tls()) {
            tls.load();
        }
        String host = key.proxy().map(InetSocketAddress::getHostString).orElse(key.host());
        int port = key.proxy().map(InetSocketAddress::getPort).orElse(key.port());
        connect(key, new HttpHost("http", host, port), InetAddress.getAllByName(host), 0, result);
    }

    /** Connects to the first address that accepts, beginning with address {@code index}. */
    private void connect(OriginConnections.Key key, HttpHost host, InetAddress[] addresses, int index, Result result) {
        Consumer<Exception> failed = cause -> {
            if (index + 1 < addresses.length) {
                connect(key, host, addresses, index + 1, result);
            } else {
                result.failed(new IOException("no connection to " + host.toHostString() + ": " + cause, cause));
            }
        };
        InetSocketAddress address = new InetSocketAddress(addresses[index], host.getPort());
        FirstOutcome<IOSession> callback =
                new FirstOutcome<>(session -> connected(key, (ProtocolIOSession) session, result), failed);
        connecting.removeIf(Future::isDone);
        try {
            Future<IOSession> future = initiator.connect(host, address, null, timeout, key, callback);
            connecting.add(future);
            if (closed) {
                future.cancel(true);
            }
        } catch (IllegalStateException e) { // the I/O threads have ended
            result.failed(new IOException("no connection to " + host.toHostString() + ": " + e.getMessage(), e));
        }
    }

    /** Continues after the connection of the socket. */
    private void connected(OriginConnections.Key key, ProtocolIOSession session, Result result) {
        if (!key.tls()) {
            result.opened(session, false);
        } else if (key.isTunnelled()) {
            Timeout usual = session.getSocketTimeout();
            session.setSocketTimeout(timeout); // a proxy that does not answer ends the attempt
            Runnable established = () -> {
                session.setSocketTimeout(usual);
                secure(key, session, result);
            };
            Tunnel tunnel = new Tunnel(key, established, cause -> {
                session.close(CloseMode.IMMEDIATE);
                result.failed(cause);
            });
            session.enqueue(
                    new RequestExecutionCommand(tunnel, null, HttpCoreContext.create()), Command.Priority.NORMAL);
        } else {
            secure(key, session, result);
        }
    }

    /** Makes the TLS handshake. */
    private void secure(OriginConnections.Key key, ProtocolIOSession session, Result result) {
        Consumer<Exception> failed = cause -> {
            session.close(CloseMode.IMMEDIATE);
            result.failed(RunningExchange.io(cause));
        };
        HttpHost host = new HttpHost("https", key.host(), key.port());
        tls.loaded()
                .upgrade(
                        session,
                        host,
                        versions,
                        timeout,
                        new FirstOutcome<>(layer -> negotiated(key, session, result, failed), failed));
    }

    /** Continues after the TLS handshake. Without a tunnel, the core has already switched the connection to HTTP/2. */
    private static void negotiated(
            OriginConnections.Key key, ProtocolIOSession session, Result result, Consumer<Exception> failed) {
        boolean shared = HTTP_2.equals(session.getTlsDetails().getApplicationProtocol());
        if (shared && key.isTunnelled()) {
            session.switchProtocol(HTTP_2, new FirstOutcome<>(switched -> result.opened(switched, true), failed));
        } else {
            result.opened(session, shared);
        }
    }

    /** Cancels connections that are not open yet. */
    void close() {
        closed = true;
        for (Future<IOSession> future : connecting) {
            future.cancel(true);
        }
    }
}
