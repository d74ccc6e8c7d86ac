package dev.shardkit.serve;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A server of a few objects, beside a file that it must not serve. */
abstract class ServedObjects extends ServedFolder {
    static final byte[] CONTENT = new byte[600_000];

    static {
        for (int i = 0; i < CONTENT.length; i++) {
            CONTENT[i] = (byte) (i * 31 + i / 251);
        }
    }

    @Override
    void fill() throws IOException {
        Files.createDirectories(folder.resolve("data/deep/__shardkit"));
        Files.write(folder.resolve("data/bytes"), CONTENT);
        Files.write(folder.resolve("data/empty"), new byte[0]);
        Files.writeString(folder.resolve("data/deep/zarr.json"), "{}");
        Files.writeString(folder.resolve("data/deep/__shardkit/lock"), "private");
        Files.writeString(folder.resolve("secret"), "secret");
    }

    @Override
    Path root() {
        return folder.resolve("data");
    }

    @Override
    ServerOptions options() {
        return ServerOptions.defaults().withOrigins(List.of("https://Viewer.example:443/"));
    }
}
