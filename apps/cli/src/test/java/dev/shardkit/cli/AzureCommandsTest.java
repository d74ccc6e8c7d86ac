package dev.shardkit.cli;

import dev.shardkit.store.cloudtest.AzuriteServer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The commands on {@code az:} locations. */
@Tag("one-jdk")
@Tag("long")
class AzureCommandsTest extends CloudCommands {
    private static final AtomicInteger PLACES = new AtomicInteger();

    private final String root = "az://" + AzuriteServer.CONTAINER + "/c%20li/" + PLACES.incrementAndGet();

    @Override
    List<String> server() {
        return List.of("--az-endpoint", AzuriteServer.endpoint().toString());
    }

    @Override
    String at(String name) {
        return root + "/" + name;
    }

    @Test
    void missingAccount_isToldWithTheVariable() {
        Cli.bad(1, "AZURE_STORAGE_ACCOUNT", "info", "az://container/a.zarr");
    }
}
