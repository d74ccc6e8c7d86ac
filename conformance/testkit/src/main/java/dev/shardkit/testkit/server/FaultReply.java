package dev.shardkit.testkit.server;

import dev.shardkit.testkit.server.FaultServer.Fault;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** The answers of a {@link FaultServer} on one connection. */
final class FaultReply {
    /** A Range header. 18 digits fit into a long; one of the numbers may be absent. */
    private static final Pattern RANGE = Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})");
    /** The bytes of {@link Fault#HUGE_HEAD}. */
    private static final int HUGE = 16 << 20;

    /** The time between two bytes of {@link Fault#DRIP}. */
    private static final int DRIP_MILLIS = 100;

    private final Socket connection;
    private final IntFunction<Fault> fault;

    /** @param fault returns the fault of a request, by its number */
    FaultReply(Socket connection, IntFunction<Fault> fault) {
        this.connection = connection;
        this.fault = fault;
    }

    /** Sends one answer; returns whether the connection stays open. */
    boolean send(FaultRequest asked, Optional<byte[]> object) throws IOException {
        Fault now = fault.apply(asked.number());
        switch (now) {
            case RESET_BEFORE_BODY:
                return reset();
            case NOT_HTTP:
                write("SSH-2.0-OpenSSH_9.6\r\n\r\n");
                return false;
            case GONE_MIDWAY:
                return asked.number() > 1 ? status("404 Not Found", "") : object(asked, object.orElse(null), now);
            case FORBIDDEN:
                return status("403 Forbidden", "");
            case TOO_MANY:
                return status("429 Too Many Requests", "Retry-After: 0\r\n");
            case ERROR_ONCE:
                return asked.number() == 1
                        ? status("500 Internal Server Error", "")
                        : object(asked, object.orElse(null), now);
            case ERROR_ALWAYS:
                return status("500 Internal Server Error", "");
            case REDIRECT_LOOP:
                return status("302 Found", "Location: /" + asked.key() + "\r\n");
            case REDIRECT_ELSEWHERE:
                return status("302 Found", "Location: http://127.0.0.2:1/" + asked.key() + "\r\n");
            case REDIRECT_DOWNGRADE:
                return status("301 Moved Permanently", "Location: ftp://127.0.0.1/" + asked.key() + "\r\n");
            case UNSATISFIABLE:
                return asked.header("range").isPresent()
                        ? status("416 Range Not Satisfiable", "")
                        : object(asked, object.orElse(null), now);
            default:
                return object(asked, object.orElse(null), now);
        }
    }

    /** Sends an object, or the part that the header Range names, with the fault. */
    private boolean object(FaultRequest asked, byte @Nullable [] object, Fault now) throws IOException {
        if (object == null) {
            return status("404 Not Found", "");
        }
        byte[] bytes = object;
        String tag = now == Fault.CHANGING_ETAGS ? "\"" + asked.number() + "\"" : tag(bytes);
        if (now != Fault.CHANGING_ETAGS
                && asked.header("if-match").filter(t -> !t.equals(tag)).isPresent()) {
            return status("412 Precondition Failed", "");
        }
        Matcher range = RANGE.matcher(asked.header("range").orElse(""));
        boolean isPartial = range.matches() && now != Fault.OK_FOR_PARTIAL && now != Fault.HTTP_1_0;
        int first = isPartial ? first(range, bytes.length) : 0;
        int end = isPartial ? end(range, bytes.length) : bytes.length;
        if (first >= end && bytes.length > 0) {
            return status("416 Range Not Satisfiable", "Content-Range: bytes */" + bytes.length + "\r\n");
        }
        String head = "ETag: " + tag + "\r\n" + (now == Fault.OK_FOR_PARTIAL ? "" : "Accept-Ranges: bytes\r\n");
        if (isPartial && now != Fault.NO_CONTENT_RANGE && now != Fault.MULTIPART) {
            int shift = now == Fault.WRONG_CONTENT_RANGE ? 1 : 0;
            head += "Content-Range: bytes " + (first + shift) + "-" + (end - 1 + shift) + "/" + bytes.length + "\r\n";
        }
        return body(now, isPartial, head, Arrays.copyOfRange(bytes, first, end));
    }

    /** Returns the first byte of a range. A range without a first byte ({@code bytes=-9}) is of the last bytes. */
    private static int first(Matcher range, int size) {
        return (int)
                (range.group(1).isEmpty()
                        ? Math.max(0, size - Long.parseLong(range.group(2)))
                        : Math.min(size, Long.parseLong(range.group(1))));
    }

    private static int end(Matcher range, int size) {
        return (int)
                (range.group(1).isEmpty() || range.group(2).isEmpty()
                        ? size
                        : Math.min(size, Long.parseLong(range.group(2)) + 1));
    }

    private static String tag(byte[] bytes) {
        CRC32 sum = new CRC32();
        sum.update(bytes);
        return "\"" + Long.toHexString(sum.getValue()) + "\"";
    }

    /** Sends a head and a body, with the fault. Like all methods that send, returns whether the connection stays. */
    private boolean body(Fault now, boolean isPartial, String head, byte[] content) throws IOException {
        String status = isPartial ? "HTTP/1.1 206 Partial Content\r\n" : "HTTP/1.1 200 OK\r\n";
        String lengths = "Content-Length: " + (content.length + (now == Fault.WRONG_LENGTH ? 1 : 0)) + "\r\n\r\n";
        switch (now) {
            case HTTP_1_0:
                write("HTTP/1.0 200 OK\r\n" + head + "\r\n");
                write(content, content.length);
                return false;
            case ENDLESS_BODY:
                write(status + head + "Transfer-Encoding: chunked\r\n\r\n");
                return endless(content);
            case HUGE_HEAD:
                write(status + head);
                for (int i = 0; i < HUGE / 1024; i++) {
                    write("X-" + i + ": " + "x".repeat(1000) + "\r\n");
                }
                write(lengths);
                break;
            case GZIP:
                byte[] packed = gzip(content);
                write(status + head + "Content-Encoding: gzip\r\nContent-Length: " + packed.length + "\r\n\r\n");
                write(packed, packed.length);
                return true;
            case MULTIPART:
                return isPartial ? multipart(status + head, content) : plain(status + head + lengths, content);
            default:
                write(status + head + lengths);
        }
        return broken(now, content);
    }

    private boolean plain(String head, byte[] content) throws IOException {
        write(head);
        write(content, content.length);
        return true;
    }

    /** Sends the body, after its head, with a fault of bodies or of the connection. */
    private boolean broken(Fault now, byte[] content) throws IOException {
        switch (now) {
            case RESET_IN_BODY:
                write(content, content.length / 2);
                return reset();
            case SHORT_BODY:
                write(content, content.length / 2);
                return false;
            case STALL:
                write(content, content.length / 2);
                connection.getInputStream().read(); // until the client disconnects
                return false;
            case DRIP:
                return drip(content);
            case WRONG_LENGTH:
            case CLOSED_KEEP_ALIVE:
                write(content, content.length);
                return false;
            default:
                write(content, content.length);
                return true;
        }
    }

    /** Sends a byte each time that the client has waited a tenth of a second; ends when the client disconnects. */
    private boolean drip(byte[] content) throws IOException {
        for (byte b : content) {
            write(new byte[] {b}, 1);
            connection.setSoTimeout(DRIP_MILLIS);
            try {
                connection.getInputStream().read(); // a client sends nothing before it has the answer
                return false;
            } catch (SocketTimeoutException e) {
                // it is still waiting
            }
        }
        connection.setSoTimeout(0);
        return true;
    }

    private boolean endless(byte[] content) throws IOException {
        byte[] more = new byte[1 << 14];
        System.arraycopy(content, 0, more, 0, Math.min(content.length, more.length));
        while (true) {
            write(Integer.toHexString(more.length) + "\r\n");
            write(more, more.length);
            write("\r\n");
        }
    }

    /** Sends one part. Its Content-Range is not the requested one: it always begins at 0, and names no size. */
    private boolean multipart(String head, byte[] content) throws IOException {
        byte[] before = ("--part\r\nContent-Type: application/octet-stream\r\nContent-Range: bytes 0-"
                        + (content.length - 1) + "/*\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1);
        byte[] after = "\r\n--part--\r\n".getBytes(StandardCharsets.ISO_8859_1);
        write(head + "Content-Type: multipart/byteranges; boundary=part\r\nContent-Length: "
                + (before.length + content.length + after.length) + "\r\n\r\n");
        write(before, before.length);
        write(content, content.length);
        write(after, after.length);
        return true;
    }

    private static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(content);
        }
        return packed.toByteArray();
    }

    private boolean status(String status, String headers) throws IOException {
        write("HTTP/1.1 " + status + "\r\n" + headers + "Content-Length: 0\r\n\r\n");
        return true;
    }

    /** Makes the closing of the connection a reset; returns that the connection does not stay open. */
    private boolean reset() throws IOException {
        connection.setSoLinger(true, 0);
        return false;
    }

    private void write(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        write(bytes, bytes.length);
    }

    private void write(byte[] bytes, int count) throws IOException {
        OutputStream out = connection.getOutputStream();
        out.write(bytes, 0, count);
        out.flush();
    }
}
