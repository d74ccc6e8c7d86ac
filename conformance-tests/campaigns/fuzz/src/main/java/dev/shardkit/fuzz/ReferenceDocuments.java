package dev.shardkit.fuzz;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Store;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.reference.ReferenceStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Optional;

/**
 * Fuzz target for the reference documents of Kerchunk. The input is the document, and also the file {@code data.bin}
 * that it may refer to. The store and the node at its root are opened.
 */
final class ReferenceDocuments {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults().withParallelism(1);
    private static final long MAX_REFERENCES = 10_000;
    private static final long MAX_BYTES = 1 << 20;

    private ReferenceDocuments() {}

    static void run(byte[] input) {
        MemoryStore documents = MemoryStore.create();
        Stored.put(documents, "refs.json", input);
        Stored.put(documents, "data.bin", input);
        Optional<Store> store = FuzzTarget.declared(() -> open(documents));
        store.flatMap(opened -> FuzzTarget.declared(() -> Zarr.find(opened, "", OPTIONS)));
    }

    private static Store open(MemoryStore documents) {
        try {
            return ReferenceStore.builder(URI.create("http://host.test/refs.json"), uri -> documents)
                    .maxReferences(MAX_REFERENCES)
                    .maxDocumentBytes(MAX_BYTES)
                    .open();
        } catch (ZarrException e) {
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
