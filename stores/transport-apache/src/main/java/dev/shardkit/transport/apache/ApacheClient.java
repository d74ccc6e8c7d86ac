package dev.shardkit.transport.apache;

import dev.shardkit.transport.TransportSettings;
import java.io.IOException;
import java.net.URI;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.apache.hc.core5.http.config.CharCodingConfig;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.protocol.HttpProcessor;
import org.apache.hc.core5.http.protocol.HttpProcessorBuilder;
import org.apache.hc.core5.http.protocol.RequestContent;
import org.apache.hc.core5.http.protocol.RequestTargetHost;
import org.apache.hc.core5.http2.HttpVersionPolicy;
import org.apache.hc.core5.http2.config.H2Config;
import org.apache.hc.core5.http2.impl.nio.ClientH2StreamMultiplexerFactory;
import org.apache.hc.core5.http2.impl.nio.ClientH2UpgradeHandler;
import org.apache.hc.core5.http2.impl.nio.HttpProtocolNegotiator;
import org.apache.hc.core5.http2.protocol.H2RequestContent;
import org.apache.hc.core5.http2.ssl.ApplicationProtocol;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.reactor.DefaultConnectingIOReactor;
import org.apache.hc.core5.reactor.IOEventHandler;
import org.apache.hc.core5.reactor.IOReactorConfig;
import org.apache.hc.core5.reactor.IOReactorStatus;
import org.apache.hc.core5.reactor.ProtocolIOSession;
import org.apache.hc.core5.util.Timeout;

/**
 * The I/O threads of a transport and the connections that they serve. Based on the reactor of Apache's httpcore5 (in
 * comments here: the core), not on Apache's {@code HttpClient}. Thread-safe.
 */
final class ApacheClient {
    private static final int IO_THREADS = 2;
    /** The size of a buffer. Each connection has three; bodies arrive in pieces of this size. */
    private static final int BUFFER = 16 << 10;

    /** The maximum length of a line in the head of a response. */
    private static final int LONGEST_LINE = 64 << 10;
    /** The maximum number of header fields of a response. */
    private static final int MAX_FIELDS = 1000;
    /** The HTTP/2 window: the number of bytes of one response that may be in flight. */
    private static final int WINDOW = 4 << 20;

    /** Numbers the I/O threads. */
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final Executor threads;
    private final BiConsumer<ApacheClient, IOException> broken;
    private final HttpVersionPolicy versions;
    private final Proxies proxies;
    private final StrictHttp1 http1;
    private final ClientH2StreamMultiplexerFactory http2;
    private final DefaultConnectingIOReactor reactor;
    private final ConnectionOpener opener;
    private final Map<OriginConnections.Key, OriginConnections> origins = new ConcurrentHashMap<>();
    /** The number of I/O threads that have not ended. */
    private final AtomicInteger working = new AtomicInteger(IO_THREADS);

    private volatile boolean closed;

    /**
     * Creates a client.
     *
     * @param threads run blocking work
     * @param broken is called if an I/O thread ends before the client is closed. It must end the client's exchanges,
     *     because nothing else does
     */
    ApacheClient(TransportSettings settings, Executor threads, BiConsumer<ApacheClient, IOException> broken)
            throws IOException {
        this.threads = threads;
        this.broken = broken;
        this.proxies = Proxies.of(settings);
        this.versions = settings.protocol() == TransportSettings.Protocol.HTTP_2
                ? HttpVersionPolicy.NEGOTIATE
                : HttpVersionPolicy.FORCE_HTTP_1;
        this.http1 = new StrictHttp1(
                HttpProcessorBuilder.create()
                        .addAll(RequestTargetHost.INSTANCE, RequestContent.INSTANCE)
                        .build(),
                Http1Config.custom()
                        .setBufferSize(BUFFER)
                        .setInitialWindowSize(Integer.MAX_VALUE)
                        .setMaxLineLength(LONGEST_LINE)
                        .setMaxHeaderCount(MAX_FIELDS)
                        .build());
        HttpProcessor processor =
                HttpProcessorBuilder.create().add(H2RequestContent.INSTANCE).build();
        this.http2 = new ClientH2StreamMultiplexerFactory(
                processor,
                null,
                H2Config.custom()
                        .setPushEnabled(false)
                        .setInitialWindowSize(WINDOW)
                        .build(),
                CharCodingConfig.DEFAULT,
                null);
        Timeout timeout = Timeout.of(Math.max(1, settings.connectTimeout().toMillis()), TimeUnit.MILLISECONDS);
        this.reactor = reactor();
        this.opener = new ConnectionOpener(reactor, new Tls(settings), versions, timeout);
        try {
            reactor.start();
        } catch (Throwable e) { // for example, no memory for a thread
            reactor.close(CloseMode.IMMEDIATE);
            throw e;
        }
    }

    private DefaultConnectingIOReactor reactor() throws IOException {
        if (ModuleLayer.boot().findModule("jdk.net").isEmpty()) { // the I/O threads would end at their first connection
            throw new IOException("no HTTP client could be created: this Java runtime has no module jdk.net");
        }
        try {
            return new DefaultConnectingIOReactor(
                    this::handler,
                    IOReactorConfig.custom()
                            .setIoThreadCount(IO_THREADS)
                            .setTcpNoDelay(true)
                            .setSoKeepAlive(true)
                            .build(),
                    this::thread,
                    null, // no decorator of sessions
                    null, // no callback for exceptions
                    null, // no listener to sessions
                    session -> session.close(CloseMode.IMMEDIATE));
        } catch (IllegalStateException e) { // no file descriptor is left
            throw new IOException("no HTTP client could be created: " + e.getMessage(), e);
        }
    }

    private Thread thread(Runnable work) {
        IOException failure = new IOException("an I/O thread ended"); // created now, as memory may have run out then
        // With the default stack size, and without the thread locals of the thread that creates it.
        Thread thread =
                new Thread(null, () -> run(work, failure), "shardkit-http-io-" + NUMBER.incrementAndGet(), 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(ApacheClient.class.getClassLoader());
        return thread;
    }

    private void run(Runnable work, IOException failure) {
        try {
            work.run();
        } catch (Throwable e) { // memory ran out
            failure.initCause(e);
            broken.accept(this, failure);
        } finally {
            if (working.decrementAndGet() == 0) {
                // If a thread is stopped before it begins, the core leaves its selector open. This closes it.
                reactor.close(CloseMode.IMMEDIATE);
            }
        }
    }

    /** Returns the protocol of a new connection; with TLS, the handshake decides. */
    private IOEventHandler handler(ProtocolIOSession session, Object attachment) {
        if (closed) { // the other connections were closed before, and the I/O threads would wait for this one
            session.close(CloseMode.IMMEDIATE);
        }
        session.registerProtocol(ApplicationProtocol.HTTP_1_1.id, http1);
        session.registerProtocol(ApplicationProtocol.HTTP_2.id, new ClientH2UpgradeHandler(http2, null));
        OriginConnections.Key key = (OriginConnections.Key) attachment;
        return key.tls() && !key.isTunnelled() && versions == HttpVersionPolicy.NEGOTIATE
                ? new HttpProtocolNegotiator(session, null)
                : http1.handler(session);
    }

    /** Returns the connections to the server of a URL. */
    OriginConnections origin(URI uri) throws IOException {
        String host = uri.getHost();
        if (host == null) {
            throw new IOException("expected a URL with a host, found " + uri.getScheme() + " without one");
        }
        boolean tls =
                switch (uri.getScheme().toLowerCase(Locale.ROOT)) {
                    case "https" -> true;
                    case "http" -> false;
                    default -> throw new IOException("expected an http or https URL, found " + uri.getScheme());
                };
        int port = uri.getPort() >= 0 ? uri.getPort() : tls ? 443 : 80;
        String withoutBrackets = host.startsWith("[") ? host.substring(1, host.length() - 1) : host; // of IPv6
        OriginConnections.Key key = new OriginConnections.Key(tls, withoutBrackets, port, proxies.select(uri));
        return origins.computeIfAbsent(
                key,
                newKey ->
                        new OriginConnections(newKey, opener, threads, tls && versions == HttpVersionPolicy.NEGOTIATE));
    }

    /** Returns whether all I/O threads run. */
    boolean alive() {
        return reactor.getStatus() == IOReactorStatus.ACTIVE;
    }

    /** Stops the threads and closes the connections, without waiting. */
    void close() {
        closed = true;
        opener.close();
        reactor.initiateShutdown();
    }
}
