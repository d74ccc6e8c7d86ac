package dev.shardkit.store.file;

import dev.shardkit.spi.Extension;
import dev.shardkit.store.Links;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreFactory;
import java.net.URI;
import java.nio.file.Path;
import java.util.function.Function;

/** Opens {@code file:/absolute/path}: a {@link FileStore}. Thread-safe. */
public final class FileStoreFactory implements StoreFactory {
    /** For {@link java.util.ServiceLoader}. */
    public FileStoreFactory() {}

    @Override
    public String name() {
        return "file";
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    @Override
    public Store open(URI uri) {
        return open(uri, Links.REFUSE, other -> {
            throw new IllegalStateException("a file store does not open other stores");
        });
    }

    @Override
    public Store open(URI uri, Links links, Function<URI, Store> others) {
        if (!"file".equalsIgnoreCase(uri.getScheme())) {
            throw new IllegalArgumentException(
                    "expected file:/absolute/path, found another scheme: " + uri.getScheme());
        }
        // Path.of rejects hosts, queries, fragments and relative paths.
        boolean named = "localhost".equals(uri.getAuthority());
        return FileStore.at(
                Path.of(named ? URI.create("file://" + uri.getRawPath()) : uri),
                links == Links.FOLLOW ? LinkPolicy.ANYWHERE : LinkPolicy.INSIDE_ROOT);
    }
}
