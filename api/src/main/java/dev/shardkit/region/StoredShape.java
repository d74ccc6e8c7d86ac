package dev.shardkit.region;

import dev.shardkit.engine.WriteContext;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Makes a handle write to the array as it is stored now. Since the handle was opened, the array may have been deleted,
 * replaced or resized. Each write checks the version of the document, and reads the document if the version changed.
 * Thread-safe.
 */
public final class StoredShape {
    /** The members that identify a layout, besides the shape. */
    private static final List<String> LAYOUT =
            List.of("data_type", "chunk_grid", "chunk_key_encoding", "codecs", "storage_transformers", "fill_value");

    private final StoredNode node;
    private final ArrayMetadata known;
    private volatile @Nullable Seen seen;

    /** The document as read last. */
    private record Seen(String version, ArrayMetadata metadata) {}

    public StoredShape(StoredNode node, ArrayMetadata known) {
        this.node = node;
        this.known = known;
    }

    /**
     * Returns the stored metadata of the array.
     *
     * @throws MetadataException if the array was deleted or replaced
     */
    public ArrayMetadata now() {
        node.refuseEnded();
        if (!node.session().isStored()) {
            return known;
        }
        String key = node.documentKey();
        Optional<String> version = node.store(store -> store.version(key));
        if (version.isEmpty()) {
            throw node.gone();
        }
        Seen before = seen;
        if (before != null && before.version().equals(version.get())) {
            return before.metadata();
        }
        ArrayMetadata stored = node.current(known);
        refuseAnother(stored);
        seen = new Seen(version.get(), stored); // read after the version: at worst, it is read again
        return stored;
    }

    /**
     * Throws if the array was deleted, replaced or got another layout during a call that has written elements. In a
     * store without locks another program can do this at any time, and its change may leave out the written elements.
     * Costs a request for the version of the document.
     */
    void refuseLost() {
        try {
            now();
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
        if (node.stored().isEmpty()) {
            throw node.gone();
        }
        refuseAnother(node.current(known));
    }

    /** Returns a check for one call, which runs before the call stores anything. */
    WriteContext.Guard guard() {
        return new Guard();
    }

    private final class Guard implements WriteContext.Guard {
        private final AtomicReference<String> first = new AtomicReference<>();

        @Override
        public void check(String generation) throws IOException {
            if (!node.session().isStored()) {
                return;
            }
            Optional<String> version = node.session().objects().version(node.documentKey());
            if (version.isEmpty()) {
                throw node.gone();
            }
            Seen before = seen;
            if (before == null || !before.version().equals(version.get())) {
                now();
            }
            // A new array at the same path may have an equal document.
            if (!first.compareAndSet(null, generation) && !first.get().equals(generation)) {
                throw another("it was deleted and made again");
            }
        }

        @Override
        public void checkAgain() {
            refuseLost();
        }
    }

    /** Throws {@code IndexOutOfBoundsException} if the region is no longer in the array. */
    public void refuseOutside(ArrayMetadata now, Box region) {
        if (!Arrays.equals(now.shape(), known.shape())) {
            Regions.in(now.shape(), region);
        }
    }

    private void refuseAnother(ArrayMetadata stored) {
        if (stored.rank() == known.rank()) {
            Json.Obj expected = MetadataWriter.document(known.withShape(stored.shape()));
            Json.Obj found = MetadataWriter.document(stored);
            Optional<String> other = LAYOUT.stream()
                    .filter(m -> !found.get(m).equals(expected.get(m)))
                    .findFirst();
            if (other.isEmpty()) {
                return;
            }
            throw another(other.get() + " is "
                    + found.get(other.get()).map(Json::toString).orElse("not there") + " now");
        }
        throw another("it has " + stored.rank() + " dimensions now");
    }

    private RuntimeException another(String what) {
        return node.located(
                new MetadataException("the array was replaced since it was opened: " + what + "; open it again"));
    }
}
