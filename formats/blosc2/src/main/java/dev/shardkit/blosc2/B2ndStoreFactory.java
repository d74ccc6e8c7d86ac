package dev.shardkit.blosc2;

import dev.shardkit.reference.ReferenceStore;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Snapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreAccess;
import dev.shardkit.store.StoreFactory;
import dev.shardkit.store.internal.NestedLocation;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;

/**
 * Opens {@code b2nd:LOCATION}: the array in the frame at {@code LOCATION}, a URL of any store or a path, of a file or
 * of the folder of a sparse frame. The store is read-only and has the array at its root. The index of chunks is read
 * when the store is opened. Thread-safe.
 */
public final class B2ndStoreFactory implements StoreFactory {
    static final String SCHEME = "b2nd";
    private static final String EXPECTED = "expected b2nd:LOCATION with the name of a file or folder";
    private static final String SPARSE = "/chunks.b2frame";

    /** For {@link java.util.ServiceLoader}. */
    public B2ndStoreFactory() {}

    @Override
    public String name() {
        return SCHEME;
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    /** Always throws: a registry opens the store that holds the frame. */
    @Override
    public Store open(URI uri) {
        throw new IllegalArgumentException("open a frame of Blosc2 with a registry");
    }

    @Override
    public Store open(URI uri, Function<URI, Store> others) throws IOException {
        URI location = NestedLocation.urlOrPath(uri.getRawSchemeSpecificPart(), EXPECTED + ", found ");
        String text = location.toString();
        int query = text.indexOf('?') < 0 ? text.length() : text.indexOf('?');
        String path = text.substring(0, query).replaceAll("/+$", "");
        int slash = path.lastIndexOf('/');
        String name = URI.create("x:/" + path.substring(slash + 1)).getPath().substring(1);
        if (slash < 0 || name.isEmpty()) {
            throw new IllegalArgumentException(EXPECTED + ", found none");
        }
        URI folder = URI.create(path.substring(0, slash + 1) + text.substring(query));
        Found found;
        try (Store store = others.apply(folder)) {
            found = find(StoreAccess.to(store), name);
        }
        String encoded = URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
        URI document = URI.create(path + text.substring(query));
        return ReferenceStore.builder(document, others)
                .open(found.frame().references(encoded, found.fileSize()), SCHEME);
    }

    private record Found(Frame frame, long fileSize) {}

    private static Found find(StoreAccess store, String name) throws IOException {
        Optional<Snapshot> found = store.open(name + SPARSE);
        if (found.isEmpty()) {
            found = store.open(name);
        }
        try (Snapshot file = found.orElseThrow(() ->
                new StoreException("there is no frame of Blosc2: neither a file " + name + " nor " + name + SPARSE))) {
            Frame frame = Frame.read((offset, length) -> {
                long left = Math.max(0, file.size() - offset);
                byte[] bytes = new byte[(int) Math.min(length, left)];
                file.read(offset, ByteBuffer.wrap(bytes));
                return bytes;
            });
            return new Found(frame, file.size());
        }
    }
}
