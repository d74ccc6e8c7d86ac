package dev.shardkit;

import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.presence.NonemptyChunkKeys;
import dev.shardkit.presence.NonemptyChunksUpdate;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.store.policy.WriteOwnership;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The {@code nonempty_chunks} attribute of an array: a sorted list of the keys of the chunks that exist, in the form
 * that the library zarr-vectors defines. It caches the content of the shard indexes for readers that cannot read all of
 * them. The indexes are authoritative: reads of elements and {@link ChunkPresence} ignore the list, so a stale list
 * hides no chunks.
 *
 * <p>The list has this form: a key is the cell of an innermost inner chunk (without sharding, of a chunk), its indices
 * as decimal numbers separated by periods ({@code 0.1.2}; {@code 0} for no dimensions), independent of the array's key
 * encoding. Keys are sorted as text, so {@code 10} comes before {@code 2}. If the array has an attribute
 * {@code chunk_grid_origin}, a list of integers, each key is cell plus origin. A stored chunk counts as nonempty, even
 * if all its elements are the fill value.
 *
 * <p>With {@link OnWrite#UPDATE}, writes update the list. After its chunks are written, a write updates the list once,
 * under the lock of the array's {@code zarr.json} (or with a conditional put if the store has no locks). Under that
 * lock, it replaces the keys of the written shards by the content of their indexes. So the last writer records the
 * stored state, and any number of writers agree. The list becomes stale if a writer is killed before the update, does
 * not update it, or writes without locks ({@link WriteOwnership#OWNED}) beside others. {@link #rebuild} holds the same
 * lock while it reads indexes.
 *
 * <p>Each update writes the whole document. Do not use updates for many small writes, or for lists near the size limit
 * of a metadata document, which is refused. Writes do not update the list of staged arrays, or of arrays in another
 * format than Zarr v3.
 *
 * <p>Immutable and thread-safe. Each call reads the stored state.
 */
public final class NonemptyChunksAttribute {
    /** The name of the attribute. */
    public static final String ATTRIBUTE = NonemptyChunkKeys.ATTRIBUTE;

    /** The name of the attribute with the origin of the keys. */
    public static final String ORIGIN = NonemptyChunkKeys.ORIGIN;

    /** Whether writes update the list. */
    public enum OnWrite {
        /** Writes leave the list unchanged, so it may become stale. */
        IGNORE,
        /** Writes update the list, and create it if there is none. */
        UPDATE
    }

    private final NonemptyChunksUpdate update;

    NonemptyChunksAttribute(StoredNode node, ArrayMetadata metadata) {
        this.update = new NonemptyChunksUpdate(node, metadata);
    }

    /** A kind of difference between the list and the stored chunks. */
    public enum Difference {
        /** A chunk exists but is not in the list. */
        MISSING,
        /** A key is in the list, but its chunk does not exist or is outside the array. */
        GONE,
        /** The attribute is not a list, or an entry is not a key. */
        MALFORMED,
        /** A key is repeated, or follows a larger one. */
        OUT_OF_ORDER,
        /** The array does not have the attribute. */
        ABSENT
    }

    /**
     * A difference between the list and the stored chunks.
     *
     * @param kind the kind of difference
     * @param value the key, or the value that was found
     */
    public record Finding(Difference kind, String value) {}

    /** The content of the list. Immutable. */
    public static final class Listed {
        private final String[] keys;
        private final NonemptyChunkKeys form;

        private Listed(NonemptyChunksUpdate.Listed listed) {
            this.keys = listed.keys();
            this.form = listed.form();
        }

        /** Returns the keys, sorted and distinct. */
        public List<String> keys() {
            return List.of(keys);
        }

        /** Returns the number of keys. */
        public int size() {
            return keys.length;
        }

        /** Returns whether the list contains the chunk at {@code cell}. */
        public boolean contains(long... cell) {
            return Arrays.binarySearch(keys, form.key(cell)) >= 0;
        }

        /** Returns the cells in the list, in the order of their keys. They may lie outside the array. */
        public Stream<long[]> cells() {
            return Arrays.stream(keys).map(key -> form.cell(key).orElseThrow());
        }
    }

    /**
     * Reads the list; empty if the array has none.
     *
     * @throws MetadataException if the attribute is not a list of keys
     */
    public Optional<Listed> read() {
        return update.read().map(Listed::new);
    }

    /**
     * Compares the list with the stored chunks. Passes each difference to {@code findings} as soon as it is found.
     *
     * @return the number of differences
     */
    public long verify(Consumer<? super Finding> findings) {
        return update.verify(found ->
                findings.accept(new Finding(Difference.valueOf(found.kind().name()), found.value())));
    }

    /** Replaces the list by the chunks that exist, and returns it. */
    public Listed rebuild() {
        return new Listed(update.rebuild());
    }
}
