package dev.shardkit.store.zip;

import dev.shardkit.spi.Extension;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreFactory;
import java.io.IOException;
import java.net.URI;
import java.util.function.Function;

/**
 * Opens {@code zip:URL!PATH}: a {@link ZipStore} of the archive at {@code URL} (a URL of any store, or a path), below
 * {@code PATH}, or the whole archive without {@code PATH}. With {@code #duplicates=last} at the end, the last of
 * several entries with one name is read. Thread-safe.
 */
public final class ZipStoreFactory implements StoreFactory {
    static final String SCHEME = "zip";

    /** For {@link java.util.ServiceLoader}. */
    public ZipStoreFactory() {}

    @Override
    public String name() {
        return SCHEME;
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    /** Always throws: a registry opens the store that holds the archive. */
    @Override
    public Store open(URI uri) {
        throw new IllegalArgumentException("open a ZIP archive with a registry or with ZipStore");
    }

    @Override
    public Store open(URI uri, Function<URI, Store> others) throws IOException {
        ZipLocation location = ZipLocation.of(uri);
        Store store = others.apply(location.folder());
        boolean isOpened = false;
        try {
            ZipStore.Builder builder = ZipStore.builder(store, location.name()).below(location.path());
            Store opened = (location.lastOfDuplicates() ? builder.lastOfDuplicates() : builder).open();
            isOpened = true;
            return opened;
        } finally {
            if (!isOpened) {
                store.close();
            }
        }
    }
}
