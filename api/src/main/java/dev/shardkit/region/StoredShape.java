package dev.shardkit.region;

import dev.shardkit.engine.WriteContext;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Sees to it that a handle writes to the array as it is stored: it may have been deleted, replaced, or given another
 * shape since the handle was opened. A look at the document's version a write; it is read when that has changed.
 * Thread-safe.
 */
public final class StoredShape {
    /** What tells one layout from another, where the shape has no part in it. */
    private static final List<String> LAYOUT =
            List.of("data_type", "chunk_grid", "chunk_key_encoding", "codecs", "storage_transformers", "fill_value");

    private final StoredNode node;
    private final ArrayMetadata known;
    private volatile Optional<Seen> seen = Optional.empty();

    /** The document when it was looked at last. */
    private record Seen(String version, ArrayMetadata metadata) {}

    public StoredShape(StoredNode node, ArrayMetadata known) {
        this.node = node;
        this.known = known;
    }

    /**
     * The array's metadata as they are stored.
     *
     * @throws MetadataException if it is not there any more, or another
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
        Optional<Seen> before = seen;
        if (before.isPresent() && before.get().version().equals(version.get())) {
            return before.get().metadata();
        }
        ArrayMetadata stored = node.current(known);
        refuseAnother(stored);
        seen = Optional.of(new Seen(version.get(), stored)); // read later than the version: at worst it is read again
        return stored;
    }

    /** What a call checks before it stores anything; one for each call. */
    WriteContext.Guard guard() {
        AtomicReference<String> first = new AtomicReference<>();
        return generation -> {
            if (!node.session().isStored()) {
                return;
            }
            Optional<String> version = node.session().objects().version(node.documentKey());
            if (version.isEmpty()) {
                throw node.gone();
            }
            if (!seen.map(Seen::version).equals(version)) {
                now();
            }
            // An array that was made in its place may be described by the same words.
            if (!first.compareAndSet(null, generation) && !first.get().equals(generation)) {
                throw another("it was deleted and made again");
            }
        };
    }

    /** Refuses a region that is not in the array any more. */
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
                new MetadataException("the array was replaced since it was opened: " + what + "; open it anew"));
    }
}
