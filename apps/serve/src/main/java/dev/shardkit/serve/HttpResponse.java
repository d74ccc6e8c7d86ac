package dev.shardkit.serve;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Sends the response to one request, within the time limits of {@link RequestWorkers}. Used by one thread. */
final class HttpResponse {
    private static final int NOT_MODIFIED = 304;
    private static final int NO_CONTENT = 204;
    /** The maximum size of one write. The JDK keeps a buffer of twice the longest write for each connection. */
    private static final int MAX_WRITE = 1 << 16;

    private final HttpExchange exchange;
    private final RequestWorkers workers;
    private boolean hasContent;

    HttpResponse(HttpExchange exchange, RequestWorkers workers) {
        this.exchange = exchange;
        this.workers = workers;
    }

    /** Returns the headers of the request. */
    Headers requestHeaders() {
        return exchange.getRequestHeaders();
    }

    /** Returns the headers of the response. */
    Headers responseHeaders() {
        return exchange.getResponseHeaders();
    }

    /** Whether the client requested only the headers. */
    boolean isHead() {
        return exchange.getRequestMethod().equals("HEAD");
    }

    /** Whether the status has been sent. */
    boolean isStarted() {
        return exchange.getResponseCode() != -1;
    }

    /** Sends a line of plain text. */
    void sendText(int status, String line) throws IOException {
        send(status, "text/plain; charset=utf-8", (line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Sends a whole document. */
    void send(int status, String type, byte[] document) throws IOException {
        responseHeaders().set("Content-Type", type);
        start(status, document.length);
        if (!isHead()) {
            writeContent(document, document.length);
        }
    }

    /** Sends status and headers without content. */
    void sendEmpty(int status) throws IOException {
        workers.runClientCall(() -> exchange.sendResponseHeaders(status, -1));
    }

    /**
     * Sends status and headers. Unless this is a HEAD request, the caller must then write {@code length} bytes.
     *
     * @param length the length of the content in bytes
     */
    void start(int status, long length) throws IOException {
        // For the JDK, a length of 0 means "unknown". It adds the header Content-Length only if content follows.
        boolean hasContentToSend = !isHead() && length > 0;
        if (isHead() && status != NOT_MODIFIED && status != NO_CONTENT) {
            responseHeaders().set("Content-Length", Long.toString(length));
        }
        workers.runClientCall(() -> exchange.sendResponseHeaders(status, hasContentToSend ? length : -1));
    }

    /** Sends the next bytes of the content. */
    void writeContent(byte[] bytes, int length) throws IOException {
        hasContent = true;
        for (int sent = 0; sent < length; sent += MAX_WRITE) {
            int offset = sent;
            int size = Math.min(MAX_WRITE, length - sent);
            workers.runClientCall(() -> exchange.getResponseBody().write(bytes, offset, size));
        }
    }

    /** Ends the response. Closes the connection if content is missing, so that the client notices it. */
    void finish() throws IOException {
        workers.runClientCall(() -> {
            if (hasContent) {
                // close() first reads the rest of the request, and may fail there before it sends the buffer
                exchange.getResponseBody().flush();
            }
            exchange.close();
        });
    }
}
