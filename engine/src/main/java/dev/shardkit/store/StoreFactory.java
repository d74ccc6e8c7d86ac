package dev.shardkit.store;

import dev.shardkit.spi.Extension;
import java.io.IOException;
import java.net.URI;
import java.util.function.Function;

/**
 * Opens stores of one URI scheme ({@link #name()}). Register it in
 * {@code META-INF/services/dev.shardkit.store.StoreFactory}. Thread-safe.
 */
public interface StoreFactory extends Extension {
    /**
     * Opens the store whose root is {@code uri}; nothing is created before the first write.
     *
     * @throws IllegalArgumentException if the URI is none of this scheme's
     */
    Store open(URI uri) throws IOException;

    /**
     * As {@link #open(URI)}, for stores that read from others.
     *
     * @param others opens them, by the plug-ins of the registry that this factory is of
     */
    default Store open(URI uri, Function<URI, Store> others) throws IOException {
        return open(uri);
    }

    /**
     * As {@link #open(URI, Function)}, for stores that may meet symbolic links. By default the choice has no effect.
     *
     * @param links whether links that lead out of the root are followed
     */
    default Store open(URI uri, Links links, Function<URI, Store> others) throws IOException {
        return open(uri, others);
    }
}
