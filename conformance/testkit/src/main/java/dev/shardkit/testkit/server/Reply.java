package dev.shardkit.testkit.server;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import dev.shardkit.testkit.server.RangeServer.Fault;
import dev.shardkit.testkit.server.RangeServer.Quirk;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Sends one response of a {@link RangeServer}, with the faults and quirks that a test has set. */
final class Reply {
    /** A Range header. 18 digits fit into a long; one of the numbers may be absent. */
    private static final Pattern RANGE = Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})");

    /**
     * A response that the test has set. With a fault, the object is served, but suffers the fault; without, only the
     * status and the headers are sent.
     */
    record Canned(
            int status,
            Map<String, String> headers,
            @Nullable Fault fault) {}

    /**
     * Receives the status and the size of a response before its body is sent. So a client that has the body finds the
     * response in the server's log.
     */
    @FunctionalInterface
    interface Done {
        void answered(int status, long bytes);
    }

    private final HttpExchange exchange;
    private final Set<Quirk> quirks;
    private final @Nullable Canned canned;
    /** Holds the response after half of the body, if a test wants this. */
    private final RangeServer.@Nullable Hold hold;

    Reply(HttpExchange exchange, Set<Quirk> quirks, @Nullable Canned canned, RangeServer.@Nullable Hold hold) {
        this.exchange = exchange;
        this.quirks = quirks;
        this.canned = canned;
        this.hold = hold;
    }

    /** Returns whether the server of this test has this quirk. */
    private boolean has(Quirk quirk) {
        return quirks.contains(quirk);
    }

    /** Returns whether the response has this fault. */
    private boolean suffers(Fault fault) {
        return canned != null && canned.fault() == fault;
    }

    /** Sends the response for an object, or for a missing one. */
    void send(Optional<Resource> found, Done done) throws IOException, InterruptedException {
        if (suffers(Fault.DROP)) {
            done.answered(0, 0);
            return; // closing an exchange without an answer closes its connection
        } else if (canned != null && canned.fault() == null) {
            canned.headers().forEach(exchange.getResponseHeaders()::set);
            empty(canned.status(), done);
        } else if (found.isEmpty()) {
            body(404, "<html>not found</html>".getBytes(java.nio.charset.StandardCharsets.US_ASCII), done);
        } else {
            object(found.get(), done);
        }
    }

    /** Sends an object, or the part that the header Range names. */
    private void object(Resource object, Done done) throws IOException, InterruptedException {
        Headers headers = exchange.getResponseHeaders();
        String tag = (has(Quirk.WEAK_ETAG) ? "W/" : "") + "\"" + object.etag() + "\"";
        if (!has(Quirk.NO_ETAG)) {
            headers.set("ETag", tag);
        }
        if (!has(Quirk.NO_LAST_MODIFIED)) {
            headers.set(
                    "Last-Modified",
                    DateTimeFormatter.RFC_1123_DATE_TIME.format(
                            object.modified().atOffset(ZoneOffset.UTC)));
        }
        if (has(Quirk.GZIP)) {
            headers.set("Content-Encoding", "gzip");
        }
        if (!has(Quirk.NO_ACCEPT_RANGES)) {
            headers.set("Accept-Ranges", has(Quirk.NO_RANGES) ? "none" : "bytes");
        }
        String match = exchange.getRequestHeaders().getFirst("If-Match");
        if (match != null
                && !has(Quirk.NO_IF_MATCH)
                && !match.equals("*")
                && Arrays.stream(match.split(",")).noneMatch(m -> m.strip().equals(tag))) {
            empty(412, done);
            return;
        }
        String requestedRange = exchange.getRequestHeaders().getFirst("Range");
        Matcher range = RANGE.matcher(requestedRange == null || has(Quirk.NO_RANGES) ? "" : requestedRange);
        if (!range.matches() || range.group().equals("bytes=-")) {
            stream(object, 200, 0, object.size(), done);
        } else if (range.group(1).isEmpty()) {
            suffix(object, Long.parseLong(range.group(2)), done);
        } else {
            long last = range.group(2).isEmpty() ? Long.MAX_VALUE : Long.parseLong(range.group(2));
            part(object, Long.parseLong(range.group(1)), Math.min(last, object.size() - 1), done);
        }
    }

    /** Sends the last {@code length} bytes, or one of the ways in which servers do not support such ranges. */
    private void suffix(Resource object, long length, Done done) throws IOException, InterruptedException {
        if (has(Quirk.SUFFIX_IS_WHOLE)) {
            stream(object, 200, 0, object.size(), done);
        } else if (has(Quirk.SUFFIX_400) || has(Quirk.SUFFIX_501)) {
            empty(has(Quirk.SUFFIX_400) ? 400 : 501, done);
        } else if (has(Quirk.SUFFIX_416_BARE)) {
            empty(416, done);
        } else if (has(Quirk.SUFFIX_416) || length == 0) {
            unsatisfied(object, done);
        } else {
            part(object, Math.max(0, object.size() - length), object.size() - 1, done);
        }
    }

    /** Answers that the object does not have the range. */
    private void unsatisfied(Resource object, Done done) throws IOException {
        exchange.getResponseHeaders().set("Content-Range", "bytes */" + object.size());
        empty(416, done);
    }

    /** Sends the bytes {@code first} to {@code last} as a range. */
    private void part(Resource object, long first, long last, Done done) throws IOException, InterruptedException {
        if (first > last) {
            unsatisfied(object, done);
            return;
        }
        long from = has(Quirk.OTHER_RANGE) ? 0 : first;
        long to = has(Quirk.OTHER_RANGE) ? object.size() - 1 : last;
        long shift = has(Quirk.WRONG_CONTENT_RANGE) ? 1 : 0;
        if (!has(Quirk.NO_CONTENT_RANGE)) {
            exchange.getResponseHeaders()
                    .set(
                            "Content-Range",
                            "bytes " + (from + shift) + "-" + (to + shift) + "/"
                                    + (has(Quirk.UNKNOWN_TOTAL) ? "*" : object.size()));
        }
        stream(object, 206, from, to - from + 1, done);
    }

    /** Sends a response without a body. */
    private void empty(int status, Done done) throws IOException {
        done.answered(status, 0);
        exchange.sendResponseHeaders(status, -1);
    }

    private void body(int status, byte[] body, Done done) throws IOException {
        done.answered(status, body.length);
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(status, -1);
            return;
        }
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    /** Sends bytes of the object, with the faults and quirks of bodies. */
    private void stream(Resource object, int status, long offset, long length, Done done)
            throws IOException, InterruptedException {
        long announced = length + (has(Quirk.LONG_BODY) ? 1 : 0);
        long sent = suffers(Fault.SHORT_BODY) ? length / 2 : length;
        done.answered(status, exchange.getRequestMethod().equals("HEAD") ? 0 : sent);
        if (exchange.getRequestMethod().equals("HEAD") || length == 0) {
            exchange.getResponseHeaders().set("Content-Length", Long.toString(length));
            exchange.sendResponseHeaders(status, -1);
            return;
        }
        boolean chunked = has(Quirk.NO_LENGTH) || has(Quirk.ENDLESS);
        exchange.sendResponseHeaders(status, chunked ? 0 : announced);
        OutputStream out = exchange.getResponseBody();
        try (InputStream in = object.open().at(offset)) {
            copy(in, out, sent / 2);
            if (hold != null) {
                out.flush();
                hold.pass();
            }
            copy(in, out, sent - sent / 2);
        }
        if (has(Quirk.LONG_BODY)) {
            out.write(0);
        }
        while (has(Quirk.ENDLESS)) {
            out.write(new byte[1 << 14]);
        }
        if (suffers(Fault.SHORT_BODY)) {
            out.flush(); // newer JDKs send the head with the first flush of the body; without it, nothing would be sent
            return; // closing the exchange with bytes missing closes its connection
        }
        out.close();
    }

    private static void copy(InputStream in, OutputStream out, long length) throws IOException {
        byte[] buffer = new byte[1 << 16];
        for (long left = length; left > 0; ) {
            int count = in.read(buffer, 0, (int) Math.min(left, buffer.length));
            if (count < 0) {
                throw new IOException("a file became shorter");
            }
            out.write(buffer, 0, count);
            left -= count;
        }
    }
}
