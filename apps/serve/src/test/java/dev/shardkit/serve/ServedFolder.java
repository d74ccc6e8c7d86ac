package dev.shardkit.serve;

import dev.shardkit.store.file.FileStore;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A folder with a server for each test. */
abstract class ServedFolder {
    @TempDir
    Path folder;

    FileStore store;
    DataServer server;

    @BeforeEach
    void start() throws IOException {
        fill();
        store = FileStore.at(root());
        server = DataServer.start(store, options());
    }

    @AfterEach
    void stop() {
        server.close();
        store.close();
    }

    /** Creates files before the server starts. */
    void fill() throws IOException {}

    /** Returns the folder that is served. */
    Path root() {
        return folder;
    }

    ServerOptions options() {
        return ServerOptions.defaults();
    }
}
