package dev.shardkit.cli;

import dev.shardkit.store.cloudtest.GcsServer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;

/** The commands on {@code gs:} locations. */
@Tag("one-jdk")
@Tag("long")
class GcsCommandsTest extends CloudCommands {
    private static final AtomicInteger PLACES = new AtomicInteger();

    private final String root = "gs://" + GcsServer.BUCKET + "/c%20li/" + PLACES.incrementAndGet();

    @Override
    List<String> server() {
        return List.of("--gs-endpoint", GcsServer.endpoint().toString());
    }

    @Override
    String at(String name) {
        return root + "/" + name;
    }
}
