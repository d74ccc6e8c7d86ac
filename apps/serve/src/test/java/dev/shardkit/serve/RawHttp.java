package dev.shardkit.serve;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A connection that sends exactly the given bytes: HTTP clients correct or refuse most wrong requests. */
final class RawHttp implements AutoCloseable {
    private static final int HANG_MILLIS = 120_000;

    private final Socket socket;
    private final InputStream in;

    private RawHttp(Socket socket) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
    }

    static RawHttp to(DataServer server) throws IOException {
        URI url = server.url();
        Socket socket = new Socket(InetAddress.getByName(url.getHost()), url.getPort());
        socket.setSoTimeout(HANG_MILLIS);
        return new RawHttp(socket);
    }

    /** An answer; header names are in lower case. */
    record Reply(int status, Map<String, String> headers, byte[] body) {
        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }

        String header(String name) {
            return headers.getOrDefault(name, "");
        }
    }

    /** Sends one request on a connection of its own. */
    static Reply get(DataServer server, String path, String... headers) throws IOException {
        return request(server, "GET", path, headers);
    }

    static Reply request(DataServer server, String method, String path, String... headers) throws IOException {
        try (RawHttp http = to(server)) {
            return http.ask(method, path, headers);
        }
    }

    Reply ask(String method, String path, String... headers) throws IOException {
        boolean hasHost = String.join("\n", headers).contains("Host:");
        String host = hasHost ? "" : "Host: 127.0.0.1:" + socket.getPort() + "\r\n";
        send(method + " " + path + " HTTP/1.1\r\n" + host
                + (headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n") + "\r\n");
        return reply(method.equals("HEAD"));
    }

    void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /** Says that nothing more will be sent. */
    void finish() throws IOException {
        socket.shutdownOutput();
    }

    Reply reply(boolean isHead) throws IOException {
        int status = Integer.parseInt(line().split(" ")[1]);
        Map<String, String> headers = new TreeMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.merge(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip(),
                    (a, b) -> a + ", " + b);
        }
        long length = isHead || status == 304 ? 0 : Long.parseLong(headers.getOrDefault("content-length", "0"));
        byte[] body = in.readNBytes((int) length);
        return new Reply(status, headers, body);
    }

    /** Reads until the server closes the connection, and returns the number of bytes. */
    long drain() {
        long count = 0;
        try {
            byte[] buffer = new byte[1 << 16];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                count += n;
            }
            return count;
        } catch (SocketTimeoutException e) {
            throw new AssertionError("the server did not close the connection", e);
        } catch (IOException e) {
            return count; // reset by the server
        }
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the server closed the connection");
            }
            line.write(c);
        }
        return line.toString(StandardCharsets.ISO_8859_1).strip();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
