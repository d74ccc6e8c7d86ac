package dev.shardkit.store;

import dev.shardkit.spi.Extension;
import dev.shardkit.store.policy.SymbolicLinks;
import java.io.IOException;
import java.net.URI;
import java.util.function.Function;

/**
 * Opens stores of one URI scheme ({@link #name()}). Register it in
 * {@code META-INF/services/dev.shardkit.store.StoreFactory}. Thread-safe.
 */
public interface StoreFactory extends Extension {
    /**
     * Opens the store whose root is {@code uri}. Creates nothing before the first write.
     *
     * @throws IllegalArgumentException if the URI is not valid for this scheme
     */
    Store open(URI uri) throws IOException;

    /**
     * Opens the store as {@link #open(URI)} does; for stores that read from other stores.
     *
     * @param others opens other stores, with the plug-ins of this factory's registry
     */
    default Store open(URI uri, Function<URI, Store> others) throws IOException {
        return open(uri);
    }

    /**
     * Opens the store as {@link #open(URI, Function)} does; for stores that may contain symbolic links. By default
     * {@code links} has no effect.
     *
     * @param links whether links that lead out of the root are followed
     */
    default Store open(URI uri, SymbolicLinks links, Function<URI, Store> others) throws IOException {
        return open(uri, others);
    }
}
