package dev.shardkit.store.cloudtest;

import java.net.URI;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Map;

/** The fake-gcs-server of the tests of this JVM, with an empty bucket. */
public final class GcsServer {
    /** The name of the bucket. */
    public static final String BUCKET = "tests";

    private static final Emulator SERVER = Emulator.start(
            "fake-gcs",
            "fake-gcs-server-v1.56.1/fake-gcs-server",
            List.of(
                    "{file}",
                    "-backend",
                    "memory",
                    "-scheme",
                    "http",
                    "-host",
                    "127.0.0.1",
                    "-port",
                    "{port}",
                    "-log-level",
                    "error"),
            Map.of());
    private static boolean made;

    private GcsServer() {}

    /** Returns the endpoint; skips the test if there is no server. */
    public static synchronized URI endpoint() {
        URI server = SERVER.uri();
        if (!made) {
            HttpRequest create = HttpRequest.newBuilder(server.resolve("/storage/v1/b?project=p"))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"name\":\"" + BUCKET + "\"}"))
                    .build();
            Emulator.check(create, 200);
            made = true;
        }
        return server;
    }
}
