package dev.shardkit.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.serve.DataServer;
import dev.shardkit.serve.ServerOptions;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The snippets of docs/guide/serve.md. */
class ServeTest {
    @TempDir
    Path folder;

    @Test
    void serve() throws IOException {
        Zarr.createArray(folder.resolve("image.zarr").toString(), ArraySpec.of("uint8", 4))
                .close();
        // example: serve
        ServerOptions options = ServerOptions.defaults().withOrigins(List.of("https://viewer.example"));
        try (Store store = Zarr.openStore(folder.toString(), ZarrOptions.defaults());
                DataServer server = DataServer.start(store, options);
                ZarrArray array = Zarr.openArray(server.url() + "image.zarr")) {
            assertEquals(4, array.shape()[0]);
        }
        // end
    }
}
