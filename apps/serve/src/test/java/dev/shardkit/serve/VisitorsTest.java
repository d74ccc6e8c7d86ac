package dev.shardkit.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Hosts, origins and methods that the server answers or refuses. */
class VisitorsTest extends ServedObjects {
    @ParameterizedTest
    @CsvSource({
        "Host: localhost, 200",
        "Host: LOCALHOST.:80, 200",
        "Host: 127.0.0.1:1, 200",
        "Host: 192.168.1.7, 200",
        "Host: [::1]:8080, 200",
        "Host: evil.example, 421",
        "Host: 127.0.0.1.evil.example:80, 421",
        "Host: localhost@evil.example, 400",
        "Host:, 400",
        "Host: a b, 400"
    })
    void host_mustNameThisMachine(String header, int status) throws IOException {
        assertEquals(status, RawHttp.get(server, "/deep/zarr.json", header).status());
    }

    @Test
    void host_mustBeGivenOnce() throws IOException {
        assertEquals(
                400,
                RawHttp.get(server, "/deep/zarr.json", "Host: localhost", "Host: localhost")
                        .status());
        try (RawHttp http = RawHttp.to(server)) {
            http.send("GET /deep/zarr.json HTTP/1.0\r\n\r\n");
            assertEquals(400, http.reply(false).status());
        }
        try (DataServer named =
                DataServer.start(store, ServerOptions.defaults().withHostNames(List.of("Data.Example")))) {
            assertEquals(
                    200,
                    RawHttp.get(named, "/deep/zarr.json", "Host: data.example:8443")
                            .status());
        }
    }

    @Test
    void origins_mayReadIfAllowed() throws IOException {
        String allowed = "Origin: https://viewer.example";
        RawHttp.Reply reply = RawHttp.get(server, "/deep/zarr.json", allowed);
        assertEquals(200, reply.status());
        assertEquals("https://viewer.example", reply.header("access-control-allow-origin"));
        assertTrue(reply.header("access-control-expose-headers").contains("Content-Range"));
        assertEquals("Origin", reply.header("vary"));
        RawHttp.Reply preflight = RawHttp.request(
                server,
                "OPTIONS",
                "/deep/zarr.json",
                allowed,
                "Access-Control-Request-Method: GET",
                "Access-Control-Request-Private-Network: true");
        assertEquals(204, preflight.status());
        assertEquals("true", preflight.header("access-control-allow-private-network"));
        assertTrue(preflight.header("access-control-allow-headers").contains("Range"));
        for (String origin :
                List.of("https://other.example", "http://viewer.example", "null", "https://viewer.example.evil")) {
            RawHttp.Reply refused = RawHttp.get(server, "/deep/zarr.json", "Origin: " + origin);
            assertEquals(403, refused.status(), origin);
            assertEquals("", refused.header("access-control-allow-origin"));
            RawHttp.Reply asked = RawHttp.request(
                    server, "OPTIONS", "/", "Origin: " + origin, "Access-Control-Request-Private-Network: true");
            assertEquals("", asked.header("access-control-allow-private-network"));
        }
        RawHttp.Reply own = RawHttp.get(server, "/deep/zarr.json", "Host: localhost:7", "Origin: http://localhost:7");
        assertEquals(200, own.status());
        assertEquals("", own.header("access-control-allow-origin"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "null", "example.org", "https://example.org/path", "https://a b"})
    void origins_thatAreNone_areRefused(String origin) {
        assertThrows(
                IllegalArgumentException.class, () -> ServerOptions.defaults().withOrigins(List.of(origin)));
    }

    @Test
    void methods_thatWrite_areRefused() throws IOException {
        for (String method : List.of("PUT", "POST", "DELETE", "PATCH", "TRACE", "get")) {
            RawHttp.Reply reply = RawHttp.request(server, method, "/bytes");
            assertEquals(405, reply.status(), method);
            assertEquals("GET, HEAD, OPTIONS", reply.header("allow"));
        }
        assertEquals(CONTENT.length, Files.size(folder.resolve("data/bytes")));
    }
}
