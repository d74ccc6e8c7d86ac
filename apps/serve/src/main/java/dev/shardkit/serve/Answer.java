package dev.shardkit.serve;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Sends answers to one request. Used by one thread. */
final class Answer {
    private static final int NOT_MODIFIED = 304;
    private static final int NO_CONTENT = 204;
    /** The JDK keeps a buffer of twice the size of the longest write for each connection. */
    private static final int LONGEST_WRITE = 1 << 16;

    private final HttpExchange exchange;
    private final Workers workers;
    private boolean hasContent;

    Answer(HttpExchange exchange, Workers workers) {
        this.exchange = exchange;
        this.workers = workers;
    }

    /** Returns the headers of the request. */
    Headers request() {
        return exchange.getRequestHeaders();
    }

    /** Returns the headers of the answer. */
    Headers headers() {
        return exchange.getResponseHeaders();
    }

    /** Whether the client wants the headers only. */
    boolean isHead() {
        return exchange.getRequestMethod().equals("HEAD");
    }

    /** Whether the status has been sent. */
    boolean hasBegun() {
        return exchange.getResponseCode() != -1;
    }

    /** Sends a line of text for people. */
    void text(int status, String line) throws IOException {
        send(status, "text/plain; charset=utf-8", (line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Sends a whole document. */
    void send(int status, String type, byte[] document) throws IOException {
        headers().set("Content-Type", type);
        begin(status, document.length);
        if (!isHead()) {
            write(document, document.length);
        }
    }

    /** Sends status and headers without content. */
    void empty(int status) throws IOException {
        workers.toClient(() -> exchange.sendResponseHeaders(status, -1));
    }

    /**
     * Sends status and headers; unless the client wants these only, {@code length} bytes must follow.
     *
     * @param length in bytes
     */
    void begin(int status, long length) throws IOException {
        // The JDK takes 0 for "unknown", and adds the length itself only if content follows.
        boolean isFollowed = !isHead() && length > 0;
        if (isHead() && status != NOT_MODIFIED && status != NO_CONTENT) {
            headers().set("Content-Length", Long.toString(length));
        }
        workers.toClient(() -> exchange.sendResponseHeaders(status, isFollowed ? length : -1));
    }

    /** Sends the next bytes of the content. */
    void write(byte[] bytes, int length) throws IOException {
        hasContent = true;
        for (int sent = 0; sent < length; sent += LONGEST_WRITE) {
            int from = sent;
            int part = Math.min(LONGEST_WRITE, length - sent);
            workers.toClient(() -> exchange.getResponseBody().write(bytes, from, part));
        }
    }

    /** Ends the answer. Closes the connection if content is missing, so that the client sees that. */
    void end() throws IOException {
        workers.toClient(() -> {
            if (hasContent) {
                // closing first reads what the client still sends, and may end there without sending the buffer
                exchange.getResponseBody().flush();
            }
            exchange.close();
        });
    }
}
