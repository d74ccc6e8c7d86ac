package dev.shardkit.cli.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import dev.shardkit.cli.Cli;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The options for {@code s3:} reach the requests of all commands. */
class S3OptionsTest {
    private final List<String> paths = new CopyOnWriteArrayList<>();
    private final List<Headers> headers = new CopyOnWriteArrayList<>();
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            paths.add(exchange.getRequestURI().getPath());
            headers.add(exchange.getRequestHeaders());
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void options_reachTheRequests() {
        String endpoint = "http://127.0.0.1:" + server.getAddress().getPort();
        Cli.bad(
                1,
                "s3://bucket/a.zarr at " + endpoint,
                "--s3-endpoint",
                endpoint,
                "info",
                "--s3-anonymous",
                "--s3-requester-pays",
                "s3://bucket/a.zarr");
        assertTrue(paths.contains("/bucket/a.zarr/zarr.json"), paths.toString());
        assertEquals("requester", headers.get(0).getFirst("x-amz-request-payer"));
        assertFalse(headers.get(0).containsKey("Authorization"));
    }
}
