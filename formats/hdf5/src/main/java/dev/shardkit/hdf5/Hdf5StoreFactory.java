package dev.shardkit.hdf5;

import dev.shardkit.reference.ReferenceStore;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Snapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreAccess;
import dev.shardkit.store.StoreFactory;
import dev.shardkit.store.internal.NestedLocation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * Opens {@code hdf5:FILE!PATH}: the group or dataset at {@code PATH} (default: the root group) of the HDF5 or NetCDF4
 * file at {@code FILE}, a URL of any store or a path. The store is read-only. The structures of the file, including the
 * indexes of chunks below {@code PATH}, are read when the store is opened. Thread-safe.
 */
public final class Hdf5StoreFactory implements StoreFactory {
    private static final String EXPECTED = "expected hdf5:FILE!PATH with the name of a file";

    /** For {@link java.util.ServiceLoader}. */
    public Hdf5StoreFactory() {}

    @Override
    public String name() {
        return Hdf5.SCHEME;
    }

    @Override
    public int priority() {
        return Extension.BUILT_IN;
    }

    /** Always throws: a registry opens the store that holds the file. */
    @Override
    public Store open(URI uri) {
        throw new IllegalArgumentException("open an HDF5 file with a registry");
    }

    @Override
    public Store open(URI uri, Function<URI, Store> others) throws IOException {
        NestedLocation nested = NestedLocation.of(uri);
        URI location = NestedLocation.urlOrPath(nested.outer(), EXPECTED + ", found ");
        String text = location.toString();
        int query = text.indexOf('?') < 0 ? text.length() : text.indexOf('?');
        String path = text.substring(0, query);
        int slash = path.lastIndexOf('/');
        String name = URI.create("x:/" + path.substring(slash + 1)).getPath().substring(1);
        if (slash < 0 || name.isEmpty()) {
            throw new IllegalArgumentException(EXPECTED + ", found none");
        }
        URI folder = URI.create(path.substring(0, slash + 1) + text.substring(query));
        String inner = nested.inner().replaceAll("^/+|/+$", "");
        Json.Obj references;
        try (Store store = others.apply(folder)) {
            references = references(StoreAccess.to(store), name, inner);
        }
        return ReferenceStore.builder(location, others).open(references, Hdf5.SCHEME);
    }

    private static Json.Obj references(StoreAccess store, String name, String inner) throws IOException {
        try (Snapshot file = store.open(name)
                .orElseThrow(() -> new StoreException("there is no file " + name + " in " + store.describe()))) {
            String encoded = URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
            ZarrDocuments documents = new ZarrDocuments(encoded, file.size());
            FileTree.read(file, inner, true, documents);
            file.confirm();
            return documents.references();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
