package dev.shardkit.blosc2;

import dev.shardkit.spi.Extension;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreFactory;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.keys.ObjectAddress;
import dev.shardkit.store.objects.PinnedStructures;
import dev.shardkit.store.reference.ReferenceStore;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Opens {@code b2nd:LOCATION}: the array in the frame at {@code LOCATION}. The location is a URL of any store or a
 * path. It names a file, or the folder of a sparse frame. The store is read-only and has the array at its root. Opening
 * it reads the index of chunks. Thread-safe.
 */
public final class B2ndStoreFactory implements StoreFactory {
    static final String SCHEME = "b2nd";
    private static final String EXPECTED = "expected b2nd:LOCATION with the name of a file or folder; found ";
    /** The file with the header and the index of a sparse frame, in its folder. */
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
    public Store open(URI uri, Function<URI, Store> opener) throws IOException {
        String text = uri.getRawSchemeSpecificPart().replaceAll("/+(?=\\?|$)", ""); // without slashes at its end
        ObjectAddress location = ObjectAddress.of(text, EXPECTED);
        Store store = opener.apply(location.folder());
        boolean isOpen = false;
        try {
            FoundFrame frame = readFrame(BlockingStore.to(store), location.name());
            String description = SCHEME + ":" + StoreKeys.join(store.describe(), location.name());
            Store opened = ReferenceStore.of(
                    frame.frame().toReferences(location.name(), frame.fileSize()),
                    Map.of(),
                    store,
                    location.folder(),
                    frame.versions(),
                    description);
            isOpen = true;
            return opened;
        } finally {
            if (!isOpen) {
                store.close();
            }
        }
    }

    /** A frame, the size of its file, and the versions of the files on which the references depend. */
    private record FoundFrame(Blosc2Frame frame, long fileSize, Map<String, String> versions) {}

    /** Reads the frame of this name: a folder with a sparse frame, or else a file with a contiguous one. */
    private static FoundFrame readFrame(BlockingStore store, String name) throws IOException {
        Optional<ObjectSnapshot> found = store.open(name + SPARSE);
        if (found.isEmpty()) {
            found = store.open(name);
        }
        try (ObjectSnapshot file =
                found.orElseThrow(() -> new StoreException("there is no frame of Blosc2: neither a file " + name
                        + " nor " + name + SPARSE + "; shardkit reads such frames and does not write them"))) {
            Blosc2Frame frame = Blosc2Frame.read((offset, length) -> {
                long remaining = Math.max(0, file.size() - offset);
                byte[] bytes = new byte[(int) Math.min(length, remaining)];
                file.read(offset, ByteBuffer.wrap(bytes));
                return bytes;
            });
            return new FoundFrame(frame, file.size(), PinnedStructures.of(name, file));
        }
    }
}
