package dev.shardkit.region;

import dev.shardkit.engine.edit.WriteContext;
import dev.shardkit.engine.run.ReadContext;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.region.box.RegionCheck;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.SystemErrorText;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Compares the metadata of a handle with the stored document. Since the handle was opened, the array may have been
 * deleted, replaced or resized. Before each write, this class checks the version of the document and reads the document
 * again if the version changed. Thread-safe.
 */
public final class StoredShapeCheck {
    /** The members that identify a layout, besides the shape. */
    private static final List<String> LAYOUT =
            List.of("data_type", "chunk_grid", "chunk_key_encoding", "codecs", "storage_transformers", "fill_value");

    private final StoredNode node;
    private final ArrayMetadata known;
    private volatile @Nullable ReadDocument lastRead;

    /** A document that was read. The version is that before the read, so the document may be newer. */
    private record ReadDocument(String version, ArrayMetadata metadata) {}

    public StoredShapeCheck(StoredNode node, ArrayMetadata known) {
        this.node = node;
        this.known = known;
    }

    /**
     * Returns the stored metadata of the array.
     *
     * @throws MetadataException if the array was deleted or replaced
     */
    public ArrayMetadata current() {
        node.refuseEnded();
        if (!node.session().isStored()) {
            return known;
        }
        String key = node.documentKey();
        Optional<String> version = node.store(store -> store.version(key));
        if (version.isEmpty()) {
            throw node.deletedError();
        }
        return read(version.get());
    }

    /** Returns the document of a version, which is read unless this object has seen that version. */
    private ArrayMetadata read(String version) {
        ReadDocument previous = lastRead;
        if (previous != null && previous.version().equals(version)) {
            return previous.metadata();
        }
        ArrayMetadata stored = node.current(known);
        refuseReplacement(stored);
        lastRead = new ReadDocument(version, stored); // read after the version: at worst, it is read again
        return stored;
    }

    /**
     * Throws if the array was deleted, replaced or got another layout during a call that has written elements. In a
     * store without locks another program can do this at any time, and its change may leave out the written elements.
     * Costs a request for the version of the document.
     */
    public void refuseLost() {
        try {
            current();
        } catch (MetadataException e) {
            throw node.located(new MetadataException(
                    e.fact() + "; the elements that this call wrote may be lost: check them, or write them again", e));
        }
    }

    /**
     * Throws if there is another array at the path now, or none.
     *
     * @throws MetadataException if the array was deleted or replaced
     */
    void refuseReplaced() {
        Optional<NodeMetadata> found = node.stored();
        if (found.isEmpty()) {
            throw node.deletedError();
        }
        refuseReplacement(node.current(known, found));
    }

    /** Returns how chunks are read: a call that misses an object of a local store runs {@link #refuseRemoved}. */
    public ReadContext reading() {
        return node.reading().checkedBy(ReplacedArrayCheck.of(node, this));
    }

    /**
     * Throws if the array is gone. A call that found a chunk absent runs this check before it takes the chunk as the
     * fill value: all chunks of a removed array are absent. Costs a request for the version of each document. The
     * document is read again if it has another version than this object has seen.
     *
     * @throws MetadataException if the array was deleted, moved or replaced
     */
    public void refuseRemoved() {
        for (String key : node.documents()) {
            Optional<String> version = version(key);
            if (version.isEmpty()) {
                throw removedError(key);
            }
            if (node.session().isStored()) {
                read(version.get());
            }
        }
    }

    /**
     * Throws if the array is no longer the one that was opened. An operation that publishes a result derived from the
     * array calls this method before it publishes. Attributes may have changed, and the array may have grown.
     *
     * @throws MetadataException if the array was deleted, moved, replaced or made smaller
     */
    public void refuseChanged() {
        if (!node.session().isStored()) {
            node.documents().stream()
                    .filter(key -> version(key).isEmpty())
                    .findFirst()
                    .ifPresent(key -> {
                        throw removedError(key);
                    });
            return;
        }
        Optional<NodeMetadata> found = node.stored();
        if (found.isEmpty()) {
            throw removedError(node.documentKey());
        }
        ArrayMetadata stored = node.current(known, found);
        refuseReplacement(stored);
        for (int d = 0; d < known.rank(); d++) {
            if (stored.shape()[d] < known.shape()[d]) {
                throw replacedError("its shape is " + Arrays.toString(stored.shape()) + " now");
            }
        }
    }

    private Optional<String> version(String key) {
        try {
            return node.session().objects().version(key);
        } catch (IOException e) {
            throw node.located(new StoreException(
                    "cannot find out whether the array is still there: " + SystemErrorText.of(e), e));
        }
    }

    private RuntimeException removedError(String key) {
        return node.located(new MetadataException("the array was moved or removed while it was read: "
                + StoreKeys.name(key) + " is not found; open the array at its new place"));
    }

    /** Returns a check for one call, which runs before the call stores anything. */
    public WriteContext.Guard guard() {
        return new Guard();
    }

    private final class Guard implements WriteContext.Guard {
        /** The generation of the first lock of the call: it changes if the array is deleted and created again. */
        private final AtomicReference<String> firstGeneration = new AtomicReference<>();

        @Override
        public void check(String generation) throws IOException {
            if (!node.session().isStored()) {
                return;
            }
            Optional<String> version = node.session().objects().version(node.documentKey());
            if (version.isEmpty()) {
                throw node.deletedError();
            }
            ReadDocument previous = lastRead;
            if (previous == null || !previous.version().equals(version.get())) {
                current();
            }
            // A new array at the same path may have an equal document.
            if (!firstGeneration.compareAndSet(null, generation)
                    && !firstGeneration.get().equals(generation)) {
                throw replacedError("it was deleted and made again");
            }
        }

        @Override
        public void checkAgain() {
            refuseLost();
        }
    }

    /** Throws {@code IndexOutOfBoundsException} if the region is no longer in the array. */
    public void refuseOutside(ArrayMetadata stored, Box region) {
        if (!Arrays.equals(stored.shape(), known.shape())) {
            RegionCheck.in(stored.shape(), region);
        }
    }

    /** Throws if the stored array has another rank or layout. Its shape and attributes may differ. */
    private void refuseReplacement(ArrayMetadata stored) {
        if (stored.rank() == known.rank()) {
            Json.Obj expected = MetadataWriter.document(known.withShape(stored.shape()));
            Json.Obj found = MetadataWriter.document(stored);
            Optional<String> difference = LAYOUT.stream()
                    .filter(m -> !found.get(m).equals(expected.get(m)))
                    .findFirst();
            if (difference.isEmpty()) {
                return;
            }
            throw replacedError(difference.get() + " is "
                    + found.get(difference.get()).map(Json::toString).orElse("not there") + " now");
        }
        throw replacedError("it has " + stored.rank() + " dimensions now");
    }

    private RuntimeException replacedError(String difference) {
        return node.located(
                new MetadataException("the array was replaced since it was opened: " + difference + "; open it again"));
    }
}
