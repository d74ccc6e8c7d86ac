package dev.shardkit.testkit.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntSupplier;

/**
 * A request to a {@link FaultServer}, a server of tests that misbehaves on demand.
 *
 * @param key the path of the request, without the first slash
 * @param headers the headers, by lower-case name
 * @param number the number of the request since the fault was set, from 1
 */
record FaultRequest(String key, Map<String, String> headers, int number) {
    /** The first byte that a client of TLS sends. */
    private static final int TLS_HANDSHAKE = 22;
    /** The maximum size of a request's head in bytes. */
    private static final int MAX_HEAD = 1 << 16;

    /**
     * Reads a request. Returns empty if the server should close the connection: the client has ended it, begins TLS, or
     * sends a head that is too long.
     */
    static Optional<FaultRequest> read(InputStream in, IntSupplier number) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int end = 0; // the number of bytes of the final "\r\n\r\n" that have arrived
        while (end < 4) {
            int b = in.read();
            boolean tls = head.size() == 0 && b == TLS_HANDSHAKE;
            if (b < 0 || tls || head.size() > MAX_HEAD) {
                return Optional.empty();
            }
            head.write(b);
            end = b == "\r\n\r\n".charAt(end) ? end + 1 : b == '\r' ? 1 : 0;
        }
        String[] lines = head.toString(StandardCharsets.ISO_8859_1).split("\r\n");
        Map<String, String> headers = new HashMap<>();
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            headers.put(
                    lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
                    lines[i].substring(colon + 1).strip());
        }
        String path = URI.create(lines[0].split(" ")[1]).getPath().substring(1);
        return Optional.of(new FaultRequest(path, headers, number.getAsInt()));
    }

    /** Returns a header by its lower-case name. */
    Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }
}
