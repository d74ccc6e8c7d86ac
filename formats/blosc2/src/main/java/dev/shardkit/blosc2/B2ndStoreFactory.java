package dev.shardkit.blosc2;

import dev.shardkit.reference.ReferenceStore;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Snapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreAccess;
import dev.shardkit.store.StoreFactory;
import dev.shardkit.store.internal.FileLocation;
import dev.shardkit.store.internal.StructureVersions;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Opens {@code b2nd:LOCATION}: the array in the frame at {@code LOCATION}, a URL of any store or a path, of a file or
 * of the folder of a sparse frame. The store is read-only and has the array at its root. The index of chunks is read
 * when the store is opened. Thread-safe.
 */
public final class B2ndStoreFactory implements StoreFactory {
    static final String SCHEME = "b2nd";
    private static final String EXPECTED = "expected b2nd:LOCATION with the name of a file or folder; found ";
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
        String text = uri.getRawSchemeSpecificPart().replaceAll("/+(?=\\?|$)", "");
        FileLocation location = FileLocation.of(text, EXPECTED);
        Store store = others.apply(location.folder());
        boolean done = false;
        try {
            Found found = find(StoreAccess.to(store), location.name());
            String described = SCHEME + ":" + StoreKeys.join(store.describe(), location.name());
            Store opened = ReferenceStore.of(
                    found.frame().references(location.name(), found.fileSize()),
                    Map.of(),
                    store,
                    location.folder(),
                    found.versions(),
                    described);
            done = true;
            return opened;
        } finally {
            if (!done) {
                store.close();
            }
        }
    }

    private record Found(Blosc2Frame frame, long fileSize, Map<String, String> versions) {}

    private static Found find(StoreAccess store, String name) throws IOException {
        Optional<Snapshot> found = store.open(name + SPARSE);
        if (found.isEmpty()) {
            found = store.open(name);
        }
        try (Snapshot file = found.orElseThrow(() -> new StoreException("there is no frame of Blosc2: neither a file "
                + name + " nor " + name + SPARSE + "; shardkit reads such frames and does not write them"))) {
            Blosc2Frame frame = Blosc2Frame.read((offset, length) -> {
                long left = Math.max(0, file.size() - offset);
                byte[] bytes = new byte[(int) Math.min(length, left)];
                file.read(offset, ByteBuffer.wrap(bytes));
                return bytes;
            });
            return new Found(frame, file.size(), StructureVersions.of(name, file));
        }
    }
}
