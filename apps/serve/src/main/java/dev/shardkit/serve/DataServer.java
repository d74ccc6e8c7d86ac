package dev.shardkit.serve;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreAccess;
import java.io.IOException;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;

/**
 * Serves the objects of a store over HTTP/1.1, read-only: {@code GET} and {@code HEAD} with byte ranges, entity tags,
 * conditions (RFC 9110) and listings. The object with the key {@code a/b} has the path {@code /a/b}; a path that ends
 * in a slash is a listing. Thread-safe.
 *
 * <ul>
 *   <li>shardkit's own files, such as those in {@code __shardkit}, are neither served nor listed.
 *   <li>Below {@code /__v3/}, every array and group that shardkit opens is a node of Zarr v3, whatever its format; its
 *       chunks are encoded when they are requested.
 *   <li>A browser that visits the root gets a page that shows arrays, below {@code /__view/}.
 *   <li>The store decides what lies below its root: a file store opened with {@code Links.REFUSE} follows no link out.
 *   <li>Requests for unknown host names, and from web pages of origins that are not allowed, are refused.
 *   <li>At most 256 requests are answered at once. A client that takes more than 10 seconds to send its headers, or
 *       more than 30 seconds to accept the next part of an answer, is disconnected. While others wait for their turn,
 *       these limits are 0.1 seconds and 1 second.
 *   <li>A name with {@code %} may be requested as it is, where no node has the decoded name.
 *   <li>A failure of the store is status 500; the client never sees its message.
 * </ul>
 */
public final class DataServer implements AutoCloseable {
    /** Connections that wait until the dispatcher accepts them; the system may allow fewer. */
    private static final int BACKLOG = 1024;

    private static final int MISSING = 404;
    private static final int UNAVAILABLE = 503;

    private final HttpServer server;
    private final Workers workers;
    private final ServerOptions options;
    private final Hosts hosts;
    private final Origins origins;
    private final ObjectAnswer objects;
    private final ListingAnswer listings;
    private final PageAnswer page;
    private final VirtualAnswer virtual;
    private final UnservedPlaces unserved;
    private final LiteralNames literals;

    private DataServer(HttpServer server, Store store, ServerOptions options, Workers workers) {
        this.server = server;
        this.workers = workers;
        this.options = options;
        this.hosts = new Hosts(options);
        this.origins = new Origins(options.origins());
        this.objects = new ObjectAnswer(StoreAccess.to(store));
        this.listings = new ListingAnswer(StoreAccess.to(store));
        this.unserved = new UnservedPlaces(StoreAccess.to(store));
        StoredNodes nodes = new StoredNodes(store, options.failures());
        this.literals = new LiteralNames(nodes);
        BoundedWork work = new BoundedWork(options.memory());
        this.page = new PageAnswer(nodes, work);
        this.virtual = new VirtualAnswer(nodes, work);
    }

    /**
     * Starts a server. Closing the server does not close the store.
     *
     * @throws BindException if the port is in use or not allowed
     * @throws UnknownHostException if the host is unknown
     */
    public static DataServer start(Store store, ServerOptions options) throws IOException {
        return start(store, options, Workers.Patience.DEFAULT);
    }

    static DataServer start(Store store, ServerOptions options, Workers.Patience patience) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(options.host()), options.port());
        HttpServer http;
        try {
            http = HttpServer.create(address, BACKLOG);
        } catch (BindException e) {
            throw new BindException("cannot listen on port " + options.port() + " of " + options.host() + ": "
                    + e.getMessage() + "; choose another port, or 0 for a free one");
        }
        DataServer server = new DataServer(http, store, options, new Workers(patience));
        http.createContext("/", server::handle);
        http.setExecutor(server.workers);
        http.start();
        return server;
    }

    /**
     * Sets limits that the JDK's server reads from system properties, once in a process: at most 4,096 connections, at
     * most 10 seconds (checked each second) until a client sends the first byte, and no delay of small packets. Call it
     * before the process starts its first server. Properties that are set already stay.
     */
    public static void limitProcess() {
        System.getProperties().putIfAbsent("jdk.httpserver.maxConnections", "4096");
        System.getProperties().putIfAbsent("sun.net.httpserver.maxReqTime", "10");
        System.getProperties().putIfAbsent("sun.net.httpserver.clockTick", "1000");
        System.getProperties().putIfAbsent("sun.net.httpserver.nodelay", "true");
    }

    /** Returns the URL of the store's root, with a slash at the end. */
    public URI url() {
        InetAddress address = server.getAddress().getAddress();
        String host = address.isAnyLocalAddress() ? "127.0.0.1" : address.getHostAddress();
        boolean bracketed = host.contains(":") && address instanceof Inet6Address;
        return URI.create("http://" + (bracketed ? "[" + host.replaceFirst("%.*", "") + "]" : host) + ":"
                + server.getAddress().getPort() + "/");
    }

    /** Returns the URL below which every node is served as Zarr v3, with a slash at the end. */
    public URI version3Url() {
        return url().resolve(VirtualAnswer.ROOT);
    }

    /** Returns the number of requests that are being read or answered. */
    int busy() {
        return workers.busy();
    }

    private void handle(HttpExchange exchange) throws IOException {
        workers.received();
        Answer answer = new Answer(exchange, workers);
        try {
            answer(exchange, answer);
        } catch (Refused e) {
            refuse(answer, e);
        } catch (Workers.ClientGone e) {
            throw e; // the JDK closes the connection
        } catch (IOException | RuntimeException e) {
            options.failures().accept(exchange.getRequestMethod() + " " + exchange.getRequestURI() + ": " + e);
            if (!answer.hasBegun()) {
                answer.text(500, "the store could not answer; the server's log says why");
            }
        } catch (OutOfMemoryError e) {
            options.failures().accept(exchange.getRequestMethod() + " " + exchange.getRequestURI() + ": " + e);
            if (!answer.hasBegun()) {
                refuse(answer, new Refused(UNAVAILABLE, "the server has too little memory for this now"));
            }
        } finally {
            answer.end();
        }
    }

    private static void refuse(Answer answer, Refused reason) throws IOException {
        if (reason.status() == UNAVAILABLE) {
            answer.headers().set("Retry-After", "1");
        }
        answer.text(reason.status(), reason.getMessage());
    }

    private void answer(HttpExchange exchange, Answer answer) throws IOException, Refused {
        Headers request = exchange.getRequestHeaders();
        Headers headers = exchange.getResponseHeaders();
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        headers.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
        headers.set("Referrer-Policy", "no-referrer");
        hosts.check(request.getOrDefault("Host", List.of()));
        origins.check(request, headers);
        String method = exchange.getRequestMethod();
        if (method.equals("OPTIONS")) {
            headers.set("Allow", "GET, HEAD, OPTIONS");
            Origins.preflight(request, headers);
            answer.empty(204);
            return;
        } else if (!method.equals("GET") && !method.equals("HEAD")) {
            headers.set("Allow", "GET, HEAD, OPTIONS");
            throw new Refused(405, "this server is read-only");
        }
        try {
            getEncodedOrNot(exchange.getRequestURI(), answer);
        } catch (StoreException e) {
            if (!answer.hasBegun() && unserved.has(exchange.getRequestURI())) {
                throw Refused.missing();
            }
            throw e;
        }
    }

    /**
     * Answers a request for a name with {@code %}, which some clients send as it is and not as {@code %25}. They would
     * take a 404 for a chunk that is not stored, and its elements for the fill value. So where no node has the decoded
     * name, the name is taken as it came.
     */
    private void getEncodedOrNot(URI uri, Answer answer) throws IOException, Refused {
        try {
            get(uri, answer);
        } catch (Refused e) {
            Optional<URI> literal = e.status() == MISSING ? literals.of(uri) : Optional.empty();
            if (literal.isEmpty() || answer.hasBegun()) {
                throw e;
            }
            get(literal.get(), answer);
        }
    }

    private void get(URI uri, Answer answer) throws IOException, Refused {
        if (PageAnswer.isBelow(uri)) {
            page.send(uri, answer);
            return;
        } else if (VirtualAnswer.isBelow(uri)) {
            virtual.send(uri, answer);
            return;
        }
        RequestPath path = RequestPath.of(uri);
        boolean isVisit = "document".equals(answer.request().getFirst("Sec-Fetch-Dest"));
        if (path.isListing() && path.key().isEmpty() && isVisit) {
            answer.headers().set("Location", PageAnswer.ROOT); // a person, not a program that wants the listing
            answer.empty(302);
        } else if (path.isListing()) {
            listings.send(path.key(), answer);
        } else {
            objects.send(path.key(), answer);
        }
    }

    /** Closes all connections and frees the port. Answers that are being sent are cut off. */
    @Override
    public void close() {
        server.stop(0);
        workers.close();
    }
}
