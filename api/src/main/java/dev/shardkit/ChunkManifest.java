package dev.shardkit;

import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.presence.ManifestChange;
import dev.shardkit.presence.ManifestKeys;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.store.Ownership;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The {@code nonempty_chunks} attribute of an array: a sorted list of the keys of the chunks that exist, as
 * zarr-vectors keeps it beside its data. It is a cache of what shard indexes say, for those who cannot read all of
 * them. The indexes are the truth: no read of elements, and no {@link ChunkPresence}, looks at it, so a stale one hides
 * nothing.
 *
 * <p>Where its description leaves a choice: a key is the cell of an innermost inner chunk (without sharding, of a
 * chunk), its indices as decimal numbers with periods between them ({@code 0.1.2}; {@code 0} for no dimensions),
 * whatever the array's own key encoding is. Keys are sorted as texts, so {@code 10} comes before {@code 2}. Where the
 * array has an attribute {@code chunk_grid_origin}, a list of integers, keys are counted from there: cell plus origin.
 * A chunk that is stored counts as not empty, whatever it holds.
 *
 * <p>Writes keep it where the options say so ({@link Keeping#KEEP}). A write changes it after its chunks are written,
 * once for a call, under the lock of the array's {@code zarr.json} (or by putting under a condition, where the store
 * has no locks): under that lock, what the written shards' indexes say then replaces what the list said of them. So
 * whoever comes last states what is stored, and writers of any number agree. A writer who dies before that, or does not
 * keep it, leaves it stale; so does an owner without locks ({@link Ownership#OWNED}) beside others. {@link #rebuild}
 * holds the same lock for as long as it reads indexes. Each change writes the whole document: not for many small
 * writes, nor for lists that come near the limit of a metadata document, which is refused. Arrays that are not
 * published yet, or are described by documents of another form than Zarr v3, have none that writes keep.
 *
 * <p>Immutable and thread-safe; looks at what is stored at each call.
 */
public final class ChunkManifest {
    /** The attribute's name. */
    public static final String ATTRIBUTE = ManifestKeys.ATTRIBUTE;

    /** The attribute by which keys are moved. */
    public static final String ORIGIN = ManifestKeys.ORIGIN;

    /** Whether writes keep it up to date. */
    public enum Keeping {
        /** They leave it as it is, and so perhaps stale. */
        LEAVE,
        /** They keep it, and make it where there is none. */
        KEEP
    }

    private final ManifestChange change;

    ChunkManifest(StoredNode node, ArrayMetadata metadata) {
        this.change = new ManifestChange(node, metadata);
    }

    /** One of the differences between the list and what is stored. */
    public enum Difference {
        /** A chunk that exists and is not in the list. */
        MISSING,
        /** A key in the list whose chunk does not exist, or is none of the array's. */
        GONE,
        /** Something that is no key, or a list that is none. */
        MALFORMED,
        /** A key that is there twice, or behind one that is larger. */
        OUT_OF_ORDER,
        /** The array has no such attribute. */
        ABSENT
    }

    /**
     * A difference.
     *
     * @param kind its kind
     * @param what the key, or what was found
     */
    public record Finding(Difference kind, String what) {}

    /** What the list says. Immutable. */
    public static final class Listed {
        private final String[] keys;
        private final ManifestKeys form;

        private Listed(ManifestChange.Listed listed) {
            this.keys = listed.keys();
            this.form = listed.form();
        }

        /** The keys, sorted, each once. */
        public List<String> keys() {
            return List.of(keys);
        }

        /** How many keys there are. */
        public int size() {
            return keys.length;
        }

        /** Whether it says that the chunk at {@code cell} exists. */
        public boolean contains(long... cell) {
            return Arrays.binarySearch(keys, form.key(cell)) >= 0;
        }

        /** The cells that it names, in the order of the keys; they may lie outside of the array. */
        public Stream<long[]> cells() {
            return Arrays.stream(keys).map(key -> form.cell(key).orElseThrow());
        }
    }

    /**
     * What the array's list says now; empty if it has none.
     *
     * @throws MetadataException if it is no list of keys
     */
    public Optional<Listed> read() {
        return change.read().map(Listed::new);
    }

    /**
     * Compares it with what is stored. Differences are handed over as they are found.
     *
     * @return how many there are
     */
    public long verify(Consumer<? super Finding> findings) {
        return change.verify(found ->
                findings.accept(new Finding(Difference.valueOf(found.kind().name()), found.what())));
    }

    /** Makes it anew from what is stored, in place of whatever there is, and gives it. */
    public Listed rebuild() {
        return new Listed(change.rebuild());
    }
}
