package dev.shardkit.hdf5;

import dev.shardkit.spi.Extension;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreFactory;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.keys.NestedLocation;
import dev.shardkit.store.keys.ObjectAddress;
import dev.shardkit.store.objects.PinnedStructures;
import dev.shardkit.store.reference.ReferenceStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.function.Function;

/**
 * Opens {@code hdf5:FILE!PATH}: the group or dataset at {@code PATH} (default: the root group) of the HDF5 or NetCDF4
 * file at {@code FILE}, a URL of any store or a path. The last {@code !} of a location always precedes {@code PATH}. So
 * the location of a file in an archive needs a {@code !} at its end: {@code hdf5:zip:a.zip!b.h5!}. The store is
 * read-only. Opening the store reads the structures of the file, including the chunk indexes below {@code PATH}.
 * Thread-safe.
 */
public final class Hdf5StoreFactory implements StoreFactory {
    private static final String SCHEME = "hdf5";
    private static final String EXPECTED =
            "expected hdf5:FILE!PATH with the URL or path of a file, and a '!' before " + "PATH; found ";

    /** For {@link java.util.ServiceLoader}. */
    public Hdf5StoreFactory() {}

    @Override
    public String name() {
        return SCHEME;
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
    public Store open(URI uri, Function<URI, Store> opener) throws IOException {
        if (uri.getRawFragment() != null) {
            throw new IllegalArgumentException(EXPECTED + "a fragment; write # in a name as %23");
        }
        NestedLocation nested = NestedLocation.of(uri);
        ObjectAddress location = ObjectAddress.of(nested.outer(), EXPECTED);
        String inner = nested.inner();
        Store store = openFolder(location.folder(), inner, opener);
        boolean isOpen = false;
        try {
            Store opened = open(store, location, inner);
            isOpen = true;
            return opened;
        } finally {
            if (!isOpen) {
                store.close();
            }
        }
    }

    /** Opens the store that holds the file. */
    private static Store openFolder(URI folder, String inner, Function<URI, Store> opener) {
        try {
            return opener.apply(folder);
        } catch (IllegalArgumentException e) {
            if (inner.isEmpty()) {
                throw e;
            }
            throw new IllegalArgumentException(
                    e.getMessage() + "; the location of a file that contains a '!' itself needs one more at the end",
                    e);
        }
    }

    /** Reads the structures of the file and opens a store of references to its chunks. */
    private static Store open(Store store, ObjectAddress location, String inner) throws IOException {
        String name = location.name();
        try (ObjectSnapshot file = BlockingStore.to(store)
                .open(name)
                .orElseThrow(() -> new StoreException("there is no file " + name + " in " + store.describe()
                        + "; shardkit reads HDF5 files and does not write them"))) {
            ZarrDocuments documents = new ZarrDocuments(name, inner, file.size());
            FileTree.read(file, inner, true, documents);
            file.confirm();
            String description =
                    SCHEME + ":" + StoreKeys.location(store.describe(), name) + (inner.isEmpty() ? "" : "!" + inner);
            return ReferenceStore.of(
                    documents.references(),
                    documents.synthesizedChunks(),
                    store,
                    location.folder(),
                    PinnedStructures.of(name, file),
                    description);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
