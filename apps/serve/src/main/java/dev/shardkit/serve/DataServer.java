package dev.shardkit.serve;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
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
 *   <li>Files of shardkit itself, such as those in {@code __shardkit}, are neither served nor listed.
 *   <li>Below {@code /__v3/}, every array and group that shardkit can open appears as a node of Zarr v3, whatever its
 *       format. The chunks are encoded when they are requested.
 *   <li>A browser that opens the root is redirected to {@code /__view/}, a page that shows arrays.
 *   <li>The store decides which files lie below its root. A store opened with {@code SymbolicLinks.REFUSE} follows no
 *       symbolic link out of its root.
 *   <li>Requests for unknown host names, and from web pages of origins that are not allowed, are refused.
 *   <li>At most 256 requests are answered at once. A client that takes more than 10 seconds to send its headers, or
 *       more than 30 seconds to accept the next part of a response, is disconnected. While other connections wait for a
 *       thread, these limits are 0.1 seconds and 1 second.
 *   <li>A client should send a {@code %} in a name as {@code %25}. If a client sends the {@code %} itself, and the
 *       decoded name leads to no node, the server looks for the name as it was sent.
 *   <li>If the store fails, the status is 500. The response does not contain the message of the failure.
 * </ul>
 */
public final class DataServer implements AutoCloseable {
    /** The maximum number of connections that wait until the server accepts them. The system may allow fewer. */
    private static final int BACKLOG = 1024;

    // Status codes.
    private static final int MISSING = 404;
    private static final int UNAVAILABLE = 503;

    private final HttpServer server;
    private final RequestWorkers workers;
    private final ServerOptions options;
    private final HostCheck hosts;
    private final CorsPolicy origins;
    private final ObjectHandler objectHandler;
    private final ListingHandler listingHandler;
    private final PageHandler pageHandler;
    private final VirtualNodeHandler virtualHandler;
    private final UnservedPaths unservedPaths;
    private final UndecodedNames undecodedNames;

    private DataServer(HttpServer server, Store store, ServerOptions options, RequestWorkers workers) {
        this.server = server;
        this.workers = workers;
        this.options = options;
        this.hosts = new HostCheck(options);
        this.origins = new CorsPolicy(options.origins());
        this.objectHandler = new ObjectHandler(BlockingStore.to(store));
        this.listingHandler = new ListingHandler(BlockingStore.to(store));
        this.unservedPaths = new UnservedPaths(BlockingStore.to(store));
        StoredNodes nodes = new StoredNodes(store, options.failures());
        this.undecodedNames = new UndecodedNames(nodes);
        BoundedWork work = new BoundedWork(options.memory());
        this.pageHandler = new PageHandler(nodes, work);
        this.virtualHandler = new VirtualNodeHandler(nodes, work);
    }

    /**
     * Starts a server. Closing the server does not close the store.
     *
     * @throws BindException if the port is in use or not allowed
     * @throws UnknownHostException if the host is unknown
     */
    public static DataServer start(Store store, ServerOptions options) throws IOException {
        return start(store, options, RequestWorkers.ClientLimits.DEFAULT);
    }

    static DataServer start(Store store, ServerOptions options, RequestWorkers.ClientLimits clientLimits)
            throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(options.host()), options.port());
        HttpServer http;
        try {
            http = HttpServer.create(address, BACKLOG);
        } catch (BindException e) {
            throw new BindException("cannot listen on port " + options.port() + " of " + options.host() + ": "
                    + e.getMessage() + "; choose another port, or 0 for a free one");
        }
        DataServer server = new DataServer(http, store, options, new RequestWorkers(clientLimits));
        http.createContext("/", server::handle);
        http.setExecutor(server.workers);
        http.start();
        return server;
    }

    /**
     * Sets system properties that the JDK's server reads once in a process: at most 4,096 connections; at most 10
     * seconds until a client sends the first byte, checked each second; and no delay of small packets. Call it before
     * the process starts its first server. Properties that are already set are kept.
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
        boolean isIpv6 = host.contains(":") && address instanceof Inet6Address;
        return URI.create("http://" + (isIpv6 ? "[" + host.replaceFirst("%.*", "") + "]" : host) + ":"
                + server.getAddress().getPort() + "/");
    }

    /** Returns the URL of the tree that shows every node as Zarr v3, with a slash at the end. */
    public URI version3Url() {
        return url().resolve(VirtualNodeHandler.ROOT);
    }

    /** Returns the number of requests in progress. */
    int activeRequests() {
        return workers.activeRequests();
    }

    private void handle(HttpExchange exchange) throws IOException {
        workers.headersReceived();
        HttpResponse response = new HttpResponse(exchange, workers);
        try {
            route(exchange, response);
        } catch (HttpError e) {
            sendError(response, e);
        } catch (RequestWorkers.ClientDisconnected e) {
            throw e; // the JDK closes the connection
        } catch (IOException | RuntimeException e) {
            options.failures().accept(exchange.getRequestMethod() + " " + exchange.getRequestURI() + ": " + e);
            if (!response.isStarted()) {
                response.sendText(500, "the store could not answer; the server's log says why");
            }
        } catch (OutOfMemoryError e) {
            options.failures().accept(exchange.getRequestMethod() + " " + exchange.getRequestURI() + ": " + e);
            if (!response.isStarted()) {
                sendError(response, new HttpError(UNAVAILABLE, "the server has too little memory for this now"));
            }
        } finally {
            response.finish();
        }
    }

    private static void sendError(HttpResponse response, HttpError refusal) throws IOException {
        if (refusal.status() == UNAVAILABLE) {
            response.responseHeaders().set("Retry-After", "1");
        }
        response.sendText(refusal.status(), refusal.getMessage());
    }

    /** Checks a request and sets the headers that all responses have. Then answers it. */
    private void route(HttpExchange exchange, HttpResponse response) throws IOException, HttpError {
        Headers requestHeaders = exchange.getRequestHeaders();
        Headers responseHeaders = exchange.getResponseHeaders();
        responseHeaders.set("X-Content-Type-Options", "nosniff");
        responseHeaders.set("Cross-Origin-Resource-Policy", "same-origin");
        responseHeaders.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
        responseHeaders.set("Referrer-Policy", "no-referrer");
        hosts.requireKnownHost(requestHeaders.getOrDefault("Host", List.of()));
        origins.allow(requestHeaders, responseHeaders);
        String method = exchange.getRequestMethod();
        if (method.equals("OPTIONS")) {
            responseHeaders.set("Allow", "GET, HEAD, OPTIONS");
            CorsPolicy.preflight(requestHeaders, responseHeaders);
            response.sendEmpty(204);
            return;
        } else if (!method.equals("GET") && !method.equals("HEAD")) {
            responseHeaders.set("Allow", "GET, HEAD, OPTIONS");
            throw new HttpError(405, "this server is read-only");
        }
        try {
            getWithFallback(exchange.getRequestURI(), response);
        } catch (StoreException e) {
            // The store throws for files that it refuses to read: pipes, and links that lead out of its root. The
            // client gets the status of a missing object, because it must not learn that the file exists.
            if (!response.isStarted() && unservedPaths.isUnserved(exchange.getRequestURI())) {
                throw HttpError.notFound();
            }
            throw e;
        }
    }

    /**
     * Handles a GET or HEAD request. Some clients send a {@code %} in a name without encoding it as {@code %25}, so
     * decoding may change the name. The client would take the status 404 for a missing chunk, and read the fill value.
     * So if the decoded name leads to no node, the server handles the request again with the name as it was sent.
     */
    private void getWithFallback(URI uri, HttpResponse response) throws IOException, HttpError {
        try {
            get(uri, response);
        } catch (HttpError e) {
            Optional<URI> undecoded = e.status() == MISSING ? undecodedNames.encodePercent(uri) : Optional.empty();
            if (undecoded.isEmpty() || response.isStarted()) {
                throw e;
            }
            get(undecoded.get(), response);
        }
    }

    /** Passes a request to the handler for its path. */
    private void get(URI uri, HttpResponse response) throws IOException, HttpError {
        if (PageHandler.isBelow(uri)) {
            pageHandler.send(uri, response);
            return;
        } else if (VirtualNodeHandler.isBelow(uri)) {
            virtualHandler.send(uri, response);
            return;
        }
        RequestPath path = RequestPath.parse(uri);
        boolean isNavigation = "document".equals(response.requestHeaders().getFirst("Sec-Fetch-Dest"));
        if (path.isListing() && path.key().isEmpty() && isNavigation) {
            // Only browsers send Sec-Fetch-Dest, and they get the page of arrays. Other programs get the listing.
            response.responseHeaders().set("Location", PageHandler.ROOT);
            response.sendEmpty(302);
        } else if (path.isListing()) {
            listingHandler.send(path.key(), response);
        } else {
            objectHandler.send(path.key(), response);
        }
    }

    /** Closes all connections and the port. Responses that are being sent are cut off. */
    @Override
    public void close() {
        server.stop(0);
        workers.close();
    }
}
